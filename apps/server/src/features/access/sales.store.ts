import { sql } from "kysely";
import { type Db, maybe } from "../../postgres/database.ts";

export type TellingTurn = {
  readonly seller_id: bigint;
  readonly told_at: Date | null;
};

/** Takes the seller's turn to be told, so that one worker at a time speaks to him. */
export async function lockTelling(
  tx: Db,
  turn: { orderId: bigint; now: Date },
): Promise<TellingTurn | null> {
  const seller = await sql<{ seller_id: bigint | null }>`
    SELECT seller_id FROM orders WHERE id = ${turn.orderId}
  `.execute(tx);
  const sellerId = seller.rows[0]?.seller_id ?? null;
  if (sellerId === null) return null;
  const fresh = await sql<{ seller_id: bigint }>`
    INSERT INTO sale_tellings (seller_id, told_at) VALUES (${sellerId}, ${turn.now})
    ON CONFLICT DO NOTHING RETURNING seller_id
  `.execute(tx);
  if (fresh.rows.length > 0) return { seller_id: sellerId, told_at: null };
  return maybe<TellingTurn>(tx)`
    SELECT seller_id, told_at FROM sale_tellings WHERE seller_id = ${sellerId} FOR UPDATE
  `;
}

export type UntoldSale = {
  readonly job_id: bigint;
  readonly order_id: bigint;
  readonly title: string;
  readonly price: bigint;
  readonly net: bigint;
  readonly is_renewal: boolean;
  readonly is_donation: boolean;
};

/** Takes every sale the seller has not been told of, and forgets their jobs. */
export async function takeUntold(
  tx: Db,
  turn: { sellerId: bigint; now: Date },
): Promise<UntoldSale[]> {
  const { rows } = await sql<UntoldSale>`
    WITH taken AS (
      DELETE FROM outbox j USING orders o
      WHERE j.topic = 'sales.tell-seller' AND o.id = j.ref AND o.seller_id = ${turn.sellerId}
      RETURNING j.id AS job_id, o.id AS order_id, o.title, o.price, o.price - o.fee AS net,
        o.is_renewal, o.kind = 'donation' AS is_donation
    )
    SELECT job_id, order_id, title, price, net, is_renewal, is_donation FROM taken ORDER BY order_id
  `.execute(tx);
  await sql`
    UPDATE sale_tellings SET told_at = ${turn.now} WHERE seller_id = ${turn.sellerId}
  `.execute(tx);
  return rows;
}
