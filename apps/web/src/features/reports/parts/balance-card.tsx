import type { UserOnWire } from "@sesame/contract/identity";
import { lazy, type ReactNode, Suspense } from "react";
import { Link } from "wouter";
import { Badge } from "../../../kit/badge.tsx";
import { Icon } from "../../../kit/icons.tsx";
import { Line } from "../../../kit/layout.tsx";
import { Skeleton } from "../../../kit/skeleton.tsx";
import { homeCopy as copy } from "../home-messages.fr.ts";
import { type BalanceWords, balanceWords, earnedLately } from "../home-words.ts";
import styles from "../reports.module.css";

const Sparkline = lazy(async () => ({ default: (await import("./sparkline.tsx")).Sparkline }));

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
export function BalanceFace({ words, children }: { words: BalanceWords; children: ReactNode }) {
  return (
    <section className={styles.balance} aria-label={copy.balance}>
      <Line between>
        <span>{copy.balance}</span>
        <Badge tone="on-brand">{words.plan}</Badge>
      </Line>
      <p className={styles.figure}>
        {words.available} <small>FCFA</small>
      </p>
      <p className={styles.balanceNote}>{words.note}</p>
      {children}
      <div className={styles.balanceActions}>
        <Link href="/retrait" className={styles.balanceAction}>
          <Icon name="arrowOut" size={20} />
          {copy.withdraw}
        </Link>
        <Link href="/transactions/history" className={styles.balanceAction}>
          <Icon name="clock" size={20} />
          {copy.history}
        </Link>
      </div>
    </section>
  );
}

export function SparklinePlace({ children }: { children?: ReactNode }) {
  return (
    <div className={styles.sparkline} data-sparkline="">
      {children}
    </div>
  );
}
