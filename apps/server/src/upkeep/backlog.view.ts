import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

export type Backlog = {
  readonly jobs: readonly { topic: string; state: "due" | "later" | "failed"; count: bigint }[];
  readonly payment_checks_due: bigint;
  /** Approved, and their end not known. */
  readonly payouts_open: readonly { lane: string; status: string; count: bigint }[];
  readonly updates_waiting: readonly { bot: string; count: bigint }[];
  /** Over for a minute and still open: removal is promised by then (WIRE §3). */
  readonly accesses_overdue: bigint;
  readonly alerts_open: readonly { kind: string; count: bigint }[];
};

/** What waits to be done, as of one look. Reads what is open, never what is done. */
export async function readBacklog(db: Db, now: Date): Promise<Backlog> {
  const [jobs, counts, updates, alerts, payouts] = await Promise.all([
    sql<Backlog["jobs"][number]>`
      SELECT topic, CASE WHEN failed_at IS NOT NULL THEN 'failed' WHEN due_at <= ${now} THEN 'due'
        ELSE 'later' END AS state, count(*) AS count
      FROM outbox GROUP BY 1, 2
    `.execute(db),
    sql<Pick<Backlog, "payment_checks_due" | "accesses_overdue">>`
      SELECT
        (SELECT count(*) FROM payment_checks WHERE due_at <= ${now}) AS payment_checks_due,
        (SELECT count(*) FROM accesses WHERE status IN ('waiting', 'inside', 'left', 'banned')
          AND ends_at <= ${now}::timestamptz - interval '1 minute') AS accesses_overdue
    `.execute(db),
    sql<Backlog["updates_waiting"][number]>`
      SELECT bot, count(*) AS count FROM telegram_updates WHERE handled_at IS NULL GROUP BY bot
    `.execute(db),
    sql<Backlog["alerts_open"][number]>`
      SELECT kind, count(*) AS count FROM desk_alerts WHERE resolved_at IS NULL GROUP BY kind
    `.execute(db),
    sql<Backlog["payouts_open"][number]>`
      SELECT lane, status, count(*) AS count FROM payouts
      WHERE status NOT IN ('succeeded', 'failed') GROUP BY lane, status
    `.execute(db),
  ]);
  return {
    jobs: jobs.rows,
    updates_waiting: updates.rows,
    alerts_open: alerts.rows,
    payouts_open: payouts.rows,
    payment_checks_due: counts.rows[0]?.payment_checks_due ?? 0n,
    accesses_overdue: counts.rows[0]?.accesses_overdue ?? 0n,
  };
}
