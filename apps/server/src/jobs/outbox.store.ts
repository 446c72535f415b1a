import { sql, type RawBuilder } from "kysely";
import { type Db, many } from "../postgres/database.ts";
import { datesAhead, type LeaseClock } from "./leases.ts";
import { redactError } from "../secrets/redact-secrets.ts";
import { DAY_MS } from "@sesame/kernel";

export type NewJob = {
  /** capability.verb */
  readonly topic: string;
  readonly ref: bigint;
  readonly payload?: Record<string, string | number | boolean | null>;
  /** 0 access, 1 money and access messages, 2 reminders, 3 the rest. */
  readonly priority?: 0 | 1 | 2 | 3;
  readonly dueAt: Date;
};

export type Job = {
  readonly id: bigint;
  readonly topic: string;
  readonly ref: bigint;
  readonly payload: Record<string, unknown>;
  readonly priority: number;
  /** Includes the current one; runs that ended in an outage are not counted. */
  readonly attempts: number;
};

/** A job leased by a worker; the next worker to lease it gets another `lease`. */
export type LeasedJob = Job & {
  readonly lease: string;
  /** Consecutive runs that ended in an outage. */
  readonly outages: number;
  /** Milliseconds since it was due the first time. */
  readonly age_ms: number;
};

export type Lease = Pick<LeasedJob, "id" | "lease">;

/** The payload of a notification is the topic of the jobs that were written (outbox_notify). */
export const OUTBOX_CHANNEL = "sesame_outbox";

/** No job is written to be due later than this: a later instant is from a wrong clock. */
const LONGEST_DELAY_MS = 3_600_000;

/** A message that cannot be sent waits this long for the person to open the chat, then is dropped. */
export const WAIT_FOR_PERSON_MS = 7 * DAY_MS;

/** A dead worker's jobs are free after this; a living one renews its leases three times before. */
export const LEASE_MS = 10_000;

/** Columns of future instants, and the furthest that a correct clock can write. */
export const OUTBOX_DATES = datesAhead(
  "outbox",
  [
    ["due_at", LEASE_MS, "failed_at IS NULL AND lease IS NOT NULL"],
    ["due_at", LONGEST_DELAY_MS, "failed_at IS NULL AND lease IS NULL AND first_due_at IS NULL"],
    ["due_at", WAIT_FOR_PERSON_MS, "failed_at IS NULL AND topic = 'bot.notify'"],
    ["due_at", DAY_MS, "failed_at IS NULL AND topic <> 'bot.notify'"],
  ],
  { isFenced: true },
);

/** Writes jobs in the transaction that decided them; the commit notifies the workers of their topics. */
export async function enqueue(tx: Db, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  await sql`
    INSERT INTO outbox (topic, ref, payload, priority, due_at)
    SELECT * FROM unnest(
      ${jobs.map((job) => job.topic)}::text[],
      ${jobs.map((job) => job.ref)}::bigint[],
      ${jobs.map((job) => JSON.stringify(job.payload ?? {}))}::jsonb[],
      ${jobs.map((job) => job.priority ?? 1)}::smallint[],
      ${jobs.map((job) => job.dueAt)}::timestamptz[]
    )
  `.execute(tx);
}

const isDue = (clock: LeaseClock) => sql`o.failed_at IS NULL
  AND o.due_at <= ${clock.at(clock.toleranceMs)}
  AND (o.due_at <= ${clock.at()} OR o.first_due_at IS NULL)`;

/** Whether a job of one of the topics is due: one index descent of `outbox_due` for each priority. */
export const hasDueJobs = (topics: readonly string[], clock: LeaseClock) => sql<boolean>`EXISTS (
  SELECT FROM unnest(${[...topics]}::text[]) AS want(topic)
  CROSS JOIN (VALUES (0::smallint), (1::smallint), (2::smallint), (3::smallint)) AS level(priority)
  CROSS JOIN LATERAL (
    SELECT FROM outbox o
    WHERE o.topic = want.topic AND o.priority = level.priority AND ${isDue(clock)}
    LIMIT 1
  ) AS ready)`;

export type LeaseRequest = {
  /** `free`: how many more jobs of the topic this process may hold. */
  readonly topics: readonly { readonly topic: string; readonly free: number }[];
  readonly clock: LeaseClock;
  readonly leaseMs: number;
};

/**
 * Leases due jobs of several topics in one statement, the most urgent and then the oldest of each.
 * Each topic and priority is one index descent of `outbox_due`: jobs of other topics, or not due
 * yet, are not read. Skips rows that another worker has locked.
 */
export async function leaseJobs(db: Db, request: LeaseRequest): Promise<LeasedJob[]> {
  const { topics, clock, leaseMs } = request;
  const now = clock.at();
  const rows = await many<LeasedJob>(db)`
    WITH due AS (
      SELECT of_topic.id
      FROM unnest(${topics.map(({ topic }) => topic)}::text[], ${topics.map(({ free }) => free)}::int[])
        AS want(topic, free)
      CROSS JOIN LATERAL (
        SELECT ready.id
        FROM (VALUES (0::smallint), (1::smallint), (2::smallint), (3::smallint)) AS level(priority)
        CROSS JOIN LATERAL (
          SELECT o.id, o.due_at FROM outbox o
          WHERE o.topic = want.topic AND o.priority = level.priority AND ${isDue(clock)}
          ORDER BY o.due_at
          -- A constant for the planner: for a column it would expect a tenth of the topic.
          LIMIT ${Math.max(...topics.map(({ free }) => free))}
          FOR UPDATE SKIP LOCKED
        ) AS ready
        ORDER BY level.priority, ready.due_at
        LIMIT want.free
      ) AS of_topic
    )
    UPDATE outbox o SET due_at = ${clock.at(leaseMs)}, lease = gen_random_uuid(),
      first_due_at = least(coalesce(o.first_due_at, o.due_at), ${now})
    WHERE o.id = ANY (ARRAY(SELECT due.id FROM due))
    RETURNING o.id, o.topic, o.ref, o.payload, o.priority, o.attempts + 1 AS attempts, o.lease,
      o.outages, extract(epoch FROM ${now} - o.first_due_at)::float8 * 1000 AS age_ms
  `;
  return rows.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1));
}

/** Renews leases. → the ids of those still held; other workers have the others. */
export async function renewLeases(db: Db, held: readonly Lease[], clock: LeaseClock) {
  const rows = await many<{ id: bigint }>(db)`
    UPDATE outbox SET due_at = ${clock.at(LEASE_MS)} WHERE ${isHeld(held)} RETURNING id
  `;
  return new Set(rows.map(({ id }) => id));
}

/** Releases jobs that were not begun. */
export async function releaseJobs(db: Db, held: readonly Lease[], clock: LeaseClock) {
  if (held.length === 0) return;
  await sql`UPDATE outbox SET due_at = ${clock.at()}, lease = NULL WHERE ${isHeld(held)}`.execute(
    db,
  );
}

/** Deletes done jobs. One whose lease was lost meanwhile stays with its current worker. */
export async function finishJobs(db: Db, held: readonly Lease[]): Promise<void> {
  if (held.length === 0) return;
  await sql`DELETE FROM outbox WHERE ${isHeld(held)}`.execute(db);
}

/** The ids find the rows, the leases fence them: a lease is never used twice. */
function isHeld(held: readonly Lease[]) {
  return sql`id = ANY (${held.map(({ id }) => id)}::bigint[])
    AND lease = ANY (${held.map(({ lease }) => lease)}::uuid[]) AND failed_at IS NULL`;
}

/**
 * Deletes a job in the transaction of its work, so that a worker that dies afterwards leaves
 * nothing to repeat. False when another worker has done it.
 */
export async function takeJob(tx: Db, id: bigint): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM outbox WHERE id = ${id}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Deletes the jobs of a topic about these rows, whoever holds them. → the rows they were about */
export async function forgetJobs(tx: Db, topic: string, about: RawBuilder<unknown>) {
  const forgotten = await many<{ ref: bigint }>(tx)`
    DELETE FROM outbox WHERE topic = ${topic} AND ref IN (${about}) RETURNING ref
  `;
  return forgotten.map(({ ref }) => ref);
}

/** Postponed jobs; those held by a worker are running: made due, they would run twice. */
const putOff = (topics: readonly string[], about: RawBuilder<unknown>) =>
  sql`topic = ANY (${[...topics]}::text[]) AND ref IN (${about})
    AND first_due_at IS NOT NULL AND lease IS NULL`;

type Waking = {
  readonly topics: readonly string[];
  /** The rows the jobs are about. */
  readonly about: RawBuilder<unknown>;
  readonly now: Date;
};

/** What prevented these jobs is over: due now, as if they had never run; given-up ones too. */
export async function reviveJobs(db: Db, { topics, about, now }: Waking): Promise<void> {
  await sql`
    UPDATE outbox SET due_at = ${now}, failed_at = NULL, expired = false, first_due_at = ${now}
    WHERE ${putOff(topics, about)}
  `.execute(db);
}

/** Makes postponed jobs due now, of them those that meet `where`. */
export async function hastenJobs(
  db: Db,
  { topics, about, where, now }: Waking & { readonly where: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    UPDATE outbox SET due_at = ${now}
    WHERE ${putOff(topics, about)} AND failed_at IS NULL AND due_at > ${now} AND ${where}
  `.execute(db);
}

export type RunEnd = {
  /** "answer": the run counts as an attempt. "outage": it does not. */
  readonly by: "answer" | "outage";
  readonly error: string;
};

export async function postponeJob(
  db: Db,
  job: Lease,
  { by, error, afterMs, clock }: RunEnd & { afterMs: number; clock: LeaseClock },
): Promise<void> {
  await sql`
    UPDATE outbox SET due_at = ${clock.at(afterMs)}, lease = NULL, ${countRun(by)},
      last_error = ${redactError(error)}
    WHERE ${isHeld([job])}
  `.execute(db);
}

/** The job is not retried automatically: it failed, or it expired in an outage. */
export async function failJob(
  db: Db,
  job: Lease,
  { by, error, expired, clock }: RunEnd & { expired: boolean; clock: LeaseClock },
): Promise<void> {
  await sql`
    UPDATE outbox SET failed_at = ${clock.at()}, expired = ${expired}, lease = NULL,
      ${countRun(by)}, last_error = ${redactError(error)}
    WHERE ${isHeld([job])}
  `.execute(db);
}

function countRun(by: RunEnd["by"]) {
  return by === "answer" ? sql`attempts = attempts + 1, outages = 0` : sql`outages = outages + 1`;
}
