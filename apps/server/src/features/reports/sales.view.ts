import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../postgres/database.ts";
import { rowsPart, type SellerPart } from "../../postgres/parts.ts";
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
  page: TransactionsPage,
): Promise<SaleRow[]> {
  return (await transactionsSelect(sql`${sellerId}`, page).execute(db)).rows;
}

type TransactionsPage = Page & { readonly filter: HistoryFilter };

function transactionsSelect(seller: RawBuilder<unknown>, page: TransactionsPage) {
  const { words, since, status } = page.filter;
  return sql<SaleRow>`
    SELECT ${SALE_COLUMNS} FROM orders o JOIN people p ON p.id = o.buyer_id
    WHERE o.seller_id = ${seller} AND o.id < coalesce(${page.before}::bigint, ${LAST_ID})
      AND EXISTS (SELECT FROM payments x WHERE x.order_id = o.id)
      AND coalesce(o.paid_at, o.created_at) >= coalesce(${since}, '-infinity')::timestamptz
      AND o.status = coalesce(${status === "success" ? "paid" : status}, o.status)
      AND ${holdsWords(SAID, words)}
    ORDER BY o.id DESC LIMIT ${page.limit + 1}
  `;
}

const SALE_KINDS = {
  id: "bigint",
  price: "bigint",
  fee: "bigint",
  product_id: "bigint",
  group_id: "bigint",
  buyer_id: "bigint",
  created_at: "instant",
  paid_at: "instant",
  access_until: "instant",
} as const;

/** The newest transactions of all, among the rows of the seller's start. */
export function transactionsPart(limit: number): SellerPart<SaleRow[]> {
  const page = {
    before: null,
    limit: limit - 1,
    filter: { words: null, since: null, status: null },
  };
  return (seller) => rowsPart<SaleRow>(transactionsSelect(seller, page), SALE_KINDS);
}

/** The newest paid orders of all, among the rows of the seller's start. */
export function subscriptionsPart(limit: number): SellerPart<SaleRow[]> {
  const page = { before: null, limit: limit - 1, productId: null };
  return (seller) => rowsPart<SaleRow>(subscriptionsSelect(seller, page), SALE_KINDS);
}

/** A seller's paid orders (decision 89), of one product or of all, newest first. */
export async function viewSubscriptions(
  db: Db,
  sellerId: bigint,
  page: SubscriptionsPage,
): Promise<SaleRow[]> {
  return (await subscriptionsSelect(sql`${sellerId}`, page).execute(db)).rows;
}

export type SubscriptionsPage = Page & { readonly productId: bigint | null };

function subscriptionsSelect(seller: RawBuilder<unknown>, page: SubscriptionsPage) {
  return sql<SaleRow>`
    SELECT ${SALE_COLUMNS} FROM orders o JOIN people p ON p.id = o.buyer_id
    WHERE o.seller_id = ${seller} AND o.id < coalesce(${page.before}::bigint, ${LAST_ID})
      AND o.status IN ('paid', 'refunded') ${ofProduct(page.productId)}
    ORDER BY o.id DESC LIMIT ${page.limit + 1}
  `;
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
