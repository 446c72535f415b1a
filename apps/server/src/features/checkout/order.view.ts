import type { OrderKind, OrderStatus, PaymentStatus } from "@sesame/contract/checkout";
import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";
import { hashOf, type PaymentPage } from "./order.store.ts";

export type OrderRow = {
  readonly id: bigint;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  readonly price: Fcfa;
  readonly provider: string;
  readonly direct: boolean;
  readonly title: string;
  readonly duration_minutes: number;
  readonly is_renewal: boolean;
  readonly created_at: Date;
  readonly paid_at: Date | null;
  readonly buyer_id: bigint;
  readonly seller_id: bigint | null;
  readonly seller_name: string | null;
  readonly group_title: string | null;
  readonly group_kind: "supergroup" | "channel" | null;
  readonly reference: string | null;
  /** The newest one that may still be paid. */
  readonly page: PaymentPage | null;
  /** Oldest first. */
  readonly payments: readonly PaymentRow[];
  readonly bot_can_write: boolean;
};

export type PaymentRow = {
  readonly provider: string;
  readonly status: PaymentStatus;
  /** As PostgreSQL writes an instant in JSON. */
  readonly created_at: string;
};

/** What an operator decided of a payment that was not what was ordered; null: it was, or nobody has. */
export type PaymentDecision = "honoured" | "given-back" | null;

/** Of `payments p`: one that goes back to the buyer, and pays no order. */
export const IS_GIVEN_BACK = sql`(p.decided_as IS NOT DISTINCT FROM 'given-back')`;

const ORDER_COLUMNS = sql`
  o.id, o.kind, o.status, o.price, o.provider, o.direct, o.title, o.duration_minutes,
  o.is_renewal, o.created_at, o.paid_at, o.buyer_id, o.seller_id, coalesce(s.display_name, owner.first_name) AS seller_name,
  g.title AS group_title, g.kind AS group_kind, product.reference, (
    SELECT jsonb_build_object('url', p.checkout_url, 'provider', p.provider,
      'widget', p.widget IS NOT NULL)
    FROM payments p
    WHERE p.order_id = o.id AND p.status IN ('pending', 'refused')
    ORDER BY p.id DESC LIMIT 1
  ) AS page, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('provider', p.provider,
      -- Under review until its refund is there, which says the rest.
      'status', CASE WHEN NOT ${IS_GIVEN_BACK} THEN p.status
        WHEN EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id) THEN 'expired'
        ELSE 'mismatched' END,
      'created_at', p.created_at) ORDER BY p.id), '[]')
    FROM payments p WHERE p.order_id = o.id
  ) AS payments,
  coalesce(chat.reachable, false) AS bot_can_write`;

const ORDER_TABLES = sql`
  orders o
  LEFT JOIN sellers s ON s.id = o.seller_id
  LEFT JOIN people owner ON owner.id = o.seller_id
  LEFT JOIN groups g ON g.id = o.group_id
  LEFT JOIN products product ON product.id = o.product_id
  LEFT JOIN bot_chats chat ON chat.bot = 'buyer' AND chat.person_id = o.buyer_id`;

/** An order, to its buyer and to its seller; null to anybody else, as if it did not exist. */
export async function viewOrder(
  db: Db,
  orderId: bigint,
  personId: bigint,
): Promise<OrderRow | null> {
  return maybe<OrderRow>(db)`
    SELECT ${ORDER_COLUMNS} FROM ${ORDER_TABLES}
    WHERE o.id = ${orderId} AND ${personId} IN (o.buyer_id, o.seller_id)
  `;
}

export async function viewOrderBySecret(db: Db, secret: string): Promise<OrderRow | null> {
  return maybe<OrderRow>(db)`
    SELECT ${ORDER_COLUMNS} FROM ${ORDER_TABLES}
    WHERE o.id = (SELECT order_id FROM payments WHERE return_secret_hash = ${hashOf(secret)})
  `;
}

export async function viewOrderByPayment(
  db: Db,
  providerPaymentId: string,
  personId: bigint,
): Promise<OrderRow | null> {
  return maybe<OrderRow>(db)`
    SELECT ${ORDER_COLUMNS} FROM ${ORDER_TABLES}
    WHERE o.id IN (SELECT order_id FROM payments WHERE provider_payment_id = ${providerPaymentId})
      AND ${personId} IN (o.buyer_id, o.seller_id)
    LIMIT 1
  `;
}

export async function mayFollowOrder(db: Db, personId: bigint, orderId: bigint): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 FROM orders WHERE id = ${orderId} AND ${personId} IN (buyer_id, seller_id)
  `.execute(db);
  return rows.length > 0;
}

/** What Telegram calls a person. */
export async function viewName(
  db: Db,
  personId: bigint,
): Promise<{ first_name: string; last_name: string | null } | null> {
  return maybe<{ first_name: string; last_name: string | null }>(db)`
    SELECT first_name, last_name FROM people WHERE id = ${personId}
  `;
}

/** The seller who buys a plan for himself; null: he is none. */
export async function viewSellerForPlan(
  db: Db,
  sellerId: bigint,
): Promise<{ closed: boolean } | null> {
  return maybe<{ closed: boolean }>(db)`
    SELECT closed_at IS NOT NULL AS closed FROM sellers WHERE id = ${sellerId}
  `;
}

/** Whose account a trial is paid into: that of its payments. */
export async function viewTrialAccount(
  db: Db,
  orderId: bigint,
): Promise<{ provider: string; key_id: bigint | null } | null> {
  return maybe<{ provider: string; key_id: bigint | null }>(db)`
    SELECT provider, key_id FROM payments WHERE order_id = ${orderId} ORDER BY id DESC LIMIT 1
  `;
}

export type BuyerRow = {
  /** The plan of the seller the buyer buys from; null: not chosen yet. */
  readonly seller_plan: "free" | "premium" | null;
  readonly banned: boolean;
};

/** Who buys, from whom, and whether the group's admins shut the door on him. */
export async function viewBuyer(
  db: Db,
  buyer: { personId: bigint; sellerId: bigint; groupId: bigint | null },
): Promise<BuyerRow | null> {
  return maybe<BuyerRow>(db)`
    SELECT s.plan AS seller_plan,
      EXISTS (SELECT FROM accesses a WHERE a.person_id = p.id AND a.group_id = ${buyer.groupId}::bigint
        AND a.status = 'banned') AS banned
    FROM people p CROSS JOIN sellers s
    WHERE p.id = ${buyer.personId} AND s.id = ${buyer.sellerId}
  `;
}

/**
 * Whether a place of the product is left for the buyer (decisions 82 and 101): places are held by
 * those whose paid time runs and by those paying now. Who holds a place renews without a second.
 */
export async function hasPlaceFor(
  tx: Db,
  place: { productId: bigint; buyerId: bigint; stock: number; now: Date },
): Promise<boolean> {
  const { productId, buyerId, stock, now } = place;
  const { rows } = await sql<{ free: boolean }>`
    SELECT product_places_taken(${productId}, ${now}) < ${stock} OR EXISTS (
      SELECT FROM orders o WHERE o.product_id = ${productId} AND o.buyer_id = ${buyerId}
        AND order_holds_place(o, ${now})
    ) AS free
  `.execute(tx);
  return rows[0]?.free ?? false;
}

export type DonationRow = {
  readonly id: bigint;
  readonly buyer_id: bigint;
  readonly title: string;
  readonly price: Fcfa;
  readonly paid_at: Date;
  readonly seller_name: string;
};

/** A donation that was made; null: there is no such one. */
export async function viewDonation(db: Db, orderId: bigint): Promise<DonationRow | null> {
  return maybe<DonationRow>(db)`
    SELECT o.id, o.buyer_id, o.title, o.price, o.paid_at,
      coalesce(s.display_name, owner.first_name) AS seller_name
    FROM orders o JOIN sellers s ON s.id = o.seller_id JOIN people owner ON owner.id = o.seller_id
    WHERE o.id = ${orderId} AND o.kind = 'donation' AND o.paid_at IS NOT NULL
  `;
}
