import type { UserOnWire } from "@sesame/contract/identity";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { Link } from "wouter";
import { readInstance } from "../../lib/instance.ts";
import { later } from "../../lib/later.ts";
import { RECENT_SALES, recentSalesQuery } from "../../lib/resources.ts";
import { useChannels, useProducts, useRefreshAll, useUser } from "../../lib/use-seller.ts";
import { openAddress } from "../../telegram/native.ts";
import { Avatar, AvatarDisc } from "../../kit/avatar.tsx";
import { Badge, Button } from "../../kit/button.tsx";
import {
  Arch,
  Card,
  Cell,
  Grid,
  Line,
  MoreLink,
  Section,
  Stack,
  Text,
  Title,
} from "../../kit/layout.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Skeleton, SkeletonRows } from "../../kit/skeleton.tsx";
import { homeCopy as copy } from "./home-messages.fr.ts";
import {
  type BalanceWords,
  balanceWords,
  earnedLately,
  type GreetingWords,
  greetingWords,
} from "./home-words.ts";
import styles from "./reports.module.css";
import { TransactionRow } from "./transaction-row.tsx";

const AVATAR_PX = 44;

const load = () => import("./home-later.tsx");
const Sparkline = later(load, "Sparkline");
/** When the chunk cannot be loaded, home is shown without it. */
const nothing = () => <></>;
type Parts = Pick<Awaited<ReturnType<typeof load>>, "NoTransaction" | "HomeNotices">;
const loadOrNothing = (): Promise<Parts> =>
  load().catch(() => ({ NoTransaction: nothing, HomeNotices: nothing }));
// Only a new seller or a failure needs these drawings: they are in a chunk of their own.
const NoTransaction = later(loadOrNothing, "NoTransaction");
const HomeNotices = later(loadOrNothing, "HomeNotices");

export function Home() {
  const user = useUser();
  const refreshAll = useRefreshAll();
  const { communityUrl } = readInstance();
  return (
    <PullToRefresh onRefresh={refreshAll}>
      <Stack gap={5} page>
        <Greeting words={greetingWords(user)}>
          <Avatar name={user?.nom ?? "?"} photo={user?.photo_url ?? null} size={AVATAR_PX} />
        </Greeting>
        <Suspense>
          <HomeNotices />
        </Suspense>
        <BalanceCard user={user} />
        <FirstSteps />
        <Tiles />
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

/** Home with saved words: painted before the application has loaded. */
export function HomeOutline({ words }: { words: GreetingWords & BalanceWords }) {
  return (
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
  );
}

function Greeting({ words, children }: { words: GreetingWords; children: ReactNode }) {
  return (
    <Line as="header" gap={3} between data-settles="" style={{ flexWrap: "nowrap" }}>
      <Title>{words.hello}</Title>
      <Link href="/profile" aria-label={words.name}>
        {children}
      </Link>
    </Line>
  );
}

const TILES = [
  { href: "/Donation", icon: "star", name: copy.donation },
  { href: "/ProductsList", icon: "bag", name: copy.products },
  { href: "/GroupeListe", icon: "people", name: copy.groups },
  { href: "/Statistics", icon: "chart", name: copy.statistics },
  { href: "/Calendrier", icon: "clock", name: copy.calendar },
  { href: "/CustomerSupport", icon: "help", name: copy.support },
] as const;

/** Each tile leads to its page on every plan: the page itself gates what is premium (decisions 11, 12). */
function Tiles() {
  return (
    <Grid as="nav" least="6rem" aria-label={copy.tiles}>
      {TILES.map((tile) => (
        <Link key={tile.href} href={tile.href} asChild>
          <Stack as="a" gap={1} center>
            <Arch icon={tile.icon} />
            <Text size="small" tone="soft" as="span">
              {tile.name}
            </Text>
          </Stack>
        </Link>
      ))}
    </Grid>
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
          <li key={transaction.id}>
            <TransactionRow transaction={transaction} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function BalanceCard({ user }: { user: UserOnWire | undefined }) {
  if (!user) return <Skeleton height="214px" radius="22px" />;
  return (
    <BalanceFace words={balanceWords(user)}>
      {earnedLately(user) ? (
        <SparklinePlace>
          <Suspense>
            <Sparkline values={user.revenus_semaine ?? []} />
          </Suspense>
        </SparklinePlace>
      ) : null}
    </BalanceFace>
  );
}

/** `children`: between what is said and what can be done. */
function BalanceFace({ words, children }: { words: BalanceWords; children: ReactNode }) {
  return (
    <Card as="section" big aria-label={copy.balance}>
      <Line between>
        <span>{copy.balance}</span>
        <Badge tone="on-brand">{words.plan}</Badge>
      </Line>
      <Text size="hero">
        {words.available}{" "}
        <Text as="small" size="heading">
          FCFA
        </Text>
      </Text>
      <Text size="small">{words.note}</Text>
      {children}
      <Grid least="7rem">
        <Button look="on-brand" icon="arrowOut" href="/retrait">
          {copy.withdraw}
        </Button>
        <Button look="on-brand-tinted" icon="clock" href="/transactions/history">
          {copy.history}
        </Button>
      </Grid>
    </Card>
  );
}

function SparklinePlace({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.sparkline} data-sparkline="">
      {children}
    </div>
  );
}

/** What a newcomer does next; gone with the first sale. */
function FirstSteps() {
  const words = copy.steps;
  const channels = useChannels().data;
  const products = useProducts().data;
  if (!channels || !products) return null;
  const hasGroup = channels.length > 0;
  const hasProduct = products.length > 0;
  if (products.some((product) => product.sales > 0)) return null;
  const shareAt = products[0] ? `/ProductCard/${products[0].id}` : undefined;
  const steps = [
    {
      icon: "link",
      title: words.linkGroup,
      text: words.linkGroupText,
      done: hasGroup,
      href: "/relierbot",
    },
    {
      icon: "bag",
      title: words.createProduct,
      text: words.createProductText,
      done: hasProduct,
      href: hasGroup ? "/soni" : undefined,
    },
    { icon: "send", title: words.share, text: words.shareText, done: false, href: shareAt },
  ] as const;
  const next = steps.findIndex((step) => !step.done);
  return (
    <Section title={words.title}>
      {steps.map((step, index) => (
        <Cell
          key={step.title}
          icon={step.done ? "check" : step.icon}
          tone={index === next ? undefined : "soft"}
          title={step.title}
          after={step.done ? words.done : <span className="visually-hidden">{words.todo}</span>}
          subtitle={step.done ? undefined : step.text}
          href={index === next ? step.href : undefined}
        />
      ))}
    </Section>
  );
}
