import type { ProductCategory, ProductKind } from "@sesame/contract/catalogue";
import type { Fcfa } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { type Db, many } from "../../postgres/database.ts";
import { rowsPart, type SellerPart } from "../../postgres/parts.ts";

/** The group's columns that a product's status and page need. */
type GroupColumns = {
  readonly group_id: bigint;
  readonly group_title: string;
  readonly group_kind: "supergroup" | "channel";
  readonly chat_id: bigint;
  readonly bot_present: boolean;
  readonly public_username: string | null;
  readonly can_manage: boolean;
  readonly can_invite: boolean;
  readonly can_restrict: boolean;
  readonly in_quota: boolean;
  readonly seller_may_own: boolean;
  /** The group has another seller now. */
  readonly reclaimed: boolean;
};

/** A donation has no group. */
type NoGroup = { readonly [K in keyof GroupColumns]: null };

type CommonColumns = (
  | ({ readonly kind: "access" } & GroupColumns)
  | ({ readonly kind: "donation" } & NoGroup)
) & {
  readonly id: bigint;
  readonly reference: string;
  readonly title: string;
  readonly price: Fcfa;
  /** Francs, as PostgreSQL writes them; those below the minimum are no longer offered. */
  readonly suggestions: readonly string[];
  readonly description: string;
  readonly duration_minutes: number;
  readonly stock: number | null;
  readonly switched_on: boolean;
  readonly suspension: "product" | "seller" | null;
  readonly image_id: string | null;
  readonly image_width: number | null;
  readonly image_height: number | null;
};

export type ProductRow = CommonColumns & {
  readonly duration_id: bigint | null;
  readonly category: ProductCategory;
  readonly views: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly sales_new: bigint;
  readonly sales_renewed: bigint;
  readonly revenue_gross: Fcfa;
  readonly revenue_net: Fcfa;
  /** In line for a place. */
};

const commonColumns = sql`
  p.id, p.kind, p.reference, p.title, p.price, p.description, p.duration_minutes, p.stock,
  p.switched_on, ARRAY(SELECT s FROM unnest(p.suggestions) AS s WHERE s >= p.price)::text[] AS suggestions,
  CASE WHEN p.suspended_at IS NOT NULL THEN 'product'
    WHEN EXISTS (SELECT FROM sellers s WHERE s.id = p.seller_id
      AND (s.suspended_at IS NOT NULL OR s.closed_at IS NOT NULL)) THEN 'seller'
  END AS suspension,
  p.image_id, i.width AS image_width, i.height AS image_height,
  g.id AS group_id, g.title AS group_title, g.kind AS group_kind, g.chat_id, g.bot_present,
  CASE WHEN g.id IS NOT NULL THEN g.seller_lost_rights_at IS NULL END AS seller_may_own, g.seller_id <> p.seller_id AS reclaimed,
  g.public_username, g.can_manage, g.can_invite, g.can_restrict, CASE WHEN g.id IS NOT NULL THEN group_in_quota(g) END AS in_quota
`;

const commonTables = sql`
  products p LEFT JOIN groups g ON g.id = p.group_id LEFT JOIN images i ON i.id = p.image_id
`;

async function selectProducts(
  db: Db,
  sellerId: bigint,
  where: RawBuilder<unknown>,
): Promise<ProductRow[]> {
  return (await productsSelect(sql`${sellerId}`, where).execute(db)).rows;
}

function productsSelect(seller: RawBuilder<unknown>, where: RawBuilder<unknown>) {
  return sql<ProductRow>`
    SELECT ${commonColumns}, p.category, p.views, p.created_at, p.updated_at,
      d.id AS duration_id, coalesce(s.sales_new, 0) AS sales_new,
      coalesce(s.sales_renewed, 0) AS sales_renewed,
      coalesce(s.revenue_gross, 0) AS revenue_gross, coalesce(s.revenue_net, 0) AS revenue_net
    FROM ${commonTables}
    LEFT JOIN LATERAL (
      SELECT id FROM subscription_durations
      WHERE minutes = p.duration_minutes AND active
      ORDER BY price_tier = 'test', id LIMIT 1
    ) d ON true
    LEFT JOIN (
      SELECT product_id, sum(sales - renewals)::bigint AS sales_new,
        sum(renewals)::bigint AS sales_renewed, sum(gross)::bigint AS revenue_gross,
        sum(gross - fees)::bigint AS revenue_net
      FROM seller_sums(${seller}) GROUP BY product_id
    ) s ON s.product_id = p.id
    WHERE p.seller_id = ${seller} AND p.archived_at IS NULL AND ${where}
    ORDER BY p.created_at DESC, p.id DESC
  `;
}

/** As `findProductsOfSeller`, among the rows of the seller's start. */
export const productsPart: SellerPart<ProductRow[]> = (seller) =>
  rowsPart<ProductRow>(productsSelect(seller, sql`true`), {
    id: "bigint",
    price: "bigint",
    group_id: "bigint",
    chat_id: "bigint",
    duration_id: "bigint",
    created_at: "instant",
    updated_at: "instant",
    sales_new: "bigint",
    sales_renewed: "bigint",
    revenue_gross: "bigint",
    revenue_net: "bigint",
  });

/** All the seller's products that are not archived, newest first. */
export function findProductsOfSeller(db: Db, sellerId: bigint): Promise<ProductRow[]> {
  return selectProducts(db, sellerId, sql`true`);
}

/** As above, older than an id. */
export function findProductsPage(
  db: Db,
  sellerId: bigint,
  { before, limit }: { readonly before: bigint | null; readonly limit: number },
): Promise<ProductRow[]> {
  const older = before === null ? sql`` : sql`AND x.id < ${before}`;
  return selectProducts(
    db,
    sellerId,
    sql`p.id IN (SELECT x.id FROM products x WHERE x.seller_id = ${sellerId}
      AND x.archived_at IS NULL ${older} ORDER BY x.id DESC LIMIT ${limit})`,
  );
}

/** Null for an absent, archived or foreign one alike. */
export async function findProductOfSeller(
  db: Db,
  sellerId: bigint,
  productId: bigint,
): Promise<ProductRow | null> {
  const rows = await selectProducts(db, sellerId, sql`p.id = ${productId}`);
  return rows[0] ?? null;
}

export type PublicProductRow = CommonColumns & {
  readonly seller_id: bigint;
  readonly seller_name: string;
  readonly member_count: number | null;
  readonly places_taken: bigint;
};

export type PublicProductKey =
  | { readonly reference: string }
  | { readonly sellerId: bigint; readonly productId: bigint };

/** What a buyer's page shows; null when absent or archived. */
export async function findPublicProduct(
  db: Db,
  key: PublicProductKey,
  now: Date,
): Promise<PublicProductRow | null> {
  const where =
    "reference" in key
      ? sql`p.reference = ${key.reference}`
      : sql`p.id = ${key.productId} AND p.seller_id = ${key.sellerId}`;
  const rows = await selectPublicProducts(db, where, now);
  return rows[0] ?? null;
}

/** More than a person looks through, and what a page of 14 kB can hold. */
const SHOP_MAX = 100;

/** What a seller has switched on, newest first; whether it can be bought, its row says. */
export function findProductsOnSale(
  db: Db,
  sellerId: bigint,
  now: Date,
): Promise<PublicProductRow[]> {
  const where = sql`
    p.seller_id = ${sellerId} AND p.switched_on ORDER BY p.created_at DESC, p.id DESC
    LIMIT ${SHOP_MAX}
  `;
  return selectPublicProducts(db, where, now);
}

/** `where` may go on with an order and a limit. */
async function selectPublicProducts(
  db: Db,
  where: RawBuilder<unknown>,
  now: Date,
): Promise<PublicProductRow[]> {
  return many<PublicProductRow>(db)`
    SELECT ${commonColumns}, p.seller_id, g.member_count,
      coalesce(s.display_name, concat_ws(' ', pe.first_name, pe.last_name)) AS seller_name,
      CASE WHEN p.stock IS NULL THEN 0
        ELSE product_places_taken(p.id, ${now}) END AS places_taken
    FROM ${commonTables}
    JOIN sellers s ON s.id = p.seller_id
    JOIN people pe ON pe.id = p.seller_id
    WHERE p.archived_at IS NULL AND ${where}
  `;
}

export type ProductForSale = {
  readonly id: bigint;
  readonly kind: ProductKind;
  readonly sellerId: bigint;
  /** Null for a donation. */
  readonly groupId: bigint | null;
  readonly reference: string;
  readonly title: string;
  /** Of a donation, its minimum. */
  readonly price: Fcfa;
  readonly durationMinutes: number;
  /** Places; null without limit. */
  readonly stock: number | null;
  /** The seller's own switch. */
  readonly switchedOn: boolean;
  readonly archived: boolean;
  readonly suspended: boolean;
};

type ForSaleRow = Omit<
  ProductForSale,
  "sellerId" | "groupId" | "durationMinutes" | "switchedOn"
> & {
  readonly seller_id: bigint;
  readonly group_id: bigint | null;
  readonly duration_minutes: number;
  readonly switched_on: boolean;
};

/** As an order freezes it; archived ones too, so that the order can say why it is refused. */
export async function productForSale(db: Db, reference: string): Promise<ProductForSale | null> {
  const { rows } = await sql<ForSaleRow>`
    SELECT p.id, p.kind, p.seller_id, p.group_id, p.reference, p.title, p.price, p.duration_minutes,
      p.stock, p.switched_on, p.archived_at IS NOT NULL AS archived,
      p.suspended_at IS NOT NULL OR s.suspended_at IS NOT NULL OR s.closed_at IS NOT NULL
        AS suspended
    FROM products p JOIN sellers s ON s.id = p.seller_id WHERE p.reference = ${reference}
  `.execute(db);
  if (!rows[0]) return null;
  const { seller_id: sellerId, group_id: groupId, ...row } = rows[0];
  const { duration_minutes: durationMinutes, switched_on: switchedOn, ...same } = row;
  return { ...same, sellerId, groupId, durationMinutes, switchedOn };
}

/** Persons whose access, last paid through this product, still runs; null when it is not his. */
export async function countMembers(
  db: Db,
  product: { sellerId: bigint; productId: bigint; now: Date },
): Promise<number | null> {
  const { rows } = await sql<{ members: number }>`
    SELECT (
      SELECT count(*)::int FROM orders o JOIN accesses a ON a.order_id = o.id
      WHERE o.product_id = p.id AND a.ends_at > ${product.now}
        AND a.status IN ('waiting', 'inside', 'left')
    ) AS members
    FROM products p WHERE p.id = ${product.productId} AND p.seller_id = ${product.sellerId}
  `.execute(db);
  return rows[0]?.members ?? null;
}
