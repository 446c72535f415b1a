import type { AccessStatus } from "@sesame/contract/access";
import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";

/** A sale that is undone; its buyer's orders in the group are locked. */
export type UndoneSale = {
  readonly orderId: bigint;
  readonly buyerId: bigint;
  readonly groupId: bigint;
  readonly minutes: number;
  /** Until when it gave time. */
  readonly accessUntil: Date;
};

export type ShortenedAccess = {
  readonly id: bigint;
  readonly person_id: bigint;
  readonly group_id: bigint;
  /** The order that stands for it now. */
  readonly order_id: bigint;
  readonly status: AccessStatus;
  readonly ended_now: boolean;
  readonly ends_at: Date;
};

/**
 * Takes away the time a sale still gave, and no other sale's: what was used before stays used, those
 * that follow it come earlier by as much. An access with no time left ends.
 */
export async function shortenAccess(
  tx: Db,
  sale: UndoneSale,
  now: Date,
): Promise<ShortenedAccess | null> {
  const unused = sql`make_interval(secs => greatest(0, least(${sale.minutes} * 60.0,
    extract(epoch FROM ${sale.accessUntil}::timestamptz - ${now}::timestamptz)))::float8)`;
  await sql`
    UPDATE orders SET access_until = access_until - ${unused}
    WHERE buyer_id = ${sale.buyerId} AND group_id = ${sale.groupId} AND kind = 'product'
      AND status = 'paid' AND id <> ${sale.orderId} AND access_until > ${sale.accessUntil}
  `.execute(tx);
  return maybe<ShortenedAccess>(tx)`
    WITH before AS (
      SELECT a.id, a.status, a.ends_at - ${unused} AS ends_at FROM accesses a
      WHERE a.person_id = ${sale.buyerId} AND a.group_id = ${sale.groupId}
      FOR UPDATE
    )
    UPDATE accesses a SET ends_at = b.ends_at, updated_at = ${now},
      status = CASE WHEN b.status IN ('waiting', 'inside', 'left', 'banned')
        AND b.ends_at <= ${now} THEN 'ended' ELSE b.status END,
      -- Another of his sales stands for what is left.
      order_id = coalesce((
        SELECT o.id FROM orders o
        WHERE o.buyer_id = ${sale.buyerId} AND o.group_id = ${sale.groupId} AND o.kind = 'product'
          AND o.status = 'paid' AND o.id <> ${sale.orderId} AND o.access_until > ${now}
        ORDER BY o.access_until DESC LIMIT 1
      ), a.order_id)
    FROM before b WHERE a.id = b.id
    RETURNING a.id, a.person_id, a.group_id, a.order_id, a.status, a.ends_at,
      b.status <> 'ended' AND a.status = 'ended' AS ended_now
  `;
}
