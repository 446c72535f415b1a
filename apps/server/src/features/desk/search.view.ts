import type { Plan } from "@sesame/contract/plans";
import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import type { SearchKey } from "./search-key.ts";

/** At most `limit` rows with an id below `before`, the newest first. */
export type SearchPage = { readonly before: bigint | null; readonly limit: number };

export type SellerFound = {
  readonly id: bigint;
  readonly name: string;
  readonly username: string | null;
  readonly telegram_id: bigint;
  readonly plan: Plan | null;
  readonly suspended: boolean;
  readonly frozen: boolean;
  readonly closed: boolean;
};

/** A number is shared by few sellers, whatever the number of their requests. */
const REQUESTS_READ = 500;

const sellerName = sql`coalesce(s.display_name, concat_ws(' ', pe.first_name, pe.last_name))`;

/** Every id a question may name, then one page of them. */
function pageOf(ids: readonly RawBuilder<unknown>[], page: SearchPage): RawBuilder<unknown> {
  return sql`
    SELECT DISTINCT found.id FROM (${sql.join(ids, sql` UNION ALL `)}) AS found(id)
    WHERE found.id IS NOT NULL AND (${page.before}::bigint IS NULL OR found.id < ${page.before})
    ORDER BY found.id DESC LIMIT ${page.limit}
  `;
}

/** In lower case, without accents, a blank before each word. */
const NAMES = sql`' ' || regexp_replace(lower(regexp_replace(normalize(
  concat_ws(' ', pe.first_name, pe.last_name, pe.username, s.display_name), NFD),
  '[\u0300-\u036f]', '', 'g')), '[^[:alnum:]_]+', ' ', 'g')`;

/** Each of the words begins one of theirs. */
function sellersNamed(words: readonly string[]): RawBuilder<unknown> {
  if (words.length === 0) return sql`SELECT NULL::bigint`;
  const begun = words.map((word) => `% ${word.replaceAll("_", "\\_")}%`);
  return sql`SELECT s.id FROM sellers s JOIN people pe ON pe.id = s.id
    WHERE ${NAMES} LIKE ALL (${begun}::text[])`;
}

export async function searchSellers(
  db: Db,
  key: SearchKey,
  page: SearchPage,
): Promise<SellerFound[]> {
  const { id, phone } = key;
  const ids = [
    sellersNamed(key.words),
    sql`SELECT s.id FROM sellers s WHERE s.id = ${id}`,
    sql`SELECT s.id FROM people p JOIN sellers s ON s.id = p.id WHERE p.telegram_id = ${id}`,
    sql`SELECT s.id FROM sellers s WHERE desk_phone_key(s.whatsapp_number) = ${phone}
      AND s.whatsapp_number IS NOT NULL`,
    sql`(SELECT w.seller_id FROM withdrawals w WHERE desk_phone_key(w.phone) = ${phone}
      ORDER BY w.id DESC LIMIT ${REQUESTS_READ})`,
    sql`SELECT f.seller_id FROM payout_profiles f WHERE desk_phone_key(f.phone) = ${phone}
      AND f.phone IS NOT NULL`,
  ];
  return many<SellerFound>(db)`
    SELECT s.id, ${sellerName} AS name, pe.username, pe.telegram_id, s.plan,
      s.suspended_at IS NOT NULL AS suspended, s.closed_at IS NOT NULL AS closed,
      coalesce(f.frozen_at IS NOT NULL, false) AS frozen
    FROM (${pageOf(ids, page)}) AS named
    JOIN sellers s ON s.id = named.id
    JOIN people pe ON pe.id = s.id
    LEFT JOIN payout_profiles f ON f.seller_id = s.id
    ORDER BY s.id DESC
  `;
}

export type OrderFound = {
  readonly id: bigint;
  readonly title: string;
  readonly price: bigint;
  readonly status: "pending" | "paid" | "failed" | "refunded";
  readonly provider: string;
  readonly seller_id: bigint | null;
  readonly seller_name: string;
  readonly buyer_id: bigint;
  readonly buyer_name: string;
  readonly created_at: Date;
};

const orderColumns = sql`
  o.id, o.title, o.price, o.status, o.provider, o.seller_id, ${sellerName} AS seller_name,
  o.buyer_id, concat_ws(' ', buyer.first_name, buyer.last_name) AS buyer_name, o.created_at
`;
const orderTables = sql`
  JOIN people buyer ON buyer.id = o.buyer_id
  LEFT JOIN sellers s ON s.id = o.seller_id
  LEFT JOIN people pe ON pe.id = s.id
`;

/** By its id, the id of one of its payments, or the Telegram id of who bought. */
export async function searchOrders(
  db: Db,
  key: SearchKey,
  page: SearchPage & { readonly providers: readonly string[] },
): Promise<OrderFound[]> {
  const { id, reference } = key;
  const ids = [
    sql`SELECT o.id FROM orders o WHERE o.id = ${id}`,
    sql`SELECT p.order_id FROM payments p WHERE p.provider = ANY(${page.providers}::text[])
      AND p.provider_payment_id = ${reference}`,
    sql`(SELECT o.id FROM people b JOIN orders o ON o.buyer_id = b.id
      WHERE b.telegram_id = ${id} AND (${page.before}::bigint IS NULL OR o.id < ${page.before})
      ORDER BY o.id DESC LIMIT ${page.limit})`,
  ];
  return many<OrderFound>(db)`
    SELECT ${orderColumns} FROM (${pageOf(ids, page)}) AS named
    JOIN orders o ON o.id = named.id ${orderTables} ORDER BY o.id DESC
  `;
}

export async function findOrdersOfSeller(
  db: Db,
  sellerId: bigint,
  limit: number,
): Promise<OrderFound[]> {
  return many<OrderFound>(db)`
    SELECT ${orderColumns}
    FROM (SELECT * FROM orders o WHERE o.seller_id = ${sellerId} ORDER BY o.id DESC
      LIMIT ${limit}) AS o ${orderTables} ORDER BY o.id DESC
  `;
}

export type PaymentFound = {
  readonly id: bigint;
  readonly order_id: bigint;
  readonly provider: string;
  readonly provider_payment_id: string;
  readonly amount: bigint;
  readonly status: "pending" | "paid" | "refused" | "mismatched" | "expired";
  readonly created_at: Date;
};

/** By its id, its order's, or the provider's. */
export async function searchPayments(
  db: Db,
  key: SearchKey,
  page: SearchPage & { readonly providers: readonly string[] },
): Promise<PaymentFound[]> {
  const { id, reference } = key;
  const ids = [
    sql`SELECT p.id FROM payments p WHERE p.id = ${id}`,
    sql`SELECT p.id FROM payments p WHERE p.order_id = ${id}`,
    sql`SELECT p.id FROM payments p WHERE p.provider = ANY(${page.providers}::text[])
      AND p.provider_payment_id = ${reference}`,
  ];
  return many<PaymentFound>(db)`
    SELECT p.id, p.order_id, p.provider, p.provider_payment_id, p.amount, p.status, p.created_at
    FROM (${pageOf(ids, page)}) AS named JOIN payments p ON p.id = named.id ORDER BY p.id DESC
  `;
}

export type ProductFound = {
  readonly id: bigint;
  readonly reference: string;
  readonly title: string;
  readonly price: bigint;
  readonly seller_id: bigint;
  readonly seller_name: string;
  readonly suspended: boolean;
  readonly archived: boolean;
};

/** By its id or its reference, in a share link too. */
export async function searchProducts(
  db: Db,
  key: SearchKey,
  page: SearchPage,
): Promise<ProductFound[]> {
  const linked = /[?&]startapp=([A-Za-z0-9_-]{6,32})/.exec(key.text)?.[1];
  const ids = [
    sql`SELECT p.id FROM products p WHERE p.id = ${key.id}`,
    sql`SELECT p.id FROM products p WHERE p.reference = ${linked ?? key.reference}`,
  ];
  return many<ProductFound>(db)`
    SELECT p.id, p.reference, p.title, p.price, p.seller_id, ${sellerName} AS seller_name,
      p.suspended_at IS NOT NULL AS suspended, p.archived_at IS NOT NULL AS archived
    FROM (${pageOf(ids, page)}) AS named JOIN products p ON p.id = named.id
    JOIN sellers s ON s.id = p.seller_id JOIN people pe ON pe.id = s.id
    ORDER BY p.id DESC
  `;
}
