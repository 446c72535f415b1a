import type { OrderStatus } from "@sesame/contract/checkout";
import type { RefundKind, RefundLane, RefundStatus } from "@sesame/contract/refunds";
import { assert, type Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import type { PaymentDecision } from "../checkout/index.ts";
import type { OrderToRefund } from "./order.view.ts";

/**
 * Waits for whoever settles or refunds an order, or another one whose time hangs together with its:
 * all the buyer's in the group, or all his plans, in the order of their ids.
 */
export async function lockOrders(tx: Db, order: OrderToRefund): Promise<void> {
  await sql`
    SELECT FROM orders o WHERE o.buyer_id = ${order.buyer_id} AND o.kind = ${order.kind}
      AND o.group_id IS NOT DISTINCT FROM ${order.group_id}::bigint
    ORDER BY o.id FOR NO KEY UPDATE
  `.execute(tx);
}

export async function markRefunded(tx: Db, orderId: bigint): Promise<void> {
  await sql`UPDATE orders SET status = 'refunded' WHERE id = ${orderId}`.execute(tx);
}

export type NewRefund = {
  readonly kind: RefundKind;
  readonly orderId: bigint;
  readonly paymentId: bigint;
  readonly buyerId: bigint;
  readonly sellerId: bigint | null;
  readonly amount: Fcfa;
  readonly direct: boolean;
  readonly advanced: Fcfa;
  readonly askedBy: bigint | null;
  readonly askedAs: "seller" | "operator" | "system";
  readonly reason: string;
  readonly claimId: bigint | null;
  readonly lane: RefundLane;
};

/** Where a refund of this lane begins. */
export function firstStatus(lane: RefundLane): RefundStatus {
  switch (lane) {
    case "provider":
    // For an instant: it ends in the transaction that begins it.
    case "returned":
      return "sending";
    case "desk":
      return "needs-number";
    case "seller":
      return "to-pay";
  }
}

/** Null: this payment is given back already. */
export async function insertRefund(tx: Db, refund: NewRefund, now: Date): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO refunds (kind, order_id, payment_id, buyer_id, seller_id, amount, direct, advanced,
      asked_by, asked_as, reason, claim_id, lane, status, created_at)
    VALUES (${refund.kind}, ${refund.orderId}, ${refund.paymentId}, ${refund.buyerId},
      ${refund.sellerId}, ${refund.amount}, ${refund.direct}, ${refund.advanced},
      ${refund.askedBy}, ${refund.askedAs}, ${refund.reason}, ${refund.claimId}, ${refund.lane},
      ${firstStatus(refund.lane)}, ${now})
    ON CONFLICT (payment_id) DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

export type LockedRefund = {
  readonly id: bigint;
  readonly kind: RefundKind;
  readonly order_id: bigint;
  readonly payment_id: bigint;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly amount: Fcfa;
  readonly direct: boolean;
  readonly reason: string;
  readonly claim_id: bigint | null;
  readonly lane: RefundLane;
  readonly status: RefundStatus;
  readonly method: string | null;
  readonly phone: string | null;
  readonly taken_by: bigint | null;
  readonly taken_until: Date | null;
  readonly taker_name: string;
  readonly checks: number;
  readonly provider_fee: Fcfa;
  readonly order_kind: OrderToRefund["kind"];
  readonly order_status: OrderStatus;
  /** Of its payment: what came in more than was asked, where it was honoured. */
  readonly received_more: Fcfa;
  readonly decided_as: PaymentDecision;
  readonly title: string;
  readonly provider: string;
};

/** Waits for whoever changes it. */
export async function lockRefund(tx: Db, id: bigint): Promise<LockedRefund | null> {
  return maybe<LockedRefund>(tx)`
    SELECT r.id, r.kind, r.order_id, r.payment_id, r.buyer_id, r.seller_id, r.amount, r.direct,
      r.reason, r.claim_id, r.lane, r.status, r.method, r.phone, r.taken_by, r.taken_until,
      concat_ws(' ', who.first_name, who.last_name) AS taker_name, r.checks, r.provider_fee,
      coalesce(p.received - p.amount, 0)::bigint AS received_more, p.decided_as,
      o.kind AS order_kind, o.status AS order_status, o.title, p.provider
    FROM refunds r
    JOIN orders o ON o.id = r.order_id
    JOIN payments p ON p.id = r.payment_id
    LEFT JOIN people who ON who.id = r.taken_by
    WHERE r.id = ${id} FOR NO KEY UPDATE OF r
  `;
}

/** Those of an order its buyer's number is asked for, or may still be changed; locked. */
export async function lockNumberless(
  tx: Db,
  asked: { orderId: bigint; buyerId: bigint; now: Date },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT r.id FROM refunds r
    WHERE r.order_id = ${asked.orderId} AND r.buyer_id = ${asked.buyerId}
      AND r.lane IN ('desk', 'seller') AND r.status IN ('needs-number', 'to-pay')
      AND coalesce(r.taken_until <= ${asked.now}, true)
    ORDER BY r.id FOR NO KEY UPDATE
  `.execute(tx);
  return rows.map(({ id }) => id);
}

export async function writeNumber(
  tx: Db,
  id: bigint,
  number: { method: string; phone: string },
): Promise<void> {
  await sql`
    UPDATE refunds SET status = 'to-pay', method = ${number.method}, phone = ${number.phone},
      number_refused = NULL
    WHERE id = ${id}
  `.execute(tx);
}

/** The money cannot be sent there: the buyer is asked for another number. */
export async function refuseNumber(tx: Db, id: bigint, reason: string): Promise<void> {
  await sql`
    UPDATE refunds SET status = 'needs-number', method = NULL, phone = NULL,
      number_refused = ${reason}, taken_by = NULL, taken_until = NULL
    WHERE id = ${id}
  `.execute(tx);
}

export async function writeTaken(
  tx: Db,
  taken: { id: bigint; by: bigint; until: Date },
): Promise<void> {
  await sql`
    UPDATE refunds SET taken_by = ${taken.by}, taken_until = ${taken.until} WHERE id = ${taken.id}
  `.execute(tx);
}

/**
 * Before each question to the provider: who dies in it is known to have asked, and nobody else asks
 * until the lease ends. → false when somebody does, or it waits for nobody any more.
 */
export async function beginAsking(
  db: Db,
  id: bigint,
  asking: { now: Date; lease: Date; next: Date },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE refunds SET checks = checks + 1, check_at = ${asking.next}, asking_until = ${asking.lease}
    WHERE id = ${id} AND status = 'sending' AND (asking_until <= ${asking.now}) IS NOT false
    RETURNING id
  `.execute(db);
  return rows.length > 0;
}

/** Whoever comes next may ask. */
export async function endAsking(db: Db, id: bigint, lease: Date): Promise<void> {
  await sql`
    UPDATE refunds SET asking_until = NULL WHERE id = ${id} AND asking_until = ${lease}
  `.execute(db);
}

/** The provider does not give it back: somebody's hand must. Or it had given it back before. */
export async function changeLane(
  tx: Db,
  id: bigint,
  lane: Exclude<RefundLane, "provider">,
): Promise<void> {
  await sql`
    UPDATE refunds SET lane = ${lane}, status = ${firstStatus(lane)}, check_at = NULL,
      method = NULL, phone = NULL
    WHERE id = ${id}
  `.execute(tx);
}

export async function writeProviderFee(tx: Db, id: bigint, fee: Fcfa): Promise<void> {
  await sql`UPDATE refunds SET provider_fee = ${fee} WHERE id = ${id}`.execute(tx);
}

export type Done = { readonly reference: string | null; readonly by: bigint | null };

export async function markDone(tx: Db, id: bigint, done: Done & { now: Date }): Promise<void> {
  await sql`
    UPDATE refunds SET status = 'done', done_at = ${done.now}, check_at = NULL, taken_by = NULL,
      taken_until = NULL, operator_reference = ${done.reference}, paid_by = ${done.by}
    WHERE id = ${id}
  `.execute(tx);
}

/** Whether an operator's reference has proved another payment; who asks alike waits meanwhile. */
export async function isReferenceUsed(tx: Db, reference: string): Promise<boolean> {
  await sql`
    SELECT pg_advisory_xact_lock(1885434473, hashtext(upper(${reference}::text)))
  `.execute(tx);
  const { rows } = await sql`
    SELECT FROM payouts WHERE lane = 'manual' AND upper(operator_reference) = upper(${reference})
    UNION ALL
    SELECT FROM payouts WHERE settled_by IS NOT NULL AND operator_reference IS NOT NULL
      AND upper(operator_reference) = upper(${reference})
    UNION ALL
    SELECT FROM payouts WHERE return_reference IS NOT NULL
      AND upper(return_reference) = upper(${reference})
    UNION ALL
    SELECT FROM refunds WHERE operator_reference IS NOT NULL
      AND upper(operator_reference) = upper(${reference})
  `.execute(tx);
  return rows.length > 0;
}

/** Ends a matter of the desk by itself. */
export async function calmAlert(
  tx: Db,
  alert: { kind: string; subject: string },
  now: Date,
): Promise<void> {
  await sql`
    UPDATE desk_alerts SET resolved_at = ${now}
    WHERE kind = ${alert.kind} AND subject = ${alert.subject} AND resolved_at IS NULL
  `.execute(tx);
}

export async function raiseDelayed(
  db: Db,
  refund: { id: bigint; orderId: bigint; provider: string; amount: Fcfa; said: string },
  now: Date,
): Promise<void> {
  const { id, orderId, provider, amount, said } = refund;
  const details = { order_id: String(orderId), provider, amount: String(amount), word: said };
  await sql`
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    VALUES ('refund.delayed', ${`refund:${id}`}, ${JSON.stringify(details)}::jsonb, ${now})
    ON CONFLICT (kind, subject) DO NOTHING
  `.execute(db);
}

/** Takes back what a plan's order still gave. → the end of the seller's premium time, his plan. */
export async function shortenPremium(
  tx: Db,
  order: OrderToRefund,
  now: Date,
): Promise<{ until: Date | null; changed: boolean }> {
  assert(order.access_until, "a paid plan has its end");
  const { rows } = await sql<{ plan: string | null; until: Date | null }>`
    SELECT s.plan, s.premium_until - make_interval(secs => greatest(0, least(
      ${order.duration_minutes} * 60.0,
      extract(epoch FROM ${order.access_until}::timestamptz - ${now}::timestamptz)))::float8) AS until
    FROM sellers s WHERE s.id = ${order.buyer_id} FOR NO KEY UPDATE
  `.execute(tx);
  const { plan = null, until = null } = rows[0] ?? {};
  await sql`
    UPDATE orders SET access_until = access_until - make_interval(secs => greatest(0, least(
      ${order.duration_minutes} * 60.0,
      extract(epoch FROM ${order.access_until}::timestamptz - ${now}::timestamptz)))::float8)
    WHERE buyer_id = ${order.buyer_id} AND kind = 'plan' AND status = 'paid'
      AND id <> ${order.id} AND access_until > ${order.access_until}
  `.execute(tx);
  if (plan !== "premium" || until === null) return { until: null, changed: false };
  const ended = until <= now;
  await sql`
    SELECT plan_change(${order.buyer_id}, ${ended ? "free" : "premium"},
      ${ended ? null : until}, ${now})
  `.execute(tx);
  return { until: ended ? null : until, changed: true };
}
