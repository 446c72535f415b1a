import { createHash } from "node:crypto";
import {
  type OrderKind,
  type OrderStatus,
  PAYMENTS_PER_ORDER_MAX,
  type PaymentStatus,
  UNPAID_ALL_MAX,
  UNPAID_SAME_MAX,
  UNPAID_WINDOW_MS,
} from "@sesame/contract/checkout";
import { addMs, assert, type Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";

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

/**
 * Makes the orders of one buyer take turns until the transaction ends. → when there is room for one
 * more unpaid order of the buyer's (WIRE §4); null: there is.
 */
export async function lockUnpaidOrders(tx: Db, order: NewOrder): Promise<Date | null> {
  const since = addMs(order.createdAt, -UNPAID_WINDOW_MS);
  const { rows } = await sql<{ same_since: Date | null; all_since: Date | null }>`
    SELECT * FROM lock_unpaid_orders(${order.buyerId}, ${order.kind},
      ${order.sold?.productId ?? null}, ${order.provider}, ${since}, ${UNPAID_SAME_MAX}::int,
      ${UNPAID_ALL_MAX}::int)
  `.execute(tx);
  const { same_since: same = null, all_since: all = null } = rows[0] ?? {};
  const last = same && all ? (same > all ? same : all) : (same ?? all);
  return last && addMs(last, UNPAID_WINDOW_MS);
}

/**
 * Of the buyer's unpaid orders of the last day, the newest one of the same thing, price and duration
 * that may still be opened at a provider.
 */
export async function findReopenable(tx: Db, order: NewOrder): Promise<OrderToPay | null> {
  const where = sql`o.buyer_id = ${order.buyerId} AND o.kind = ${order.kind}
    AND o.product_id IS NOT DISTINCT FROM ${order.sold?.productId ?? null}
    AND (o.kind <> 'trial' OR o.provider = ${order.provider})
    AND o.price = ${order.price} AND o.duration_minutes = ${order.durationMinutes}
    AND o.status IN ('pending', 'failed')
    AND o.created_at > ${addMs(order.createdAt, -UNPAID_WINDOW_MS)}
    AND o.payments_opened < ${PAYMENTS_PER_ORDER_MAX}
    AND NOT EXISTS (SELECT FROM payments m WHERE m.order_id = o.id AND m.status = 'mismatched')`;
  const { rows } = await selectToPay(where).execute(tx);
  return rows[0] ?? null;
}

/** Further keys of one order: beyond, a repeated call is judged again, and finds it all the same. */
const KEYS_PER_ORDER_MAX = 20;

/** An order was given for this key in place of a new one: the same key gives it again. */
export async function rememberKey(tx: Db, orderId: bigint, order: NewOrder): Promise<void> {
  if (!order.key) return;
  await sql`
    INSERT INTO order_keys (buyer_id, idempotency_key, idempotency_hash, order_id)
    SELECT ${order.buyerId}, ${order.key.key}, ${hashOf(order.key.content)}, ${orderId}
    WHERE (SELECT count(*) FROM order_keys WHERE order_id = ${orderId}) < ${KEYS_PER_ORDER_MAX}
    ON CONFLICT DO NOTHING
  `.execute(tx);
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
  readonly page: NewestPage | null;
  readonly created_at: Date;
  /** The key it was asked by is another one than its own: it was given in place of a new order. */
  readonly by_other_key: boolean;
};

export type NewestPage = PaymentPage & {
  readonly status: PaymentStatus;
  /** As PostgreSQL writes an instant in JSON. */
  readonly created_at: string;
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

/** By its own key, or by the key of a call it was given to in place of a new order. One statement. */
export async function findOrderByKey(
  db: Db,
  buyerId: bigint,
  key: string,
): Promise<OrderToPay | null> {
  const other = sql`order_keys k WHERE k.buyer_id = ${buyerId} AND k.idempotency_key = ${key}`;
  const where = sql`o.id = coalesce(
    (SELECT own.id FROM orders own
      WHERE own.buyer_id = ${buyerId} AND own.idempotency_key = ${key}),
    (SELECT k.order_id FROM ${other}))`;
  const isOther = sql`o.idempotency_key IS DISTINCT FROM ${key}`;
  const hash = sql`CASE WHEN ${isOther} THEN (SELECT k.idempotency_hash FROM ${other})
    ELSE o.idempotency_hash END`;
  const { rows } = await selectToPay(where, { hash, isOther }).execute(db);
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

function selectToPay(
  where: RawBuilder<unknown>,
  { hash, isOther } = { hash: sql`o.idempotency_hash`, isOther: sql`false` },
) {
  return sql<OrderToPay>`
    SELECT o.id, o.kind, o.status, o.seller_id, o.price, o.title, o.provider, o.created_at,
      ${hash} AS idempotency_hash, ${isOther} AS by_other_key, (
      SELECT jsonb_build_object('url', p.checkout_url, 'provider', p.provider,
        'widget', p.widget IS NOT NULL, 'status', p.status, 'created_at', p.created_at)
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
  alert: {
    readonly kind: string;
    readonly subject: string;
    readonly details: Record<string, unknown>;
    /** Says it anew of a matter that is open, or of any; else the first word stays. */
    readonly renews?: "open" | "any";
    readonly now: Date;
  },
): Promise<void> {
  const { kind, subject, details, renews = null, now } = alert;
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO desk_alerts AS d (kind, subject, details, created_at)
    VALUES (${kind}, ${subject}, ${JSON.stringify(details)}, ${now})
    ON CONFLICT (kind, subject) DO UPDATE SET details = excluded.details,
      created_at = CASE WHEN d.resolved_at IS NULL THEN d.created_at ELSE excluded.created_at END,
      resolved_at = NULL
    WHERE ${renews}::text = 'any' OR (${renews}::text = 'open' AND d.resolved_at IS NULL)
    RETURNING id
  `.execute(db);
  await tellDesk(db, rows);
}

function tellDesk(db: Db, alerts: readonly { readonly id: bigint }[]): Promise<void> {
  return publish(
    db,
    alerts.map(({ id }) => deskChanged("alert", id)),
  );
}

/**
 * Money of a payment that sold something went back, in whole or in part, and not by us. Said again
 * when the rest went too, or when it went once more, even of a matter that was closed.
 */
export async function alertRefundThere(
  db: Db,
  of: ({ paymentId: bigint } | { starCharge: string }) & { partly: boolean },
  now: Date,
): Promise<void> {
  const isMeant =
    "paymentId" in of
      ? sql`p.id = ${of.paymentId}`
      : sql`p.provider = 'stars' AND p.transaction_id = ${of.starCharge}`;
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO desk_alerts AS d (kind, subject, details, created_at)
    SELECT 'payment.refunded-there', 'payment:' || p.id,
      jsonb_build_object('order_id', p.order_id, 'provider', p.provider,
        'provider_payment_id', p.provider_payment_id, 'amount', p.amount,
        'partly', ${of.partly}::boolean),
      ${now}::timestamptz
    FROM payments p
    WHERE ${isMeant} AND p.status = 'paid'
      AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id
        AND r.lane IN ('provider', 'returned'))
    ON CONFLICT (kind, subject) DO UPDATE
      SET details = excluded.details, created_at = excluded.created_at, resolved_at = NULL
      WHERE d.details ? 'paid_again' OR (coalesce((d.details->>'partly')::boolean, true)
        AND NOT (excluded.details->>'partly')::boolean)
    RETURNING id
  `.execute(db);
  await tellDesk(db, rows);
}

/**
 * The provider has the money of a payment again: its bank gave up taking it back. `transactionId` is
 * what the provider says is paid: another one under the same reference is not this money.
 */
export async function calmRefundThere(
  db: Db,
  { paymentId, transactionId }: { paymentId: bigint; transactionId: string | null },
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: bigint }>`
    UPDATE desk_alerts SET resolved_at = coalesce(resolved_at, ${now}),
      details = details || '{"paid_again": true}'
    WHERE kind = 'payment.refunded-there' AND subject = 'payment:' || ${paymentId}::bigint
      AND NOT details ? 'paid_again'
      AND NOT EXISTS (SELECT FROM payments p
        WHERE p.id = ${paymentId} AND p.transaction_id <> ${transactionId}::text)
    RETURNING id
  `.execute(db);
  await tellDesk(db, rows);
}
