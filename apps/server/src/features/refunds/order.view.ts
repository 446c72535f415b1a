import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import type { ProviderId, Quote } from "@sesame/providers";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { IS_GIVEN_BACK, type PaymentDecision } from "../checkout/index.ts";

/** An order as a refund judges it. */
export type OrderToRefund = {
  readonly id: bigint;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  readonly direct: boolean;
  readonly title: string;
  readonly price: Fcfa;
  readonly fee: Fcfa;
  readonly duration_minutes: number;
  readonly access_until: Date | null;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly group_id: bigint | null;
  readonly group_title: string | null;
};

export async function findOrder(db: Db, orderId: bigint): Promise<OrderToRefund | null> {
  return maybe<OrderToRefund>(db)`
    SELECT o.id, o.kind, o.status, o.direct, o.title, o.price, o.fee, o.duration_minutes,
      o.access_until, o.buyer_id, o.seller_id, o.group_id, g.title AS group_title
    FROM orders o LEFT JOIN groups g ON g.id = o.group_id WHERE o.id = ${orderId}
  `;
}

/** A payment that was made, as its provider is asked about it. */
export type MadePayment = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly provider: ProviderId;
  readonly key_id: bigint | null;
  readonly provider_payment_id: string;
  readonly transaction_id: string | null;
  readonly reference: string;
  readonly amount: Fcfa;
  readonly quote: Quote | null;
  readonly heard: readonly string[];
  readonly payer_telegram_id: bigint;
  /** Francs that stand in suspense for it. */
  readonly suspended_amount: Fcfa | null;
  /** What came in, of what was not what was ordered. */
  readonly received: Fcfa | null;
  readonly decided_as: PaymentDecision;
  /** An operator counted what came in. */
  readonly counted: boolean;
  /** The desk was told that its provider took it back, and has not ended the matter. */
  readonly is_taken_back: boolean;
};

const PAYMENT = sql`
  SELECT p.id, p.order_id, p.provider, p.key_id, p.provider_payment_id, p.transaction_id,
    coalesce(p.reference, p.order_id::text) AS reference, p.amount, p.quote, p.suspended_amount,
    p.received, p.decided_as, p.counted,
    pe.telegram_id AS payer_telegram_id,
    EXISTS (SELECT FROM desk_alerts d WHERE d.kind = 'payment.refunded-there'
      AND d.subject = 'payment:' || p.id AND d.resolved_at IS NULL) AS is_taken_back,
    ARRAY(SELECT r.transaction_id FROM payment_rumours r WHERE r.payment_id = p.id
      ORDER BY r.heard_at) AS heard
  FROM payments p JOIN orders o ON o.id = p.order_id JOIN people pe ON pe.id = o.buyer_id
`;

/** The payment that paid an order, and was not given back with it: another one of it is a surplus, given back or about to be. */
export async function findPayingPayment(db: Db, orderId: bigint): Promise<MadePayment | null> {
  return maybe<MadePayment>(db)`
    ${PAYMENT} WHERE p.order_id = ${orderId} AND p.status = 'paid'
      AND NOT ${IS_GIVEN_BACK}
      AND o.status = 'paid'
      AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.kind = 'surplus')
      AND NOT EXISTS (SELECT FROM outbox j WHERE j.topic = 'refunds.surplus' AND j.ref = p.id)
    ORDER BY p.decided_at, p.id LIMIT 1
  `;
}

export async function findPayment(db: Db, paymentId: bigint): Promise<MadePayment | null> {
  return maybe<MadePayment>(db)`
    ${PAYMENT} WHERE p.id = ${paymentId} AND p.status = 'paid'
  `;
}

export type SellerStanding = { readonly closed: boolean; readonly frozen: boolean };

export async function findStanding(tx: Db, sellerId: bigint): Promise<SellerStanding> {
  const { rows } = await sql<SellerStanding>`
    SELECT s.closed_at IS NOT NULL AS closed, coalesce(f.frozen_at IS NOT NULL, false) AS frozen
    FROM sellers s LEFT JOIN payout_profiles f ON f.seller_id = s.id WHERE s.id = ${sellerId}
  `.execute(tx);
  return rows[0] ?? { closed: false, frozen: false };
}
