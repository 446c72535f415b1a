import { one, type Db, many } from "../../postgres/database.ts";
import { sql } from "kysely";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import type { OrderKind, OrderStatus } from "@sesame/contract/checkout";

/**
 * Every change of an order's status, each under the lock of its order:
 *
 *   pending, failed → paid   its payment is confirmed, however late (settle_payments, functions.sql)
 *   pending → failed         none of its payments can be made any more, or none was opened
 *   failed → pending         it waits for another payment, or for a decision about one
 *   paid → refunded          it is given back, for ever
 */

/** Fails the orders of payments that have ended, where no other payment of theirs may still be made. */
export async function failOrdersOf(tx: Db, paymentIds: readonly bigint[]): Promise<void> {
  const failed = await many<{ id: bigint; buyer_id: bigint }>(tx)`
    UPDATE orders o SET status = 'failed'
    WHERE o.id IN (SELECT order_id FROM payments WHERE id = ANY(${[...paymentIds]}::bigint[]))
      AND o.status = 'pending'
      AND NOT EXISTS (SELECT FROM payments p
        WHERE p.order_id = o.id AND p.status IN ('pending', 'mismatched'))
    RETURNING o.id, o.buyer_id
  `;
  await publish(
    tx,
    failed.flatMap((order) => eventsOfStatus(order, "failed")),
  );
}

/**
 * No payment could be opened: the order holds no place, and its key may be judged anew. One that has a
 * payment after all is left alone.
 */
export async function failUnopened(db: Db, orderId: bigint): Promise<void> {
  await sql`
    UPDATE orders o SET status = 'failed', stock_reserved_until = NULL,
      idempotency_key = NULL, idempotency_hash = NULL
    WHERE o.id = ${orderId} AND o.status = 'pending'
      AND NOT EXISTS (SELECT FROM payments p WHERE p.order_id = o.id)
  `.execute(db);
}

/** An order that had failed waits again. */
export async function reopenOrder(tx: Db, orderId: bigint): Promise<void> {
  await sql`
    UPDATE orders SET status = 'pending' WHERE id = ${orderId} AND status = 'failed'
  `.execute(tx);
}

type PaidOrder = {
  readonly id: bigint;
  readonly kind: OrderKind;
  readonly buyer_id: bigint;
  readonly group_id: bigint | null;
  readonly access_until: Date | null;
};

/**
 * A paid order is given back. The time it still gave is taken away, and no other order's: what was used
 * before stays used, and the buyer's orders of the same thing that follow it come earlier by as much. All
 * of them are locked. → that time, in seconds
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

export function eventsOfStatus(
  order: { readonly id: bigint; readonly buyer_id: bigint },
  status: OrderStatus,
): RealtimeEvent[] {
  const room = [`person:${order.buyer_id}`, `order:${order.id}`];
  return [{ room, name: "payment:status", body: { id: String(order.id), status } }];
}
