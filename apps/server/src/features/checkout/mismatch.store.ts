import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import { assert, type Fcfa, fcfa } from "@sesame/kernel";
import { post } from "@sesame/ledger";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { lockOrdersOf } from "./settle.store.ts";

/** A payment its provider says yes to, of something else than what was ordered. */
export type Mismatched = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly kind: OrderKind;
  readonly order_status: OrderStatus;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly amount: Fcfa;
  readonly direct: boolean;
  readonly suspended: Fcfa | null;
  readonly since: Date;
  /** The provider has returned a part of it. */
  readonly is_part: boolean;
  /** What the provider said came in; null: it did not say, or has returned a part of it. */
  readonly told: Fcfa | null;
  /** By what a refund names it. */
  readonly transaction: string | null;
};

/** Its order locked, and its matter of the desk ended; null: it waits for no decision. */
export async function lockMismatch(tx: Db, id: bigint, now: Date): Promise<Mismatched | null> {
  await lockOrdersOf(tx, [id]);
  const { rows } = await sql<Mismatched>`
    WITH ended AS (
      UPDATE desk_alerts SET resolved_at = coalesce(resolved_at, ${now})
      WHERE kind = 'payment.mismatch' AND subject = 'payment:' || ${id}::bigint
      RETURNING (details->>'received')::bigint AS received, details->>'transaction' AS transaction,
        details->>'reason' = 'partly-refunded' AS is_part
    )
    SELECT p.id, p.order_id, o.kind, o.status AS order_status, o.buyer_id, o.seller_id, p.amount,
      p.key_id IS NOT NULL AS direct, p.suspended_amount AS suspended,
      p.mismatched_since AS since, e.transaction,
      e.is_part IS true AS is_part,
      CASE WHEN e.is_part IS NOT true THEN coalesce(p.suspended_amount, nullif(e.received, 0)) END
        AS told
    FROM payments p JOIN orders o ON o.id = p.order_id LEFT JOIN ended e ON true
    WHERE p.id = ${id} AND p.status = 'mismatched'
  `.execute(tx);
  return rows[0] ?? null;
}

export async function writeReceived(
  tx: Db,
  id: bigint,
  { received, isCounted }: { received: Fcfa; isCounted: boolean },
): Promise<void> {
  await sql`
    UPDATE payments SET received = ${received}, decided_as = 'honoured', counted = ${isCounted}
    WHERE id = ${id}
  `.execute(tx);
}

/** One transfer, which must be new: its order is locked, and its payment was undecided. */
export async function move(
  tx: Db,
  id: string,
  of: { readonly from: bigint; readonly to: bigint; readonly amount: Fcfa; readonly now: Date },
): Promise<void> {
  const legs = [
    { account: of.from, amount: fcfa(-of.amount) },
    { account: of.to, amount: of.amount },
  ];
  const [outcome] = await post(tx, [{ id, legs, occurredAt: of.now }], of.now);
  assert(outcome === "posted", `the transfer ${id} was ${outcome}`);
}

export type MismatchAccounts = {
  readonly provider: bigint;
  readonly suspense: bigint;
  readonly mismatches: bigint;
};

export async function findAccounts(tx: Db, paymentId: bigint): Promise<MismatchAccounts> {
  const { rows } = await sql<MismatchAccounts>`
    SELECT provider.id AS provider, suspense.id AS suspense, mismatches.id AS mismatches
    FROM payments p
    JOIN ledger_accounts provider ON provider.key = 'provider:' || p.provider
    JOIN ledger_accounts suspense ON suspense.key = 'suspense'
    JOIN ledger_accounts mismatches ON mismatches.key = 'platform:mismatches'
    WHERE p.id = ${paymentId}
  `.execute(tx);
  const [found] = rows;
  if (!found) throw new Error(`the payment ${paymentId} has its accounts`);
  return found;
}

/**
 * Money that came in and paid nothing: its order waits for another payment, or fails, and the desk for
 * the money to be given back. It is asked about once more, for what was paid beside it. → whether the
 * order failed
 */
export async function closeMismatch(
  tx: Db,
  id: bigint,
  closed: { received: Fcfa; isCounted: boolean; now: Date },
): Promise<boolean> {
  const { received, isCounted, now } = closed;
  if (received === 0n) {
    await sql`
      UPDATE payments SET status = 'expired', decided_at = ${now}, mismatched_since = NULL
      WHERE id = ${id}
    `.execute(tx);
    await sql`DELETE FROM payment_checks WHERE payment_id = ${id}`.execute(tx);
  } else {
    await sql`
      UPDATE payments SET status = 'paid', decided_at = ${now}, received = ${received},
        decided_as = 'given-back', counted = ${isCounted}
      WHERE id = ${id}
    `.execute(tx);
    await sql`UPDATE payment_checks SET due_at = ${now} WHERE payment_id = ${id}`.execute(tx);
    await sql`
      INSERT INTO desk_alerts AS d (kind, subject, details, created_at)
      SELECT 'payment.surplus', 'payment:' || p.id, jsonb_build_object('order_id', p.order_id,
        'provider', p.provider, 'provider_payment_id', p.provider_payment_id, 'amount', p.received),
        ${now}
      FROM payments p WHERE p.id = ${id}
      ON CONFLICT (kind, subject) DO NOTHING
    `.execute(tx);
  }
  const { rows } = await sql`
    UPDATE orders o SET status = 'failed' FROM payments p
    WHERE p.id = ${id} AND o.id = p.order_id AND o.status = 'pending' AND NOT EXISTS (
      SELECT FROM payments q WHERE q.order_id = o.id AND q.status IN ('pending', 'mismatched'))
    RETURNING o.id
  `.execute(tx);
  return rows.length > 0;
}
