import type { OrderKind } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, many, PREPARED } from "../../postgres/database.ts";
import { IS_GIVEN_BACK } from "./order.view.ts";

export type SettledPayment = {
  readonly payment_id: bigint;
  readonly order_id: bigint;
  readonly outcome: "settled" | "surplus";
  readonly buyer_id: bigint;
  /** Null for what the platform sells, and so is the next. */
  readonly seller_id: bigint | null;
  readonly title: string;
  readonly price: Fcfa;
  readonly net: Fcfa | null;
};

export type Settling = {
  readonly paymentId: bigint;
  readonly occurredAt: Date;
  /** What the provider keeps of it, in francs; null or absent: it does not say. */
  readonly cost?: Fcfa | null;
};

/** What settles the orders of a kind (`functions.sql` here and of plans). */
const SETTLEMENTS = {
  product: "settle_payments",
  donation: "settle_donations",
  plan: "settle_plan_payments",
  trial: "settle_plan_payments",
} as const satisfies Record<OrderKind, string>;

/**
 * Turns confirmed payments of orders of one kind into money and access, and wakes the outbox
 * (OUTBOX_CHANNEL) at the commit. Throws where one is not the price of its order: all stay as they were.
 */
export async function settle(
  tx: Db,
  kind: OrderKind,
  { confirmed, now }: { confirmed: readonly Settling[]; now: Date },
): Promise<SettledPayment[]> {
  const settlement = SETTLEMENTS[kind];
  const isOurs = settlement === SETTLEMENTS.plan;
  return many<SettledPayment>(tx)`${PREPARED}
    SELECT payment_id, order_id, outcome, buyer_id, title, price,
      ${isOurs ? sql`NULL::bigint` : sql`seller_id`} AS seller_id,
      ${isOurs ? sql`NULL::bigint` : sql`net`} AS net
    FROM ${sql.ref(settlement)}(
      ${confirmed.map(({ paymentId }) => paymentId)}::bigint[],
      ${confirmed.map(({ occurredAt }) => occurredAt)}::timestamptz[],
      ${now},
      ${confirmed.map(({ cost = null }) => cost)}::bigint[]
    )
  `;
}

/** Kept with the payments they were told for: a refund names them. */
export async function noteTransactionIds(
  tx: Db,
  payments: readonly { paymentId: bigint; transactionId?: string | null }[],
): Promise<void> {
  const named = payments.filter(({ transactionId = null }) => transactionId !== null);
  if (named.length === 0) return;
  await sql`
    UPDATE payments p SET transaction_id = named.transaction_id
    FROM unnest(
      ${named.map(({ paymentId }) => paymentId)}::bigint[],
      ${named.map(({ transactionId }) => transactionId)}::text[]
    ) AS named(payment_id, transaction_id)
    WHERE p.id = named.payment_id AND p.transaction_id IS NULL
  `.execute(tx);
}

export type SurplusPayment = {
  /** The payment under whose reference it came. */
  readonly paymentId: bigint;
  /** Theirs. */
  readonly transactionId: string;
  readonly amount: Fcfa;
};

/**
 * What was paid once more under the reference of a paid payment, as a payment of its own. Null when
 * it is known already, is the payment itself, or the payment beside it is not paid: then it is told
 * again with that one.
 */
export async function insertSurplus(
  tx: Db,
  beside: SurplusPayment,
  now: Date,
): Promise<bigint | null> {
  await lockOrdersOf(tx, [beside.paymentId]);
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO payments (order_id, provider, key_id, provider_payment_id, reference,
      checkout_url, return_secret_hash, amount, transaction_id, created_at)
    SELECT p.order_id, p.provider, p.key_id, ${beside.transactionId}, p.reference,
      -- Nobody holds its secret: there is no page of it.
      p.checkout_url, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), ${beside.amount},
      ${beside.transactionId}, ${now}
    FROM payments p
    WHERE p.id = ${beside.paymentId} AND p.status = 'paid'
      AND NOT ${IS_GIVEN_BACK}
      AND p.transaction_id IS DISTINCT FROM ${beside.transactionId}
    ON CONFLICT DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

/** It was given back, and this is another one: the desk's. */
export async function isBesideReturned(tx: Db, beside: SurplusPayment): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM payments p WHERE p.id = ${beside.paymentId} AND ${IS_GIVEN_BACK}
      AND p.transaction_id IS DISTINCT FROM ${beside.transactionId}
  `.execute(tx);
  return rows.length > 0;
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
  return many<ChangedOrder>(tx)`
    UPDATE orders o SET status = 'failed'
    WHERE o.id IN (SELECT order_id FROM payments WHERE id = ANY(${[...paymentIds]}::bigint[]))
      AND o.status = 'pending'
      AND NOT EXISTS (SELECT FROM payments p
        WHERE p.order_id = o.id AND p.status IN ('pending', 'mismatched'))
    RETURNING o.id, o.buyer_id
  `;
}

export type MismatchedPayment = {
  /** Since when; set by the first mismatch. */
  readonly mismatched_since: Date;
  readonly suspended_amount: Fcfa | null;
  /** It was none just now. */
  readonly is_new: boolean;
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
    WHERE p.id = ${paymentId} AND p.status <> 'paid'
    RETURNING p.mismatched_since, p.suspended_amount,
      (SELECT old.status <> 'mismatched' FROM payments old WHERE old.id = p.id) AS is_new
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
export async function lockOrdersOf(tx: Db, paymentIds: readonly bigint[]): Promise<void> {
  await sql`
    SELECT FROM orders
    WHERE id IN (SELECT order_id FROM payments WHERE id = ANY(${[...paymentIds]}::bigint[]))
    ORDER BY id FOR NO KEY UPDATE
  `.execute(tx);
}
