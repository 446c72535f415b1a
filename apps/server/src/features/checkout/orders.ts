import type { PaymentWidget } from "@sesame/providers";
import { hashOf } from "../../secrets/vault.ts";
import * as contract from "@sesame/contract/checkout";
import type { ComplaintKind } from "@sesame/contract/cases";
import { assert, type Fcfa, fcfaToJson } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { App } from "../../app.ts";
import { type Db, finds, many, maybe, one } from "../../postgres/database.ts";
import { accessOfOrder } from "../memberships/index.ts";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";

type Shown = z.output<typeof contract.readOrder.answer>;

/** What happened after the payment: a refund, a complaint. */
type OrderCare = Pick<Shown, "refund" | "complaint"> & {
  /** The complaints that its buyer may open now. */
  readonly mayComplain: readonly ComplaintKind[];
};

/** The refund and complaint of an order, for its buyer or its seller. */
export type CareOf = (orderId: bigint, readerId: bigint) => Promise<OrderCare>;

/** Where a payment is made; `widget`: the page is ours. */
export type PaymentPage = {
  readonly url: string;
  readonly provider: string;
  readonly widget: boolean;
};

export function opensOf(page: PaymentPage): contract.OpensOnWire {
  if (page.widget) return "widget";
  return page.provider === "stars" ? "invoice" : "page";
}

/** An operator's decision about a mismatched payment; null: it matched, or there is none yet. */
export type PaymentDecision = "honoured" | "given-back" | null;

/** Of `payments p`: one that is refunded to the buyer, and pays no order. */
export const IS_GIVEN_BACK = sql`(p.decided_as IS NOT DISTINCT FROM 'given-back')`;

/** Of `payments p`: what its provider's lookup needs (`PaymentName`). */
export const PAYMENT_NAME = sql`p.provider_payment_id AS "providerPaymentId",
  coalesce(p.reference, p.order_id::text) AS reference, p.amount, p.quote,
  p.transaction_id AS "paidAs",
  ARRAY(SELECT r.transaction_id FROM reported_transactions r WHERE r.payment_id = p.id
    ORDER BY r.reported_at, r.transaction_id) AS "reportedTransactionIds"`;

type FromTables =
  | "status"
  | "currency"
  | "kind"
  | "provider"
  | "direct"
  | "title"
  | "seller"
  | "group"
  | "reference"
  | "duration"
  | "is_renewal"
  | "paid_at"
  | "bot_can_write";

/** Fields of the answer, and those that decide who reads it and what he may do. */
export type OrderRow = Pick<Shown, FromTables> & {
  readonly id: bigint;
  readonly amount: Fcfa;
  readonly created_at: Date;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  /** The newest page that can still be paid. */
  readonly page: PaymentPage | null;
  /** Oldest first. */
  readonly payments: readonly Omit<Shown["payments"][number], "provider_name">[];
};

const ORDERS = sql`
  SELECT o.id, o.kind, o.status, o.price AS amount, 'XOF' AS currency, o.provider, o.direct, o.title,
    o.duration_minutes AS duration, o.is_renewal, o.created_at, o.paid_at, o.buyer_id, o.seller_id,
    CASE WHEN o.seller_id IS NOT NULL THEN json_build_object('id', o.seller_id,
      'name', coalesce(s.display_name, owner.first_name)) END AS seller,
    CASE WHEN g.id IS NOT NULL THEN json_build_object('name', g.title,
      'type', CASE g.kind WHEN 'channel' THEN 'canal' ELSE 'groupe' END) END AS "group",
    product.reference, (
      SELECT jsonb_build_object('url', p.checkout_url, 'provider', p.provider,
        'widget', p.widget IS NOT NULL)
      FROM payments p
      WHERE p.order_id = o.id AND p.status IN ('pending', 'refused')
      ORDER BY p.id DESC LIMIT 1
    ) AS page, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('provider', p.provider,
        -- A mismatched payment is under review until its refund exists.
        'status', CASE WHEN NOT ${IS_GIVEN_BACK} THEN p.status
          WHEN EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id) THEN 'expired'
          ELSE 'mismatched' END,
        'created_at', p.created_at) ORDER BY p.id), '[]')
      FROM payments p WHERE p.order_id = o.id
    ) AS payments,
    coalesce(chat.reachable, false) AS bot_can_write
  FROM orders o
  LEFT JOIN sellers s ON s.id = o.seller_id
  LEFT JOIN people owner ON owner.id = o.seller_id
  LEFT JOIN groups g ON g.id = o.group_id
  LEFT JOIN products product ON product.id = o.product_id
  LEFT JOIN bot_chats chat ON chat.bot = 'buyer' AND chat.person_id = o.buyer_id`;

/** An order for its buyer or its seller; null for anybody else, as if it did not exist. */
export function findOrderOf(db: Db, orderId: bigint, personId: bigint): Promise<OrderRow | null> {
  return maybe<OrderRow>(db)`${ORDERS}
    WHERE o.id = ${orderId} AND ${personId} IN (o.buyer_id, o.seller_id)
  `;
}

/** As above, by our order's id or the provider's payment id. */
export async function findOrderNamed(db: Db, name: string, personId: bigint) {
  const isId = /^\d{1,18}$/.test(name);
  const byId = isId ? await findOrderOf(db, BigInt(name), personId) : null;
  return (
    byId ??
    maybe<OrderRow>(db)`${ORDERS}
      WHERE o.id IN (SELECT order_id FROM payments WHERE provider_payment_id = ${name})
        AND ${personId} IN (o.buyer_id, o.seller_id)
      LIMIT 1
    `
  );
}

export const mayFollowOrder = (db: Db, personId: bigint, orderId: bigint) => finds(db)`
  SELECT 1 FROM orders WHERE id = ${orderId} AND ${personId} IN (buyer_id, seller_id)
`;

/** Only the buyer gets the link of the group and the payment page. */
export async function answerOrder(
  app: App,
  order: OrderRow,
  readerId: bigint,
  careOf: CareOf,
): Promise<Shown> {
  const isBuyer = order.buyer_id === readerId;
  const { refund, complaint, mayComplain } = await careOf(order.id, readerId);
  return {
    ...shown(app, order, isBuyer),
    refund,
    complaint,
    may_complain: [...mayComplain],
    access: isBuyer ? await accessOfOrder(app.db, order.id) : null,
  };
}

/** By the secret of the return address: the status, never the link. In the wire's form. */
export async function orderBySecret(app: App, secret: string) {
  const order = await maybe<OrderRow>(app.db)`${ORDERS}
    WHERE o.id = (SELECT order_id FROM payments WHERE return_secret_hash = ${hashOf(secret)})
  `;
  if (!order) return null;
  const seller = order.seller?.name ?? null;
  return z.encode(contract.readOrderBySecret.answer, { ...shown(app, order, true), seller });
}

/** What the page with the provider's widget needs besides the payment; nothing secret. */
export type StoredWidget = PaymentWidget & {
  readonly customer: {
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly phone: string | null;
  };
};

/** A payment at a provider whose widget opens in our page. */
export type WidgetPayment = StoredWidget & {
  /** Francs. */
  readonly amount: number;
  /** Our reference at the provider. */
  readonly reference: string;
  /** The provider's id of a payment created by the server: then a browser cannot set the amount. */
  readonly transactionId: string | null;
  /** The provider's own page of the same payment. */
  readonly hostedUrl: string | null;
  readonly title: string;
  /** Still to be paid. */
  readonly open: boolean;
};

type WidgetRow = Omit<WidgetPayment, keyof StoredWidget | "amount"> & {
  readonly widget: StoredWidget;
  readonly amount: Fcfa;
};

/** By the secret of the return address; null where the payment has no widget. */
export async function widgetBySecret(db: Db, secret: string): Promise<WidgetPayment | null> {
  const row = await maybe<WidgetRow>(db)`
    SELECT p.widget, p.amount, coalesce(p.reference, p.order_id::text) AS reference,
      -- KkiaPay gives an id after the payment only.
      nullif(p.provider_payment_id, coalesce(p.reference, p.order_id::text)) AS "transactionId",
      p.hosted_url AS "hostedUrl", o.title,
      o.status IN ('pending', 'failed') AND p.status IN ('pending', 'refused') AS open
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE p.return_secret_hash = ${hashOf(secret)} AND p.widget IS NOT NULL
  `;
  if (!row) return null;
  const { widget, amount, ...payment } = row;
  return { ...widget, amount: fcfaToJson(amount), ...payment };
}

function shown(app: App, { page, ...order }: OrderRow, mayPay: boolean) {
  const { names } = app.telegram;
  const payments = order.payments.map((each) => ({
    ...each,
    provider_name: contract.nameProvider(each.provider),
  }));
  const payable = mayPay && isUnpaid(order) ? page : null;
  return {
    ...order,
    provider_name: contract.nameProvider(order.provider),
    payments,
    paid_twice: payments.filter(({ status }) => status === "paid").length > 1,
    payment_url: payable?.url ?? null,
    opens: payable && opensOf(payable),
    // A seller buys a plan and tries keys in the sellers' bot.
    bot_url: order.seller_id === null ? names.sellerUrl() : names.buyerUrl(),
  };
}

export function isUnpaid({ status }: { readonly status: contract.OrderStatus }): boolean {
  return status === "pending" || status === "failed";
}

/** An order to open a payment for. */
export type OrderToPay = {
  readonly id: bigint;
  readonly kind: contract.OrderKind;
  readonly status: contract.OrderStatus;
  /** Null for a sale of the platform. */
  readonly seller_id: bigint | null;
  readonly price: Fcfa;
  readonly title: string;
  readonly provider: string;
  readonly idempotency_hash: Buffer | null;
  /**
   * The page of its newest payment, whatever its status, for a repeated answer. The instant is in
   * PostgreSQL's JSON form.
   */
  readonly page:
    | (PaymentPage & { readonly status: contract.PaymentStatus; readonly created_at: string })
    | null;
  readonly created_at: Date;
  /** The key of the call is not the order's own: the order was given instead of a new one. */
  readonly by_other_key: boolean;
};

/** The newest order that meets `where`, a condition on `orders o`. */
export const findToPay = (
  db: Db,
  where: RawBuilder<unknown>,
  { hash, isOther } = { hash: sql`o.idempotency_hash`, isOther: sql`false` },
) => maybe<OrderToPay>(db)`
  SELECT o.id, o.kind, o.status, o.seller_id, o.price, o.title, o.provider, o.created_at,
    ${hash} AS idempotency_hash, ${isOther} AS by_other_key, (
    SELECT jsonb_build_object('url', p.checkout_url, 'provider', p.provider,
      'widget', p.widget IS NOT NULL, 'status', p.status, 'created_at', p.created_at)
    FROM payments p WHERE p.order_id = o.id ORDER BY p.id DESC LIMIT 1
  ) AS page
  FROM orders o WHERE ${where} ORDER BY o.id DESC LIMIT 1
`;

export async function getOrderToPay(db: Db, orderId: bigint): Promise<OrderToPay> {
  const order = await findToPay(db, sql`o.id = ${orderId}`);
  assert(order, `no order ${orderId}`);
  return order;
}

/** Deletes the payer's data that the provider's widget received. */
export async function erasePayer(tx: Db, id: bigint): Promise<void> {
  // Settling a payment locks its order first: this uses the same order.
  await sql`
    SELECT FROM orders o WHERE o.buyer_id = ${id} AND EXISTS (SELECT FROM payments p
      WHERE p.order_id = o.id AND p.widget IS NOT NULL)
    ORDER BY o.id FOR NO KEY UPDATE
  `.execute(tx);
  await sql`
    UPDATE payments p SET widget = NULL FROM orders o
    WHERE o.id = p.order_id AND o.buyer_id = ${id} AND p.widget IS NOT NULL
  `.execute(tx);
}

/**
 * Every change of an order's status, each under the lock of its order:
 *
 *   pending, failed → paid   its payment is confirmed, however late (settle_payments, functions.sql)
 *   pending → failed         none of its payments can be paid any more, or none was opened
 *   failed → pending         it waits for another payment, or for a decision about one
 *   paid → refunded          it is given back, for ever
 */

/** Fails the orders of ended payments that have no other payment that may still be paid. */
export async function failOrdersOf(tx: Db, paymentIds: readonly bigint[]): Promise<void> {
  const failed = await many<OrderOf>(tx)`
    UPDATE orders o SET status = 'failed'
    WHERE o.id IN (SELECT order_id FROM payments WHERE id = ANY(${[...paymentIds]}::bigint[]))
      AND o.status = 'pending'
      AND NOT EXISTS (SELECT FROM payments p
        WHERE p.order_id = o.id AND p.status IN ('pending', 'mismatched'))
    RETURNING o.id, o.buyer_id, o.seller_id
  `;
  await publish(
    tx,
    failed.flatMap((order) => eventsOfStatus(order, "failed")),
  );
}

/**
 * No payment could be opened: the order holds no place, and its key may be reused. An order with a
 * payment is left alone.
 */
export const failUnopened = (db: Db, orderId: bigint) =>
  sql`
    UPDATE orders o SET status = 'failed', stock_reserved_until = NULL,
      idempotency_key = NULL, idempotency_hash = NULL
    WHERE o.id = ${orderId} AND o.status = 'pending'
      AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id)
  `.execute(db);

/** A failed order is pending again. */
export const reopenOrder = (tx: Db, orderId: bigint) =>
  sql`
    UPDATE orders SET status = 'pending' WHERE id = ${orderId} AND status = 'failed'
  `.execute(tx);

type PaidOrder = {
  readonly id: bigint;
  readonly kind: contract.OrderKind;
  readonly buyer_id: bigint;
  readonly group_id: bigint | null;
  readonly access_until: Date | null;
};

/**
 * Refunds a paid order. Its remaining time is removed, and no other order's: used time stays used, and
 * the buyer's later orders of the same thing move forward by as much. All are locked. → that time, in
 * seconds
 */
export async function refundOrder(tx: Db, order: PaidOrder, now: Date): Promise<number> {
  const { unused } = await one<{ unused: number }>(tx)`
    UPDATE orders SET status = 'refunded' WHERE id = ${order.id} AND status = 'paid'
    RETURNING greatest(0, least(duration_minutes * 60.0,
      extract(epoch FROM access_until - ${now}::timestamptz)))::float8 AS unused
  `;
  await sql`
    UPDATE orders SET access_until = access_until - make_interval(secs => ${unused}::float8)
    WHERE buyer_id = ${order.buyer_id} AND kind = ${order.kind}
      AND group_id IS NOT DISTINCT FROM ${order.group_id}::bigint
      AND status = 'paid' AND access_until > ${order.access_until}::timestamptz
  `.execute(tx);
  return unused;
}

type OrderOf = {
  readonly id: bigint;
  readonly buyer_id: bigint;
  /** The seller; null for a plan. */
  readonly seller_id: bigint | null;
};

/** Events for its buyer, and for its seller, whose history displays the order. */
export function eventsOfStatus(order: OrderOf, status: contract.OrderStatus): RealtimeEvent[] {
  const { id, buyer_id: buyer, seller_id: seller } = order;
  const room = [`person:${buyer}`, `order:${id}`, ...(seller === null ? [] : [`person:${seller}`])];
  return [{ room, name: "payment:status", body: { id: String(order.id), status } }];
}
