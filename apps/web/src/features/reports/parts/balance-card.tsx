import type { UserOnWire } from "@sesame/contract/identity";
import { lazy, Suspense } from "react";
import { Link } from "wouter";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { homeCopy as copy } from "../home-copy.fr.ts";
import styles from "../reports.module.css";

const Sparkline = lazy(async () => ({ default: (await import("./sparkline.tsx")).Sparkline }));

/** A number or a numeric text; anything else counts as zero (A §5). */
export function balanceOf(value: unknown): number {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof amount === "number" && Number.isFinite(amount) ? Math.trunc(amount) : 0;
}

/** The balance of the current plan (A §6): what can be spent, and the whole when they differ. */
export function BalanceCard({ user }: { user: UserOnWire | undefined }) {
  if (!user) return <Skeleton height="214px" radius="22px" />;
  const premium = user.type_plan === "payant";
  const posted = balanceOf(premium ? user.balancePayant : user.balanceGratuit);
  const available = balanceOf(user.soldeDisponible);
  return (
    <section className={styles.balance} aria-label={copy.balance}>
      <div className={styles.balanceTop}>
        <span>{copy.balance}</span>
        <Badge tone="on-brand">{premium ? copy.planPremium : copy.planFree}</Badge>
      </div>
      <p className={styles.figure}>
        {formatNumber(available)} <small>FCFA</small>
      </p>
      <p className={styles.balanceNote}>
        {posted === available
          ? copy.balanceNote
          : copy.balanceTotal(formatFcfa(posted), formatFcfa(posted - available))}
      </p>
      {user.revenus_semaine?.some((net) => net > 0) ? (
        <div className={styles.sparkline}>
          <Suspense>
            <Sparkline values={user.revenus_semaine} />
          </Suspense>
        </div>
      ) : null}
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
