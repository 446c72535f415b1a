import type { Plan } from "@sesame/contract/plans";
import { type Db, many, maybe } from "../../postgres/database.ts";
import { writeOffsSince } from "./sellers.store.ts";

export type SellerRow = {
  readonly id: bigint;
  readonly name: string;
  readonly username: string | null;
  readonly photo_url: string | null;
  readonly telegram_id: bigint;
  readonly display_name: string | null;
  readonly country: string | null;
  readonly whatsapp_number: string | null;
  readonly plan: Plan | null;
  readonly premium_until: Date | null;
  readonly created_at: Date;
  readonly closed_at: Date | null;
  readonly suspended_at: Date | null;
  readonly suspended_reason: string | null;
  readonly suspended_review_at: Date | null;
  readonly frozen_at: Date | null;
  readonly frozen_by: "seller" | "operator" | null;
  readonly frozen_reason: string | null;
  readonly frozen_review_at: Date | null;
  readonly method: string | null;
  readonly phone: string | null;
  readonly automatic: boolean;
  readonly number_changed_at: Date | null;
  readonly free_posted: bigint;
  readonly free_held: bigint;
  readonly premium_posted: bigint;
  readonly premium_held: bigint;
  readonly sales: number;
  readonly gross: bigint;
  readonly net: bigint;
  readonly running_accesses: number;
  readonly owed: bigint;
  readonly write_off_by: bigint | null;
  readonly write_off_at: Date | null;
  readonly write_off_amount: bigint | null;
  readonly write_off_name: string;
};

export async function findSeller(db: Db, id: bigint, now: Date): Promise<SellerRow | null> {
  return maybe<SellerRow>(db)`
    SELECT s.id, coalesce(s.display_name, concat_ws(' ', p.first_name, p.last_name)) AS name,
      p.username, p.photo_url, p.telegram_id, s.display_name, s.country, s.whatsapp_number, s.plan,
      s.premium_until, s.created_at, s.closed_at, s.suspended_at, s.suspended_reason,
      s.suspended_review_at, f.frozen_at, f.frozen_by, f.frozen_reason, f.frozen_review_at,
      f.method, f.phone, coalesce(f.automatic, false) AS automatic, f.number_changed_at,
      free.posted AS free_posted, free.held AS free_held,
      premium.posted AS premium_posted, premium.held AS premium_held,
      sold.sales, sold.gross, sold.net,
      (SELECT count(*)::int FROM accesses a JOIN groups g ON g.id = a.group_id
        WHERE g.seller_id = s.id AND a.ends_at > ${now}
          AND a.status IN ('waiting', 'inside', 'left')) AS running_accesses,
      coalesce(d.owed, 0)::bigint AS owed, w.asked_by AS write_off_by, w.asked_at AS write_off_at,
      w.amount AS write_off_amount,
      concat_ws(' ', asker.first_name, asker.last_name) AS write_off_name
    FROM sellers s
    JOIN people p ON p.id = s.id
    JOIN ledger_accounts free ON free.id = s.free_account_id
    JOIN ledger_accounts premium ON premium.id = s.premium_account_id
    LEFT JOIN payout_profiles f ON f.seller_id = s.id
    LEFT JOIN seller_advances d ON d.seller_id = s.id
    LEFT JOIN write_offs w ON w.seller_id = s.id AND w.decided_at IS NULL
      AND w.asked_at > ${writeOffsSince(now)}
    LEFT JOIN people asker ON asker.id = w.asked_by
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS sales, coalesce(sum(o.price), 0)::bigint AS gross,
        coalesce(sum(o.price - o.fee), 0)::bigint AS net
      FROM orders o WHERE o.seller_id = s.id AND o.status = 'paid'
    ) AS sold
    WHERE s.id = ${id}
  `;
}

export type HoldRow = {
  readonly id: bigint;
  readonly reference: string;
  readonly amount: bigint;
  readonly created_at: Date;
};

/** Francs kept for requests nobody has decided yet. */
export async function findHolds(db: Db, sellerId: bigint): Promise<HoldRow[]> {
  return many<HoldRow>(db)`
    SELECT id, reference, amount, created_at FROM withdrawals
    WHERE seller_id = ${sellerId} AND status = 'pending' ORDER BY id DESC LIMIT 50
  `;
}

export type GroupRow = {
  readonly id: bigint;
  readonly title: string;
  readonly kind: "supergroup" | "channel";
  readonly member_count: number | null;
  readonly healthy: boolean;
};

export async function findGroups(db: Db, sellerId: bigint): Promise<GroupRow[]> {
  return many<GroupRow>(db)`
    SELECT g.id, g.title, g.kind, g.member_count, group_is_healthy(g) AS healthy
    FROM groups g WHERE g.seller_id = ${sellerId} ORDER BY g.linked_at LIMIT 50
  `;
}

export type ProductRow = {
  readonly id: bigint;
  readonly seller_id: bigint;
  readonly reference: string;
  readonly title: string;
  readonly price: bigint;
  readonly sales_30_days: number;
  readonly reports: number;
  readonly switched_on: boolean;
  readonly archived: boolean;
  readonly suspended_at: Date | null;
  readonly suspended_reason: string | null;
  readonly suspended_review_at: Date | null;
};

/** The newest, those suspended first. */
export async function findProducts(db: Db, sellerId: bigint, since: Date): Promise<ProductRow[]> {
  return many<ProductRow>(db)`
    SELECT p.id, p.seller_id, p.reference, p.title, p.price, p.switched_on,
      p.archived_at IS NOT NULL AS archived, p.suspended_at, p.suspended_reason,
      p.suspended_review_at,
      (SELECT count(*)::int FROM orders o WHERE o.product_id = p.id AND o.status = 'paid'
        AND o.created_at >= ${since}) AS sales_30_days,
      (SELECT count(*)::int FROM product_reports r WHERE r.product_id = p.id) AS reports
    FROM products p WHERE p.seller_id = ${sellerId}
    ORDER BY p.suspended_at IS NULL, p.archived_at IS NOT NULL, p.id DESC LIMIT 50
  `;
}
