import { createHash } from "node:crypto";
import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";
import { assert, type Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";

export type NewOrder = {
  readonly kind: OrderKind;
  readonly buyerId: bigint;
  /** What is sold; null for a plan or a trial: the platform's. */
  readonly sold: SoldProduct | null;
  readonly title: string;
  readonly price: Fcfa;
  readonly fee: Fcfa;
  readonly durationMinutes: number;
  readonly provider: string;
  readonly key: IdempotencyKey | null;
  readonly reservedUntil: Date | null;
  readonly createdAt: Date;
};

export type SoldProduct = {
  readonly sellerId: bigint;
  readonly productId: bigint;
  /** Null for a donation. */
  readonly groupId: bigint | null;
};

export type IdempotencyKey = { readonly key: string; readonly content: string };

/** Null: another order has the key (written meanwhile). */
export async function insertOrder(tx: Db, order: NewOrder): Promise<bigint | null> {
  const { sold } = order;
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO orders (kind, buyer_id, seller_id, product_id, group_id, title, price, fee,
      duration_minutes, provider, idempotency_key, idempotency_hash, stock_reserved_until,
      created_at)
    VALUES (${order.kind}, ${order.buyerId}, ${sold?.sellerId ?? null},
      ${sold?.productId ?? null}, ${sold?.groupId ?? null}, ${order.title}, ${order.price}, ${order.fee}, ${order.durationMinutes}, ${order.provider},
      ${order.key?.key ?? null}, ${order.key ? hashOf(order.key.content) : null},
      ${order.reservedUntil}, ${order.createdAt})
    ON CONFLICT (buyer_id, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING
    RETURNING id
  `.execute(tx);
  return rows[0]?.id ?? null;
}

/** Makes the orders of one buyer for one thing take turns until the transaction ends. */
export async function lockBuyerAndSold(tx: Db, order: NewOrder): Promise<void> {
  const name = `order:${order.buyerId}:${order.sold?.productId ?? order.kind}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Makes the orders for one product with limited places take turns (decision 82). */
export async function lockPlaces(tx: Db, productId: bigint): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(${`places:${productId}`}, 0))
  `.execute(tx);
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
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  /** Null for what the platform sells. */
  readonly seller_id: bigint | null;
  readonly price: Fcfa;
  readonly title: string;
  readonly provider: string;
  readonly idempotency_hash: Buffer | null;
  /** The page of its newest payment, whatever became of it: an answer once given is given again. */
  readonly page: PaymentPage | null;
};

/** Where a payment is made; `widget` says that the page is ours. */
export type PaymentPage = {
  readonly url: string;
  readonly provider: string;
  readonly widget: boolean;
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
  order: NewOrder,
  since: Date,
): Promise<OrderToPay | null> {
  const where = sql`o.buyer_id = ${order.buyerId} AND o.kind = ${order.kind}
    AND o.product_id IS NOT DISTINCT FROM ${order.sold?.productId ?? null}
    AND o.provider = ${order.provider} AND o.price = ${order.price}
    AND o.duration_minutes = ${order.durationMinutes}
    AND o.status = 'pending' AND o.idempotency_key IS NULL AND o.created_at > ${since}`;
  const { rows } = await selectToPay(where).execute(tx);
  return rows[0] ?? null;
}

function selectToPay(where: ReturnType<typeof sql>) {
  return sql<OrderToPay>`
    SELECT o.id, o.kind, o.status, o.seller_id, o.price, o.title, o.provider, o.idempotency_hash, (
      SELECT jsonb_build_object('url', p.checkout_url, 'provider', p.provider,
        'widget', p.widget IS NOT NULL)
      FROM payments p WHERE p.order_id = o.id ORDER BY p.id DESC LIMIT 1
    ) AS page
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
