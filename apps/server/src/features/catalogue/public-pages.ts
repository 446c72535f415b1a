import {
  type PendingReason,
  type PublicProductOnWire,
  type PublicShopOnWire,
  publicProductOnWire,
  shopProductOnWire,
} from "@sesame/contract/catalogue";
import { REFERENCE_PATTERN } from "@sesame/contract/checkout";
import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { type App, perApp } from "../../app.ts";
import { createCache } from "../../http/caches.ts";
import { many, maybe } from "../../postgres/database.ts";
import { COLUMNS, type Facts, GROUP_TYPE, providersOf, TABLES, publicFacts } from "./products.ts";

const cachesOf = perApp(() => ({
  products: createCache<KeptProduct | null>(),
  shops: createCache<PublicShopOnWire | null>(),
}));

/** A product, a group or a provider changed: the cache is emptied. */
export function forgetPublicProducts(app: App): void {
  const { products, shops } = cachesOf(app);
  products.forgetAll();
  shops.forgetAll();
}

export type PublicProductKey =
  | { readonly reference: string }
  | { readonly sellerId: bigint; readonly productId: bigint };

type KeptProduct = {
  readonly product: PublicProductOnWire;
  /** The encoded answer: Node writes a text together with the headers. */
  readonly body: string;
};

export async function keptProduct(app: App, key: PublicProductKey): Promise<KeptProduct | null> {
  const { products } = cachesOf(app);
  if ("reference" in key) {
    const { reference } = key;
    // Text of another form is no reference, whatever it contains: a slash, NUL, a whole book.
    if (!REFERENCE_PATTERN.test(reference)) return null;
    return products.get(reference, () => loadProduct(app, sql`p.reference = ${reference}`));
  }
  const where = sql`p.id = ${key.productId} AND p.seller_id = ${key.sellerId}`;
  return products.get(`${key.sellerId}/${key.productId}`, () => loadProduct(app, where));
}

export async function publicProduct(app: App, key: PublicProductKey) {
  return (await keptProduct(app, key))?.product ?? null;
}

async function loadProduct(app: App, where: RawBuilder<unknown>): Promise<KeptProduct | null> {
  const [row] = await selectPublic(app, where);
  if (!row) return null;
  const product = shown(app, row, await providersOf(app, row.seller_id));
  return { product, body: JSON.stringify(product) };
}

/** All products a seller has on sale; null when the seller is absent, suspended or closed. */
export function publicShop(app: App, sellerId: bigint): Promise<PublicShopOnWire | null> {
  return cachesOf(app).shops.get(String(sellerId), () => loadShop(app, sellerId));
}

async function loadShop(app: App, sellerId: bigint): Promise<PublicShopOnWire | null> {
  const [seller, rows, providers] = await Promise.all([
    maybe<{ name: string }>(app.db)`
      SELECT seller_name(s, pe) AS name FROM sellers s JOIN people pe ON pe.id = s.id
      WHERE s.id = ${sellerId} AND s.suspended_at IS NULL AND s.closed_at IS NULL
    `,
    // Products switched on, newest first.
    selectPublic(
      app,
      sql`p.seller_id = ${sellerId} AND p.switched_on ORDER BY p.created_at DESC, p.id DESC
        LIMIT ${SHOP_MAX}`,
    ),
    providersOf(app, sellerId),
  ]);
  if (!seller) return null;
  // Those that the group and the seller's methods allow to be bought now.
  const products = rows
    .map((row) => shown(app, row, providers))
    .filter(({ status }) => status === "active");
  return {
    seller: { id: String(sellerId), name: seller.name },
    products: products.map((product) => shopProductOnWire.encode(product)),
  };
}

/** More than a person looks through, and what a page of 14 kB can hold. */
const SHOP_MAX = 100;

type PublicRow = Omit<
  z.output<typeof publicProductOnWire>,
  keyof ReturnType<typeof publicFacts> | "unavailable" | "providers"
> &
  Facts & { readonly seller_id: bigint };

/** Products not archived. `where` may include an order and a limit. */
function selectPublic({ db, clock }: App, where: RawBuilder<unknown>): Promise<PublicRow[]> {
  return many<PublicRow>(db)`
    SELECT ${COLUMNS}, p.seller_id, json_build_object('id', p.seller_id, 'name', seller_name(s, pe)) AS seller,
      CASE WHEN g.id IS NOT NULL THEN json_build_object(
        'name', g.title, 'type', ${GROUP_TYPE}, 'members', g.member_count) END AS "group",
      CASE WHEN p.stock IS NOT NULL
        THEN greatest(0, p.stock - (
          SELECT count(DISTINCT held.buyer_id) FROM orders_holding_places(p.id, ${clock.now()}) AS held))::int END AS places_left
    FROM ${TABLES}
    JOIN sellers s ON s.id = p.seller_id
    JOIN people pe ON pe.id = p.seller_id
    WHERE p.archived_at IS NULL AND ${where}
  `;
}

function shown(app: App, row: PublicRow, providers: readonly string[]): PublicProductOnWire {
  const { reason, ...said } = publicFacts(app, row, providers);
  const unavailable = said.status === "inactive" ? "switched-off" : reason && classOf(reason);
  return publicProductOnWire.encode({
    ...row,
    ...said,
    ...(unavailable ? { unavailable } : {}),
    providers: [...providers],
  });
}

/** The reason's class for a buyer, never the operator's words. */
function classOf(reason: PendingReason): "suspended" | "payment" | "group" {
  if (reason === "suspended" || reason === "seller-suspended") return "suspended";
  return reason === "no-provider" ? "payment" : "group";
}
