import type { Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { type HistoryFilter, holdsWords } from "./history-filter.ts";

export type SaleRow = {
  readonly id: bigint;
  readonly status: "pending" | "paid" | "failed" | "refunded";
  readonly price: Fcfa;
  readonly fee: Fcfa;
  readonly title: string;
  readonly duration_minutes: number;
  readonly product_id: bigint;
  /** Null for a donation. */
  readonly group_id: bigint | null;
  readonly buyer_id: bigint;
  readonly buyer_name: string;
  readonly is_renewal: boolean;
  readonly direct: boolean;
  readonly created_at: Date;
  readonly paid_at: Date | null;
  readonly access_until: Date | null;
};

export type Page = {
  /** Older than this id; null from the newest. */
  readonly before: bigint | null;
  readonly limit: number;
};

/** What a sale is found by: its title, its buyer, its number. */
const SAID = sql`concat_ws(' ', o.title, p.first_name, p.last_name, '@' || p.username, o.id)`;

const SALE_COLUMNS = sql`
  o.id, o.status, o.price, o.fee, o.title, o.duration_minutes, o.product_id, o.group_id,
  o.buyer_id, concat_ws(' ', p.first_name, p.last_name) AS buyer_name, o.is_renewal, o.direct, o.created_at,
  o.paid_at, o.access_until`;

/**
 * A seller's orders, newest first; one more row than `limit` says that more follow. An order whose
 * payment page was never opened is no transaction.
 */
export async function viewTransactions(
  db: Db,
  sellerId: bigint,
  page: Page & { readonly filter: HistoryFilter },
): Promise<SaleRow[]> {
  const { words, since, status } = page.filter;
  const { rows } = await sql<SaleRow>`
    SELECT ${SALE_COLUMNS} FROM orders o JOIN people p ON p.id = o.buyer_id
    WHERE o.seller_id = ${sellerId} AND o.id < coalesce(${page.before}::bigint, ${LAST_ID})
      AND EXISTS (SELECT FROM payments x WHERE x.order_id = o.id)
      AND coalesce(o.paid_at, o.created_at) >= coalesce(${since}, '-infinity')::timestamptz
      AND o.status = coalesce(${status === "success" ? "paid" : status}, o.status)
      AND ${holdsWords(SAID, words)}
    ORDER BY o.id DESC LIMIT ${page.limit + 1}
  `.execute(db);
  return rows;
}

/** A seller's paid orders (decision 89), of one product or of all, newest first. */
export async function viewSubscriptions(
  db: Db,
  sellerId: bigint,
  page: Page & { readonly productId: bigint | null },
): Promise<SaleRow[]> {
  const { rows } = await sql<SaleRow>`
    SELECT ${SALE_COLUMNS} FROM orders o JOIN people p ON p.id = o.buyer_id
    WHERE o.seller_id = ${sellerId} AND o.id < coalesce(${page.before}::bigint, ${LAST_ID})
      AND o.status IN ('paid', 'refunded') ${ofProduct(page.productId)}
    ORDER BY o.id DESC LIMIT ${page.limit + 1}
  `.execute(db);
  return rows;
}

export async function countSubscriptions(
  db: Db,
  sellerId: bigint,
  productId: bigint | null,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM orders o
    WHERE o.seller_id = ${sellerId} AND o.status IN ('paid', 'refunded') ${ofProduct(productId)}
  `.execute(db);
  return rows[0]?.total ?? 0;
}

function ofProduct(productId: bigint | null) {
  return productId === null ? sql`` : sql`AND o.product_id = ${productId}`;
}

const LAST_ID = 2n ** 63n - 1n;
