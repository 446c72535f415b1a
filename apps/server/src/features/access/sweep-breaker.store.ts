import { addMs, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

/** Memberships that may end in an hour whatever is usual. */
const HOUR_FLOOR = 200;
const SHARE_OF_RUNNING = 0.01;
const TIMES_THE_MEDIAN = 5;
const HISTORY_MS = 14 * DAY_MS;

const RUNNING = sql`status IN ('waiting', 'inside', 'left', 'banned')`;

export type StoppedSweep = {
  readonly kind: "stop";
  /** Memberships that would end now. */
  readonly due: number;
  /** Memberships that may end in an hour without asking. */
  readonly limit: number;
};

/** `until`: memberships that end by then may be ended. */
export type SweepDecision =
  | StoppedSweep
  | { readonly kind: "go"; readonly until: Date; readonly counted: boolean };

/**
 * Whether the memberships that are over may end: those of this hour and those due now, together at
 * most max(200, 1 % of the running ones, 5 × the median hour of the last 14 days). Beyond it an
 * operator is asked; what was due when the question was put may end once the alert is resolved by
 * a person. Sweeps take turns by the row of the hour.
 */
export async function decideSweep(tx: Db, now: Date): Promise<SweepDecision> {
  const ended = await lockHour(tx, now);
  const few = await countDue(tx, { now, max: HOUR_FLOOR + 1 });
  if (ended + few <= HOUR_FLOOR) return { kind: "go", until: now, counted: true };
  const approved = await findApproval(tx);
  if (approved && (await countDue(tx, { now: approved, max: 1 })) > 0) {
    return { kind: "go", until: approved, counted: false };
  }
  const limit = await readLimit(tx, now);
  const due = await countDue(tx, { now, max: 1_000_000 });
  if (ended + due <= limit) return { kind: "go", until: now, counted: true };
  return { kind: "stop", due, limit };
}

async function lockHour(tx: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ ended: number }>`
    INSERT INTO membership_sweep_hours AS h (hour, ended)
    VALUES (date_trunc('hour', ${now}::timestamptz), 0)
    ON CONFLICT (hour) DO UPDATE SET ended = h.ended
    RETURNING ended
  `.execute(tx);
  return rows[0]?.ended ?? 0;
}

async function countDue(tx: Db, { now, max }: { now: Date; max: number }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM accesses WHERE ${RUNNING} AND ends_at <= ${now} LIMIT ${max}
    ) AS due
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

async function readLimit(tx: Db, now: Date): Promise<number> {
  const since = addMs(now, -HISTORY_MS);
  const { rows } = await sql<{ hour_limit: number }>`
    WITH usual AS (
      SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY coalesce(h.ended, 0)) AS median
      FROM generate_series(date_trunc('hour', ${since}::timestamptz),
        date_trunc('hour', ${now}::timestamptz) - interval '1 hour', interval '1 hour') AS at(hour)
      LEFT JOIN membership_sweep_hours h USING (hour)
    )
    SELECT ceil(greatest(${HOUR_FLOOR}::float8,
      ${SHARE_OF_RUNNING}::float8 * (SELECT count(*) FROM accesses WHERE ${RUNNING}),
      CASE WHEN EXISTS (SELECT FROM membership_sweep_hours WHERE hour <= ${since})
        THEN ${TIMES_THE_MEDIAN}::float8 * usual.median END))::int AS hour_limit
    FROM usual
  `.execute(tx);
  return rows[0]?.hour_limit ?? HOUR_FLOOR;
}

export async function countEnded(
  tx: Db,
  { now, ended }: { now: Date; ended: number },
): Promise<void> {
  await sql`
    UPDATE membership_sweep_hours SET ended = ended + ${ended}
    WHERE hour = date_trunc('hour', ${now}::timestamptz)
  `.execute(tx);
  // One row more than the history needs, so that the history is known to be whole.
  await sql`
    DELETE FROM membership_sweep_hours WHERE hour < ${addMs(now, -HISTORY_MS - DAY_MS)}
  `.execute(tx);
}

/** The instant up to which a person has allowed memberships to end; null without such a word. */
async function findApproval(tx: Db): Promise<Date | null> {
  const { rows } = await sql<{ until: Date }>`
    SELECT (details ->> 'until')::timestamptz AS until FROM desk_alerts
    WHERE kind = 'access.sweep-stopped' AND subject = 'sweep' AND resolved_by IS NOT NULL
      AND resolved_at IS NOT NULL
  `.execute(tx);
  return rows[0]?.until ?? null;
}

/** Asks the operators, once until somebody answers. True when the question is new. */
export async function raiseSweepStopped(
  tx: Db,
  { due, limit }: StoppedSweep,
  now: Date,
): Promise<boolean> {
  const details = { due, limit, until: now.toISOString() };
  const { rows } = await sql`
    INSERT INTO desk_alerts AS a (kind, subject, details, created_at)
    VALUES ('access.sweep-stopped', 'sweep', ${JSON.stringify(details)}::jsonb, ${now})
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL,
        resolved_by = NULL, resolution = NULL
      WHERE a.resolved_at IS NOT NULL
    RETURNING a.kind
  `.execute(tx);
  return rows.length > 0;
}
