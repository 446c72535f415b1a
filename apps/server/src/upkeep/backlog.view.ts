import { sql } from "kysely";
import { type Db, many } from "../postgres/database.ts";

export type Backlog = {
  /** Counted to `COUNTED_TO`, so that a backlog does not make the look at it slow. */
  readonly jobs: readonly {
    readonly topic: string;
    readonly state: "due" | "later" | "failed" | "expired";
    readonly count: bigint;
    /** Seconds since the oldest of them was due the first time. */
    readonly oldest_seconds: number;
  }[];
  readonly payment_checks_due: bigint;
  /** Approved, and their end not known. */
  readonly payouts_open: readonly { lane: string; status: string; count: bigint }[];
  readonly updates_waiting: readonly { bot: string; count: bigint }[];
  /** Over for a minute and still open: removal is promised by then (WIRE §3). */
  readonly accesses_overdue: bigint;
  readonly alerts_open: readonly { kind: string; count: bigint }[];
};

const COUNTED_TO = 10_000;

/** Each topic is found by one descent of the index after the one before it. */
async function readJobs(db: Db, now: Date): Promise<Backlog["jobs"]> {
  const next = (failed: boolean) => sql`(
    SELECT o.topic FROM outbox o
    WHERE o.topic > t.topic AND o.failed_at IS ${failed ? sql`NOT NULL` : sql`NULL`}
    ORDER BY o.topic LIMIT 1)`;
  return many<Backlog["jobs"][number]>(db)`
    WITH RECURSIVE waiting AS (
      SELECT ''::text AS topic
      UNION ALL SELECT ${next(false)} FROM waiting t WHERE t.topic IS NOT NULL
    ), ended AS (
      SELECT ''::text AS topic
      UNION ALL SELECT ${next(true)} FROM ended t WHERE t.topic IS NOT NULL
    ), seen AS (
      SELECT w.topic, s.state, s.oldest FROM waiting w CROSS JOIN LATERAL (
        SELECT CASE WHEN o.due_at <= ${now} THEN 'due' ELSE 'later' END AS state,
          coalesce(o.first_due_at, o.due_at) AS oldest
        FROM outbox o WHERE o.topic = w.topic AND o.failed_at IS NULL
        LIMIT ${COUNTED_TO}
      ) AS s
      UNION ALL
      SELECT e.topic, s.state, s.oldest FROM ended e CROSS JOIN LATERAL (
        SELECT CASE WHEN o.expired THEN 'expired' ELSE 'failed' END AS state,
          coalesce(o.first_due_at, o.due_at) AS oldest
        FROM outbox o WHERE o.topic = e.topic AND o.failed_at IS NOT NULL
        LIMIT ${COUNTED_TO}
      ) AS s
    )
    SELECT topic, state, count(*) AS count,
      greatest(0, extract(epoch FROM ${now}::timestamptz - min(oldest)))::float8 AS oldest_seconds
    FROM seen GROUP BY topic, state
  `;
}

/** What waits to be done, as of one look. Reads what is open, never what is done. */
export async function readBacklog(db: Db, now: Date): Promise<Backlog> {
  const [jobs, counts, updates, alerts, payouts] = await Promise.all([
    readJobs(db, now),
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
    jobs,
    updates_waiting: updates.rows,
    alerts_open: alerts.rows,
    payouts_open: payouts.rows,
    payment_checks_due: counts.rows[0]?.payment_checks_due ?? 0n,
    accesses_overdue: counts.rows[0]?.accesses_overdue ?? 0n,
  };
}
