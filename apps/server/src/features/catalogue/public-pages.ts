import {
  type PublicProductOnWire,
  type PublicShopOnWire,
  type ShopAnswer,
  shopProductOnWire,
  shopReference,
} from "@sesame/contract/catalogue";
import { REFERENCE_PATTERN } from "@sesame/contract/checkout";
import { sql } from "kysely";
import { type App, perApp } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { publicProductToWire } from "./product-on-wire.ts";
import { findProductsOnSale, findPublicProduct, type PublicProductKey } from "./products.view.ts";
import { providersOf } from "./shelf.ts";

/** How old a kept answer may be (QUALITY P4: an edit shows within a second). */
const FRESH_MS = 900;
const MAX_KEPT = 5_000;

type Entry<T> = { readonly at: number; readonly answer: Promise<T | null> };

/**
 * What is read far more often than it changes is kept for an instant, and the readers of one
 * instant share one look at the database: a link that spreads is read by a town. The machine's own
 * stopwatch tells, not business time.
 */
function createShortMemory<T>(load: (key: string) => Promise<T | null>) {
  const kept = new Map<string, Entry<T>>();
  return {
    /** Null when there is no such thing. */
    get(key: string): Promise<T | null> {
      const now = performance.now();
      const known = kept.get(key);
      if (known && now - known.at < FRESH_MS) return known.answer;
      const answer = load(key);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, { at: now, answer });
      answer.catch(() => kept.delete(key));
      return answer;
    },
    forgetAll: () => kept.clear(),
  };
}

const memoryOf = perApp((app) => ({
  products: createShortMemory((key) => loadProduct(app, key)),
  shops: createShortMemory((key) => loadShop(app, BigInt(key))),
}));

/** A product, a group or a provider changed: nothing kept may be shown. */
export function forgetPublicProducts(app: App): void {
  const { products, shops } = memoryOf(app);
  products.forgetAll();
  shops.forgetAll();
}

type KeptProduct = {
  readonly product: PublicProductOnWire;
  /** The answer, ready to be sent: as text, Node writes it in one go with the headers. */
  readonly body: string;
};

// What is no reference is nobody's, whatever it holds: a slash, NUL, a whole book.
export async function keptProduct(app: App, key: PublicProductKey): Promise<KeptProduct | null> {
  if (!("reference" in key)) return memoryOf(app).products.get(`${key.sellerId}/${key.productId}`);
  return REFERENCE_PATTERN.test(key.reference) ? memoryOf(app).products.get(key.reference) : null;
}

export async function publicProduct(
  app: App,
  reference: string,
): Promise<PublicProductOnWire | null> {
  return (await keptProduct(app, { reference }))?.product ?? null;
}

export async function publicProductByIds(
  app: App,
  sellerId: bigint,
  productId: bigint,
): Promise<PublicProductOnWire | null> {
  return (await keptProduct(app, { sellerId, productId }))?.product ?? null;
}

async function loadProduct(app: App, key: string): Promise<KeptProduct | null> {
  const row = await findPublicProduct(app.db, parseKey(key), app.clock.now());
  if (!row) return null;
  const product = publicProductToWire(app, row, await providersOf(app, row.seller_id));
  return { product, body: JSON.stringify(product) };
}

/** A reference holds no slash. */
function parseKey(text: string): PublicProductKey {
  const [sellerId, productId] = text.split("/");
  if (!sellerId || !productId) return { reference: text };
  return { sellerId: BigInt(sellerId), productId: BigInt(productId) };
}

/** Everything a seller has on sale; null when he is absent, suspended or gone. */
export function publicShop(app: App, sellerId: bigint): Promise<PublicShopOnWire | null> {
  return memoryOf(app).shops.get(String(sellerId));
}

/** His own, as he shares it. */
export async function shopOf(app: App, sellerId: bigint): Promise<Omit<ShopAnswer, "success">> {
  const shop = await publicShop(app, sellerId);
  return {
    share_link: app.telegram.names.shareLink(shopReference(sellerId)),
    page_url: `${app.config.publicUrl}/boutique/${sellerId}`,
    products: shop?.products.length ?? 0,
    open: shop !== null,
  };
}

async function loadShop(app: App, sellerId: bigint): Promise<PublicShopOnWire | null> {
  const { db, clock } = app;
  const [name, rows, providers] = await Promise.all([
    findShopkeeper(db, sellerId),
    findProductsOnSale(db, sellerId, clock.now()),
    providersOf(app, sellerId),
  ]);
  if (name === null) return null;
  // Of what is switched on, what its group and its seller's methods let be bought now.
  const products = rows
    .map((row) => publicProductToWire(app, row, providers))
    .filter(({ status }) => status === "active");
  return {
    seller: { id: String(sellerId), name },
    products: products.map((product) => shopProductOnWire.parse(product)),
  };
}

/** The name over a seller's shop; null when he is absent, suspended or gone. */
async function findShopkeeper(db: Db, sellerId: bigint): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT coalesce(s.display_name, concat_ws(' ', pe.first_name, pe.last_name)) AS name
    FROM sellers s JOIN people pe ON pe.id = s.id
    WHERE s.id = ${sellerId} AND s.suspended_at IS NULL AND s.closed_at IS NULL
  `.execute(db);
  return rows[0]?.name ?? null;
}
