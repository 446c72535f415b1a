import type { RefundStatus } from "@sesame/contract/refunds";
import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import type { SearchKey } from "./search-key.ts";
import type { SearchPage } from "./search.view.ts";

export type WithdrawalFound = {
  readonly id: bigint;
  readonly reference: string;
  readonly amount: bigint;
  readonly status: "pending" | "approved" | "rejected" | "cancelled";
  readonly method: string;
  readonly phone: string;
  readonly seller_id: bigint;
  readonly seller_name: string;
  readonly created_at: Date;
  readonly paid_at: Date | null;
};

function select(db: Db, chosen: RawBuilder<unknown>): Promise<WithdrawalFound[]> {
  return sql<WithdrawalFound>`
    SELECT w.id, w.reference, w.amount, w.status, w.method, w.phone, w.seller_id,
      coalesce(s.display_name, concat_ws(' ', pe.first_name, pe.last_name)) AS seller_name,
      w.created_at, w.paid_at
    FROM (${chosen}) AS named JOIN withdrawals w ON w.id = named.id
    JOIN sellers s ON s.id = w.seller_id JOIN people pe ON pe.id = s.id
    ORDER BY w.id DESC
  `
    .execute(db)
    .then(({ rows }) => rows);
}

/**
 * By its id, its reference, the number it goes to, its payout's reference or handle, the provider's
 * id of it, or the reference an agent typed.
 */
export function searchWithdrawals(
  db: Db,
  key: SearchKey,
  page: SearchPage & { readonly lanes: readonly string[] },
): Promise<WithdrawalFound[]> {
  const { id, phone, reference } = key;
  const earlier = sql`(${page.before}::bigint IS NULL OR w.id < ${page.before})`;
  const ofLane = sql`SELECT p.withdrawal_id FROM payouts p WHERE p.lane = ANY(${page.lanes}::text[])`;
  const ids = [
    sql`SELECT w.id FROM withdrawals w WHERE w.id = ${id}`,
    sql`SELECT w.id FROM withdrawals w WHERE w.reference = upper(${reference}::text)`,
    sql`SELECT w.id FROM withdrawals w WHERE w.reference = ${reference}`,
    sql`(SELECT w.id FROM withdrawals w WHERE desk_phone_key(w.phone) = ${phone} AND ${earlier}
      ORDER BY w.id DESC LIMIT ${page.limit})`,
    sql`SELECT p.withdrawal_id FROM payouts p WHERE p.reference = ${reference}`,
    sql`${ofLane} AND p.provider_payout_id = ${reference} AND p.provider_payout_id IS NOT NULL`,
    sql`${ofLane} AND p.handle = ${reference} AND p.handle IS NOT NULL`,
    sql`SELECT p.withdrawal_id FROM payouts p WHERE p.return_reference IS NOT NULL
      AND upper(p.return_reference) = upper(${reference}::text)`,
    sql`SELECT p.withdrawal_id FROM payouts p WHERE p.lane = 'manual'
      AND p.operator_reference IS NOT NULL
      AND upper(p.operator_reference) = upper(${reference}::text)`,
  ];
  return select(
    db,
    sql`
      SELECT DISTINCT found.id FROM (${sql.join(ids, sql` UNION ALL `)}) AS found(id)
      WHERE found.id IS NOT NULL AND (${page.before}::bigint IS NULL OR found.id < ${page.before})
      ORDER BY found.id DESC LIMIT ${page.limit}`,
  );
}

export type RefundFound = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly title: string;
  readonly amount: bigint;
  readonly status: RefundStatus;
  readonly buyer_id: bigint;
  readonly buyer_name: string;
  readonly created_at: Date;
};

/** By its id, its order's, or the reference an agent typed. */
export async function searchRefunds(
  db: Db,
  key: SearchKey,
  page: SearchPage,
): Promise<RefundFound[]> {
  const { id, reference } = key;
  return many<RefundFound>(db)`
    SELECT r.id, r.order_id, o.title, r.amount, r.status, r.buyer_id,
      concat_ws(' ', buyer.first_name, buyer.last_name) AS buyer_name, r.created_at
    FROM (
      SELECT r.id FROM refunds r WHERE r.id = ${id}
      UNION SELECT r.id FROM refunds r WHERE r.order_id = ${id}
      UNION SELECT r.id FROM refunds r WHERE r.operator_reference IS NOT NULL
        AND upper(r.operator_reference) = upper(${reference}::text)
    ) AS named
    JOIN refunds r ON r.id = named.id
    JOIN orders o ON o.id = r.order_id
    JOIN people buyer ON buyer.id = r.buyer_id
    WHERE ${page.before}::bigint IS NULL OR r.id < ${page.before}
    ORDER BY r.id DESC LIMIT ${page.limit}
  `;
}

export function findWithdrawalsOfSeller(
  db: Db,
  sellerId: bigint,
  limit: number,
): Promise<WithdrawalFound[]> {
  return select(
    db,
    sql`SELECT w.id FROM withdrawals w WHERE w.seller_id = ${sellerId}
      ORDER BY w.id DESC LIMIT ${limit}`,
  );
}
