import { useQuery } from "@tanstack/react-query";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Link } from "wouter";
import { readInstance } from "../../lib/instance.ts";
import { RECENT_SALES, recentSalesQuery } from "../../lib/resources.ts";
import { useRefreshAll, useUser } from "../../lib/use-seller.ts";
import { openAddress } from "../../telegram/native.ts";
import { Avatar, AvatarDisc } from "../../kit/avatar.tsx";
import type { IconName } from "../../kit/icons.tsx";
import { Arch, MoreLink, Stack } from "../../kit/layout.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { homeCopy as copy } from "./home-messages.fr.ts";
import { type BalanceWords, type GreetingWords, greetingWords } from "./home-words.ts";
import { BalanceCard, BalanceFace, SparklinePlace } from "./parts/balance-card.tsx";
import { FirstSteps } from "./parts/first-steps.tsx";
import { TransactionRow } from "./parts/transaction-row.tsx";
import styles from "./reports.module.css";

const AVATAR_PX = 40;

// The newcomer's picture, and a failure's: the others need not load what they will not see.
const NoTransaction = lazy<ComponentType<{ failed: boolean; onRetry(): void }>>(() =>
  import("./parts/no-transaction.tsx").then((part) => ({ default: part.NoTransaction }), absent),
);
const HomeNotices = lazy<ComponentType>(() =>
  import("./parts/home-notices.tsx").then((part) => ({ default: part.HomeNotices }), absent),
);

/** A part that does not come leaves home whole. */
function absent() {
  return { default: () => null };
}

export function Home() {
  const user = useUser();
  const refreshAll = useRefreshAll();
  const { communityUrl } = readInstance();
  return (
    <PullToRefresh label={copy.refresh} onRefresh={refreshAll}>
      <Stack gap={5} page>
        <Greeting words={greetingWords(user)}>
          <Avatar name={user?.nom ?? "?"} photo={user?.photo_url ?? null} size={AVATAR_PX} />
        </Greeting>
        <Suspense>
          <HomeNotices />
        </Suspense>
        <BalanceCard user={user} />
        <Tiles />
        <FirstSteps />
        <RecentTransactions />
        {communityUrl ? (
          <Section>
            <Cell
              icon="megaphone"
              title={copy.community}
              subtitle={copy.communityText}
              onClick={() => openAddress(communityUrl)}
              chevron
            />
          </Section>
        ) : null}
      </Stack>
    </PullToRefresh>
  );
}

/** Home with words in the place of what the server says: painted before the application is there. */
export function HomeOutline({ words }: { words: GreetingWords & BalanceWords }) {
  return (
    <PullToRefresh label={copy.refresh} onRefresh={async () => undefined}>
      <Stack gap={5} page>
        <Greeting words={words}>
          <AvatarDisc letters={words.letters} size={AVATAR_PX} />
        </Greeting>
        <BalanceFace words={words}>
          <SparklinePlace />
        </BalanceFace>
        <Tiles />
        <SkeletonRows count={RECENT_SALES} label={copy.loading} />
      </Stack>
    </PullToRefresh>
  );
}

function Greeting({ words, children }: { words: GreetingWords; children: ReactNode }) {
  return (
    <header className={styles.greeting} data-settles="">
      <h1>{words.hello}</h1>
      <Link href="/profile" className={styles.me} aria-label={words.name}>
        {children}
      </Link>
    </header>
  );
}

type Tile = {
  readonly href: string;
  readonly icon: IconName;
  readonly name: string;
};

const TILES: readonly Tile[] = [
  { href: "/Donation", icon: "star", name: copy.donation },
  { href: "/ProductsList", icon: "bag", name: copy.products },
  { href: "/GroupeListe", icon: "people", name: copy.groups },
  { href: "/Statistics", icon: "chart", name: copy.statistics },
  { href: "/Calendrier", icon: "clock", name: copy.calendar },
  { href: "/CustomerSupport", icon: "help", name: copy.support },
];

/** Each leads to a real page, on every plan: what premium adds, its page gates (decisions 11, 12). */
function Tiles() {
  return (
    <nav className={styles.tiles} aria-label={copy.tiles}>
      {TILES.map((tile) => (
        <Link key={tile.href} href={tile.href} className={styles.tile}>
          <Arch icon={tile.icon} />
          <span>{tile.name}</span>
        </Link>
      ))}
    </nav>
  );
}

function RecentTransactions() {
  const recent = useQuery({
    ...recentSalesQuery,
    select: (items) => items.filter((item) => item.type === "income"),
  });
  if (recent.isPending) return <SkeletonRows count={RECENT_SALES} label={copy.loading} />;
  if (!recent.data || recent.data.length === 0) {
    return (
      <Suspense>
        <NoTransaction failed={!recent.data} onRetry={() => void recent.refetch()} />
      </Suspense>
    );
  }
  return (
    <Section
      title={copy.recent}
      action={<MoreLink href="/transactions/history">{copy.seeAll}</MoreLink>}
    >
      <ul>
        {recent.data.slice(0, RECENT_SALES).map((transaction) => (
          <TransactionRow key={transaction.id} transaction={transaction} />
        ))}
      </ul>
    </Section>
  );
}
