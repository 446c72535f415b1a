import type { listStaffJobs } from "@sesame/contract/back-office";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { type Db, many } from "../postgres/database.ts";
import type { LeaseClock } from "./leases.ts";
import { redactError } from "../secrets/redact-secrets.ts";
import { retryUpdates } from "../bot/updates.store.ts";
import { OUTBOX_CHANNEL } from "./outbox.store.ts";

/** A job, or a Telegram update, that is not retried automatically. */
const FAILED: RawBuilder<unknown> = sql`(
  SELECT 'job:' || id AS id, topic, ref, expired, attempts, outages, first_due_at AS due_since,
    failed_at, coalesce(last_error, '') AS error
  FROM outbox WHERE failed_at IS NOT NULL
  UNION ALL
  SELECT 'update:' || bot || ':' || update_id, 'telegram.' || bot, update_id,
    starts_with(last_error, 'expired: '), attempts, outages, received_at, handled_at, last_error
  FROM telegram_updates WHERE handled_at IS NOT NULL AND last_error IS NOT NULL
)`;

type Listed = z.output<typeof listStaffJobs.answer>;
type FailedTopic = Omit<Listed["topics"][number], "label"> & { readonly oldest_at: Date };
type FailedJob = Omit<Listed["jobs"][number], "label"> & { readonly failed_at: Date };

/** Failed and expired jobs of each topic, with the newest error. */
export async function listFailedTopics(db: Db) {
  const rows = await many<FailedTopic>(db)`
    SELECT topic, count(*) FILTER (WHERE NOT expired)::int AS failed,
      count(*) FILTER (WHERE expired)::int AS expired, min(failed_at) AS oldest_at,
      (array_agg(error ORDER BY failed_at DESC))[1] AS error
    FROM ${FAILED} AS f GROUP BY topic ORDER BY topic
  `;
  return rows.map((row) => ({ ...row, error: redactError(row.error) }));
}

/** The newest first, after a cursor (the last one's time and key). */
export async function listFailedJobs(
  db: Db,
  page: { topic: string | null; after: { at: Date; key: string } | null; limit: number },
) {
  const { topic, after, limit } = page;
  const rows = await many<FailedJob>(db)`
    SELECT id, topic, ref, CASE WHEN expired THEN 'expired' ELSE 'failed' END AS state, attempts,
      outages, due_since, failed_at, error
    FROM ${FAILED} AS f
    WHERE (${topic}::text IS NULL OR topic = ${topic})
      AND (${after?.at ?? null}::timestamptz IS NULL
        OR (date_trunc('milliseconds', failed_at), id) < (${after?.at ?? null}, ${after?.key ?? ""}))
    ORDER BY date_trunc('milliseconds', failed_at) DESC, id DESC LIMIT ${limit}
  `;
  return rows.map((row) => ({ ...row, error: redactError(row.error) }));
}

/**
 * Makes failed and expired jobs due again, as if they had never run: one by its key, those of a
 * topic, or all. → how many.
 */
export async function retryFailed(
  db: Db,
  choice: { readonly id?: string | undefined; readonly topic?: string | undefined },
  clock: LeaseClock,
): Promise<number> {
  const { id: key = null, topic = null } = choice;
  const isChosen: Chosen = (keyOf, topicOf) =>
    sql`(${key}::text IS NULL OR ${keyOf} = ${key}) AND (${topic}::text IS NULL OR ${topicOf} = ${topic})`;
  const jobs = await many<{ topic: string }>(db)`
    UPDATE outbox SET failed_at = NULL, expired = false, due_at = ${clock.at()}, lease = NULL,
      attempts = 0, outages = 0, first_due_at = NULL
    WHERE failed_at IS NOT NULL AND ${isChosen(sql`'job:' || id`, sql`topic`)}
    RETURNING topic
  `;
  for (const woken of new Set(jobs.map((job) => job.topic))) {
    await sql`SELECT pg_notify(${OUTBOX_CHANNEL}, ${woken})`.execute(db);
  }
  return jobs.length + (await retryUpdates(db, isChosen, clock));
}

/** The condition for the chosen rows, from the SQL of their key and topic. */
export type Chosen = (
  keyOf: RawBuilder<unknown>,
  topicOf: RawBuilder<unknown>,
) => RawBuilder<unknown>;
