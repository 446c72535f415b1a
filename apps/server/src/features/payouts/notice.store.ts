import { sql } from "kysely";
import { type Db, many, PREPARED } from "../../postgres/database.ts";
import { PAYOUTS_CHANNEL } from "./payout.store.ts";

export type NewPayoutNotice = {
  readonly provider: string;
  readonly providerPayoutId: string | null;
  readonly handle: string | null;
  readonly reference: string | null;
  /** SHA-256 of the body as it came. */
  readonly bodyHash: Buffer;
  readonly body: Buffer;
  readonly receivedAt: Date;
};

/**
 * Stores a notice once by the hash of its body, and has the payout it speaks of looked up at once;
 * a repeated one too, while the money has never arrived. When none of ours bears that name, the name is kept: the provider is asked
 * whose it is. One being told to send is left alone: it is looked up right after.
 */
export async function storePayoutNotice(db: Db, notice: NewPayoutNotice): Promise<void> {
  const { provider, providerPayoutId, handle, reference, bodyHash, body, receivedAt } = notice;
  const name = providerPayoutId ?? handle;
  await sql`
    WITH stored AS (
      INSERT INTO payout_notices (provider, body_hash, body, received_at)
      VALUES (${provider}, ${bodyHash}, ${body}, ${receivedAt})
      ON CONFLICT DO NOTHING RETURNING provider
    ), ours AS (
      SELECT id FROM payouts WHERE lane = ${provider} AND (
        provider_payout_id = ${providerPayoutId} OR handle = ${handle}
        OR (reference = ${reference} AND ${name}::text IS NULL))
    ), pulled AS (
      UPDATE payouts p SET check_at = ${receivedAt} FROM ours
      WHERE p.id = ours.id AND p.status IN ('uncertain', 'sent', 'failed', 'succeeded')
        AND (p.status <> 'succeeded' AND p.late_at IS NULL OR EXISTS (SELECT FROM stored))
        AND (p.check_at > ${receivedAt} OR p.check_at IS NULL)
    ), heard AS (
      INSERT INTO payout_rumours AS r (provider, name, is_handle, heard_at, check_at)
      SELECT ${provider}, ${name}, ${providerPayoutId === null}, ${receivedAt}::timestamptz,
        ${receivedAt}::timestamptz
      WHERE ${name}::text IS NOT NULL AND NOT EXISTS (SELECT FROM ours)
      ON CONFLICT (provider, name) DO UPDATE SET check_at = excluded.check_at, checks = 0,
        heard_at = excluded.heard_at
    )
    SELECT pg_notify(${PAYOUTS_CHANNEL}, '')
  `.execute(db);
}

/** Deletes a batch of stored webhooks that came before. → how many */
export async function prunePayoutNotices(
  db: Db,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`${PREPARED}
    WITH old AS (
      SELECT provider, body_hash FROM payout_notices WHERE received_at < ${before}
      LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM payout_notices n USING old
      WHERE n.provider = old.provider AND n.body_hash = old.body_hash RETURNING 1
    )
    SELECT count(*)::int AS count FROM gone
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export type Rumour = {
  readonly provider: string;
  readonly name: string;
  readonly is_handle: boolean;
  readonly heard_at: Date;
  readonly checks: number;
};

export async function claimRumours(
  db: Db,
  claim: { now: Date; leaseEnd: Date; limit: number },
): Promise<Rumour[]> {
  return many<Rumour>(db)`${PREPARED}
    UPDATE payout_rumours r SET check_at = ${claim.leaseEnd}, checks = r.checks + 1
    FROM (
      SELECT provider, name FROM payout_rumours WHERE check_at <= ${claim.now}
      ORDER BY check_at LIMIT ${claim.limit} FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE r.provider = due.provider AND r.name = due.name
    RETURNING r.provider, r.name, r.is_handle, r.heard_at, r.checks
  `;
}

/** `checkAt` null: known, or nobody's. */
export async function endRumour(
  db: Db,
  rumour: Rumour,
  end: { lease: Date; checkAt: Date | null; outcome: string },
): Promise<void> {
  await sql`
    UPDATE payout_rumours SET check_at = ${end.checkAt}, outcome = ${end.outcome}
    WHERE provider = ${rumour.provider} AND name = ${rumour.name} AND check_at = ${end.lease}
  `.execute(db);
}

/** Ours, by the name the provider tells it under; the reference is the one we gave. */
export async function findNamed(
  db: Db,
  named: {
    lane: string;
    reference: string | null;
    providerPayoutId: string | null;
    handle: string | null;
  },
): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM payouts WHERE lane = ${named.lane} AND (
      reference = ${named.reference} OR provider_payout_id = ${named.providerPayoutId}
      OR handle = ${named.handle})
    LIMIT 1
  `.execute(db);
  return rows[0]?.id ?? null;
}
