import { NAMES_HEARD_MAX } from "@sesame/contract/checkout";
import { addMs, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, PREPARED } from "../../postgres/database.ts";

export type NewNotice = {
  readonly provider: string;
  /** Whose account it came to; null: the instance's. Only payments of that one are woken. */
  readonly keyId: bigint | null;
  readonly providerPaymentId: string | null;
  /** A name of theirs it gives for that payment. */
  readonly heard: string | null;
  /** SHA-256 of the body as it came, in hex. */
  readonly bodyHash: string;
  /** What is kept of it. */
  readonly body: Buffer;
  readonly receivedAt: Date;
};

/** Says that questions are due at once. */
export const CHECKS_CHANNEL = "sesame_checks";

/** Beyond what a browser may tell, so that it cannot keep a notice's name out. */
export const NAMES_KEPT = 2 * NAMES_HEARD_MAX;

/**
 * When a question `c` is due of which more was said, `excluded`: at once, and always at another instant
 * than before, whatever the clock. Who asks it now, in a lease that is over even, has not the last word.
 */
export const MOVED = sql`least(c.due_at - interval '1 microsecond', excluded.due_at)`;

/** A payment given up is asked about for this long again when a notice speaks of it. */
export const REOPENED_FOR_MS = DAY_MS;

/**
 * Stores notices once by provider and hash of their body, and makes the question about each payment
 * due at once: while it is not paid a repeated notice does too, since two failed attempts say the same
 * words; once it is paid, only new words do.
 * One statement, so one round trip and one commit, whatever the number.
 */
export async function storeNotices(db: Db, notices: readonly NewNotice[]): Promise<void> {
  const hashes = notices.map(({ bodyHash }) => bodyHash);
  const now = new Date(Math.max(...notices.map(({ receivedAt }) => receivedAt.getTime())));
  // Only KkiaPay's give a name: the others' statement is spared the look.
  const told = notices.some(({ heard }) => heard !== null)
    ? sql`told AS (
      INSERT INTO payment_rumours (payment_id, transaction_id, heard_at)
      SELECT w.id, w.heard, ${now}::timestamptz FROM woken w
      WHERE w.heard IS NOT NULL AND (SELECT count(*) FROM payment_rumours r
        WHERE r.payment_id = w.id) < ${NAMES_KEPT}
      ORDER BY w.id, w.heard
      ON CONFLICT DO NOTHING
    ),`
    : sql``;
  await sql`
    WITH came AS MATERIALIZED (
      SELECT * FROM unnest(
        ${notices.map(({ provider }) => provider)}::text[],
        ${byteaArray(hashes)}::bytea[],
        ${notices.map(({ providerPaymentId }) => providerPaymentId)}::text[],
        ${byteaArray(notices.map(({ body }) => body.toString("hex")))}::bytea[],
        ${notices.map(({ keyId }) => keyId)}::bigint[],
        ${notices.map(({ heard }) => heard)}::text[]
      ) AS u(provider, body_hash, provider_payment_id, body, key_id, heard)
    ), stored AS (
      INSERT INTO provider_notices
        (provider, body_hash, provider_payment_id, body, received_at, key_id)
      SELECT provider, body_hash, provider_payment_id, ${bodyToKeep(notices)}, ${now}::timestamptz, key_id
      FROM came ORDER BY provider, body_hash
      ON CONFLICT DO NOTHING
      RETURNING provider, body_hash
    ), woken AS MATERIALIZED (
      SELECT DISTINCT p.id, came.heard
      FROM came CROSS JOIN LATERAL (
        -- A subquery that stays one: each notice looks its payment up, whatever the table's size.
        SELECT known.id, known.status, known.transaction_id FROM payments known
        WHERE known.provider = came.provider
          AND known.provider_payment_id = came.provider_payment_id
          AND coalesce(known.key_id, 0) = coalesce(came.key_id, 0)
        LIMIT 1
      ) AS p
      -- A paid one may have been paid again, under another name of theirs, or taken back.
      WHERE p.status <> 'paid' OR EXISTS (SELECT FROM stored
          WHERE stored.provider = came.provider AND stored.body_hash = came.body_hash)
        OR (came.heard IS NOT NULL AND came.heard IS DISTINCT FROM p.transaction_id
          AND NOT EXISTS (SELECT FROM payment_rumours r
            WHERE r.payment_id = p.id AND r.transaction_id = came.heard))
    ), ${told} pulled AS (
      INSERT INTO payment_checks AS c (payment_id, due_at, give_up_at, reported)
      SELECT DISTINCT w.id, ${now}::timestamptz, ${addMs(now, REOPENED_FOR_MS)}::timestamptz, true
      FROM woken w
      ORDER BY w.id
      ON CONFLICT (payment_id) DO UPDATE SET due_at = ${MOVED}, reported = true
      RETURNING 1
    )
    SELECT pg_notify(${CHECKS_CHANNEL}, '') WHERE EXISTS (SELECT FROM pulled)
  `.execute(db);
}

/** As long as a payment is argued about: complaints, and what a bank takes back. */
export const WEBHOOKS_KEPT_MS = 90 * DAY_MS;
/** What names no payment of the seller's account it came to is only known again for so long. */
export const UNMATCHED_KEPT_MS = DAY_MS;

/** Deletes a batch of stored webhooks that are too old. → how many */
export async function pruneNotices(
  db: Db,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`${PREPARED}
    WITH aged AS (
      SELECT provider, body_hash FROM provider_notices
      WHERE received_at < ${addMs(now, -WEBHOOKS_KEPT_MS)}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), unmatched AS (
      SELECT provider, body_hash FROM provider_notices
      WHERE key_id IS NOT NULL AND body = '' AND received_at < ${addMs(now, -UNMATCHED_KEPT_MS)}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), old AS (
      SELECT provider, body_hash FROM aged UNION SELECT provider, body_hash FROM unmatched
    ), gone AS (
      DELETE FROM provider_notices n USING old
      WHERE n.provider = old.provider AND n.body_hash = old.body_hash RETURNING 1
    )
    SELECT count(*)::int AS count FROM gone
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Of a seller's own account, whose secret the seller knows: what names no payment of it is not kept whole. */
function bodyToKeep(notices: readonly NewNotice[]) {
  if (notices.every(({ keyId }) => keyId === null)) return sql`body`;
  return sql`CASE WHEN key_id IS NULL OR EXISTS (
    SELECT FROM payments named WHERE named.provider = came.provider
      AND named.provider_payment_id = came.provider_payment_id AND named.key_id = came.key_id
  ) THEN body ELSE '' END`;
}

/** An array of bytea written as PostgreSQL reads it: the driver's own way costs twice the insert. */
function byteaArray(hexes: readonly string[]): string {
  return `{${hexes.map((hex) => `"\\\\x${hex}"`).join(",")}}`;
}
