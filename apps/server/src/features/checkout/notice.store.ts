import { createHash } from "node:crypto";
import { addMs, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type NewNotice = {
  readonly provider: string;
  readonly providerPaymentId: string | null;
  readonly body: Buffer;
  readonly receivedAt: Date;
};

/** Says that questions are due at once. */
export const CHECKS_CHANNEL = "sesame_checks";

/** A payment given up is asked about for this long again when a notice speaks of it. */
const REOPENED_FOR_MS = DAY_MS;

/**
 * Stores notices once by provider and hash of their body, and makes the question about each payment
 * not yet paid due at once: a repeated notice too, since two failed attempts say the same words.
 * One statement, so one round trip and one commit, whatever the number.
 */
export async function storeNotices(db: Db, notices: readonly NewNotice[]): Promise<void> {
  const hashes = notices.map(({ body }) => createHash("sha256").update(body).digest("hex"));
  const now = notices.reduce(
    (latest, { receivedAt }) => (receivedAt > latest ? receivedAt : latest),
    new Date(0),
  );
  await sql`
    WITH came AS MATERIALIZED (
      SELECT * FROM unnest(
        ${notices.map(({ provider }) => provider)}::text[],
        ${byteaArray(hashes)}::bytea[],
        ${notices.map(({ providerPaymentId }) => providerPaymentId)}::text[],
        ${byteaArray(notices.map(({ body }) => body.toString("hex")))}::bytea[]
      ) AS u(provider, body_hash, provider_payment_id, body)
    ), stored AS (
      INSERT INTO provider_notices (provider, body_hash, provider_payment_id, body, received_at)
      SELECT provider, body_hash, provider_payment_id, body, ${now}::timestamptz
      FROM came ORDER BY provider, body_hash
      ON CONFLICT DO NOTHING
    ), pulled AS (
      INSERT INTO payment_checks AS c (payment_id, due_at, give_up_at)
      SELECT DISTINCT p.id, ${now}::timestamptz, ${addMs(now, REOPENED_FOR_MS)}::timestamptz
      FROM came CROSS JOIN LATERAL (
        -- A subquery that stays one: each notice looks its payment up, whatever the table's size.
        SELECT known.id, known.status FROM payments known
        WHERE known.provider = came.provider
          AND known.provider_payment_id = came.provider_payment_id
        LIMIT 1
      ) AS p
      WHERE p.status <> 'paid'
      ORDER BY p.id
      ON CONFLICT (payment_id) DO UPDATE SET due_at = excluded.due_at
      WHERE c.due_at > excluded.due_at
      RETURNING 1
    )
    SELECT pg_notify(${CHECKS_CHANNEL}, '') WHERE EXISTS (SELECT FROM pulled)
  `.execute(db);
}

/** An array of bytea written as PostgreSQL reads it: the driver's own way costs twice the insert. */
function byteaArray(hexes: readonly string[]): string {
  return `{${hexes.map((hex) => `"\\\\x${hex}"`).join(",")}}`;
}
