import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";

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
  readonly attempts: number;
};

export const OUTBOX_CHANNEL = "sesame_outbox";

/** Writes jobs in the transaction that decided them, and wakes the workers at its commit. */
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
  await sql`SELECT pg_notify(${OUTBOX_CHANNEL}, '')`.execute(tx);
}

/** Takes due jobs of one topic for `leaseMs`; a worker that dies gives them back by then. */
export async function claimJobs(
  db: Db,
  claim: { topic: string; limit: number; now: Date; leaseMs: number },
): Promise<Job[]> {
  const leaseEnd = new Date(claim.now.getTime() + claim.leaseMs);
  const { rows } = await sql<Job>`
    UPDATE outbox SET due_at = ${leaseEnd}, attempts = attempts + 1
    WHERE id IN (
      SELECT id FROM outbox
      WHERE topic = ${claim.topic} AND failed_at IS NULL AND due_at <= ${claim.now}
      ORDER BY priority, due_at
      LIMIT ${claim.limit}
      FOR UPDATE SKIP LOCKED
    )
    RETURNING id, topic, ref, payload, attempts
  `.execute(db);
  return rows;
}

export async function finishJobs(db: Db, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`DELETE FROM outbox WHERE id = ANY(${ids}::bigint[])`.execute(db);
}

/**
 * Forgets a job in the transaction that does it, so that who dies after it leaves nothing to do
 * again. False when another worker has done it.
 */
export async function takeJob(tx: Db, id: bigint): Promise<boolean> {
  const { numAffectedRows } = await sql`DELETE FROM outbox WHERE id = ${id}`.execute(tx);
  return numAffectedRows === 1n;
}

export async function postponeJob(
  db: Db,
  job: { id: bigint; dueAt: Date; error: string },
): Promise<void> {
  await sql`
    UPDATE outbox SET due_at = ${job.dueAt}, last_error = ${job.error} WHERE id = ${job.id}
  `.execute(db);
}

export async function failJob(
  db: Db,
  job: { id: bigint; now: Date; error: string },
): Promise<void> {
  await sql`
    UPDATE outbox SET failed_at = ${job.now}, last_error = ${job.error} WHERE id = ${job.id}
  `.execute(db);
}
