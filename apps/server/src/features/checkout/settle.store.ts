import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type SettledPayment = {
  readonly payment_id: bigint;
  readonly order_id: bigint;
  readonly outcome: "settled" | "surplus";
  readonly buyer_id: bigint;
  readonly seller_id: bigint;
  readonly title: string;
  readonly price: Fcfa;
  readonly net: Fcfa;
};

/**
 * Turns confirmed payments into money and access (database/migrations/0008-settlement), and wakes
 * the outbox (OUTBOX_CHANNEL) at the commit.
 */
export async function settlePayments(
  tx: Db,
  confirmed: readonly { paymentId: bigint; occurredAt: Date }[],
  now: Date,
): Promise<SettledPayment[]> {
  const { rows } = await sql<SettledPayment>`
    SELECT * FROM settle_payments(
      ${confirmed.map(({ paymentId }) => paymentId)}::bigint[],
      ${confirmed.map(({ occurredAt }) => occurredAt)}::timestamptz[],
      ${now}
    )
  `.execute(tx);
  return rows;
}

export type ChangedOrder = { readonly id: bigint; readonly buyer_id: bigint };

/**
 * Marks payments the provider refused, or that were given up, and fails the orders that have no
 * other payment to hope for. Never a paid one. → the orders that failed just now.
 */
export async function closePayments(
  tx: Db,
  paymentIds: readonly bigint[],
  change: { status: "refused" | "expired"; now: Date },
): Promise<ChangedOrder[]> {
  await lockOrdersOf(tx, paymentIds);
  await sql`
    UPDATE payments SET status = ${change.status}, decided_at = ${change.now}
    WHERE id = ANY(${[...paymentIds]}::bigint[]) AND status = 'pending'
  `.execute(tx);
  const { rows } = await sql<ChangedOrder>`
    UPDATE orders o SET status = 'failed'
    WHERE o.id IN (SELECT order_id FROM payments WHERE id = ANY(${[...paymentIds]}::bigint[]))
      AND o.status = 'pending'
      AND NOT EXISTS (SELECT FROM payments p
        WHERE p.order_id = o.id AND p.status IN ('pending', 'mismatched', 'paid'))
    RETURNING o.id, o.buyer_id
  `.execute(tx);
  return rows;
}

export type MismatchedPayment = {
  /** Since when; set by the first mismatch. */
  readonly mismatched_since: Date;
  readonly suspended_amount: Fcfa | null;
  readonly provider_account: bigint;
  readonly suspense_account: bigint;
};

/**
 * Notes that the provider says yes to something else than what was ordered: the order stays, or is
 * again, pending. Null when the payment was paid meanwhile.
 */
export async function noteMismatch(
  tx: Db,
  paymentId: bigint,
  now: Date,
): Promise<MismatchedPayment | null> {
  await lockOrdersOf(tx, [paymentId]);
  const { rows } = await sql<MismatchedPayment>`
    UPDATE payments p SET status = 'mismatched',
      mismatched_since = coalesce(p.mismatched_since, ${now})
    FROM ledger_accounts provider, ledger_accounts suspense
    WHERE p.id = ${paymentId} AND p.status <> 'paid'
      AND provider.key = 'provider:' || p.provider AND suspense.key = 'suspense'
    RETURNING p.mismatched_since, p.suspended_amount, provider.id AS provider_account,
      suspense.id AS suspense_account
  `.execute(tx);
  await sql`
    UPDATE orders o SET status = 'pending' FROM payments p
    WHERE p.id = ${paymentId} AND o.id = p.order_id AND o.status = 'failed'
      AND p.status = 'mismatched'
  `.execute(tx);
  return rows[0] ?? null;
}

export async function noteSuspended(tx: Db, paymentId: bigint, amount: Fcfa): Promise<void> {
  await sql`UPDATE payments SET suspended_amount = ${amount} WHERE id = ${paymentId}`.execute(tx);
}

/** Everybody who decides on a payment locks its order first, in id order. */
async function lockOrdersOf(tx: Db, paymentIds: readonly bigint[]): Promise<void> {
  await sql`
    SELECT FROM orders
    WHERE id IN (SELECT order_id FROM payments WHERE id = ANY(${[...paymentIds]}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE
  `.execute(tx);
}
