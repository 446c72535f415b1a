import { createHash } from "node:crypto";
import { addMs, assert, type Fcfa } from "@sesame/kernel";
import { ASKED_FOR_MS, askAfterMs } from "@sesame/contract/checkout";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type NewOrder = {
  readonly buyerId: bigint;
  readonly sellerId: bigint;
  readonly productId: bigint;
  readonly groupId: bigint;
  readonly title: string;
  readonly price: Fcfa;
  readonly fee: Fcfa;
  readonly durationMinutes: number;
  readonly provider: string;
  readonly key: IdempotencyKey | null;
  readonly reservedUntil: Date | null;
  readonly createdAt: Date;
};

export type IdempotencyKey = { readonly key: string; readonly content: string };

/** Null: another order has the key (written meanwhile). */
export async function insertOrder(tx: Db, order: NewOrder): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, title, price, fee,
      duration_minutes, provider, idempotency_key, idempotency_hash, stock_reserved_until,
      created_at)
    VALUES ('product', ${order.buyerId}, ${order.sellerId}, ${order.productId}, ${order.groupId},
      ${order.title}, ${order.price}, ${order.fee}, ${order.durationMinutes}, ${order.provider},
      ${order.key?.key ?? null}, ${order.key ? hashOf(order.key.content) : null},
      ${order.reservedUntil}, ${order.createdAt})
    ON CONFLICT (buyer_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

/** Makes the orders of one buyer for one product take turns until the transaction ends. */
export async function lockBuyerAndProduct(
  tx: Db,
  buyerId: bigint,
  productId: bigint,
): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`order:${buyerId}:${productId}`}, 0))
  `.execute(tx);
}

/** Makes the orders for one product with limited places take turns (decision 82). */
export async function lockPlaces(tx: Db, productId: bigint): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`places:${productId}`}, 0))
  `.execute(tx);
}

export type NewPayment = {
  readonly orderId: bigint;
  readonly provider: string;
  readonly providerPaymentId: string;
  readonly checkoutUrl: string;
  readonly returnSecret: string;
  readonly amount: Fcfa;
  readonly createdAt: Date;
};

/** Writes a payment the provider has made, and when to ask about it first. */
export async function insertPayment(db: Db, payment: NewPayment): Promise<void> {
  const { createdAt } = payment;
  await sql`
    WITH made AS (
      INSERT INTO payments (order_id, provider, provider_payment_id, checkout_url,
        return_secret_hash, amount, created_at)
      VALUES (${payment.orderId}, ${payment.provider}, ${payment.providerPaymentId},
        ${payment.checkoutUrl}, ${hashOf(payment.returnSecret)}, ${payment.amount}, ${createdAt})
      RETURNING id
    )
    INSERT INTO payment_checks (payment_id, due_at, give_up_at)
    SELECT id, ${addMs(createdAt, askAfterMs(0))}, ${addMs(createdAt, ASKED_FOR_MS)} FROM made
  `.execute(db);
}

/**
 * The provider refused the payment: the order holds no place, and its key may be judged anew. One
 * that has a payment after all is left alone.
 */
export async function abandonOrder(db: Db, orderId: bigint): Promise<void> {
  await sql`
    UPDATE orders o SET status = 'failed', stock_reserved_until = NULL,
      idempotency_key = NULL, idempotency_hash = NULL
    WHERE o.id = ${orderId} AND o.status = 'pending'
      AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id)
  `.execute(db);
}

export type OrderToPay = {
  readonly id: bigint;
  readonly status: "pending" | "paid" | "failed" | "refunded";
  readonly price: Fcfa;
  readonly title: string;
  readonly provider: string;
  readonly idempotency_hash: Buffer | null;
  /** The page of its newest payment, whatever became of it: an answer once given is given again. */
  readonly checkout_url: string | null;
};

export async function findOrderToPay(db: Db, orderId: bigint): Promise<OrderToPay> {
  const { rows } = await selectToPay(sql`o.id = ${orderId}`).execute(db);
  assert(rows[0], `no order ${orderId}`);
  return rows[0];
}

export async function findOrderByKey(
  db: Db,
  buyerId: bigint,
  key: string,
): Promise<OrderToPay | null> {
  const where = sql`o.buyer_id = ${buyerId} AND o.idempotency_key = ${key}`;
  const { rows } = await selectToPay(where).execute(db);
  return rows[0] ?? null;
}

/** The same purchase, just tapped: same buyer, product, provider and terms, still to be paid. */
export async function findFreshOrder(
  tx: Db,
  order: Pick<NewOrder, "buyerId" | "productId" | "provider" | "price" | "durationMinutes">,
  since: Date,
): Promise<OrderToPay | null> {
  const where = sql`o.buyer_id = ${order.buyerId} AND o.product_id = ${order.productId}
    AND o.provider = ${order.provider} AND o.price = ${order.price}
    AND o.duration_minutes = ${order.durationMinutes}
    AND o.status = 'pending' AND o.idempotency_key IS NULL AND o.created_at > ${since}`;
  const { rows } = await selectToPay(where).execute(tx);
  return rows[0] ?? null;
}

function selectToPay(where: ReturnType<typeof sql>) {
  return sql<OrderToPay>`
    SELECT o.id, o.status, o.price, o.title, o.provider, o.idempotency_hash, (
      SELECT p.checkout_url FROM payments p WHERE p.order_id = o.id ORDER BY p.id DESC LIMIT 1
    ) AS checkout_url
    FROM orders o WHERE ${where} ORDER BY o.id DESC LIMIT 1
  `;
}

export function isSameContent(order: OrderToPay, key: IdempotencyKey): boolean {
  return order.idempotency_hash?.equals(hashOf(key.content)) ?? false;
}

/** Secrets and contents are kept as hashes only. */
export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

export async function raiseAlert(
  db: Db,
  alert: { kind: string; subject: string; details: Record<string, unknown>; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO desk_alerts (kind, subject, details, created_at)
    VALUES (${alert.kind}, ${alert.subject}, ${JSON.stringify(alert.details)}, ${alert.now})
    ON CONFLICT (kind, subject) DO NOTHING
  `.execute(db);
}
