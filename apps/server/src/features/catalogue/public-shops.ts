import {
  type PublicProductOnWire,
  type PublicShopOnWire,
  type ShopAnswer,
  shopProductOnWire,
  shopReference,
} from "@sesame/contract/catalogue";
import type { Clock } from "@sesame/kernel";
import type { Db } from "../../postgres/database.ts";
import { publicProductToWire, type ShelfFacts } from "./product-on-wire.ts";
import { findProductsOnSale } from "./products.view.ts";
import { createShortMemory } from "./short-memory.ts";
import { sql } from "kysely";

/** The name over a seller's shop; null when he is absent, suspended or gone. */
async function findShopkeeper(db: Db, sellerId: bigint): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    SELECT coalesce(s.display_name, concat_ws(' ', pe.first_name, pe.last_name)) AS name
    FROM sellers s JOIN people pe ON pe.id = s.id
    WHERE s.id = ${sellerId} AND s.suspended_at IS NULL AND s.closed_at IS NULL
  `.execute(db);
  return rows[0]?.name ?? null;
}

export type PublicShops = {
  /** Everything a seller has on sale; null when he is absent, suspended or gone. */
  publicShop(sellerId: bigint): Promise<PublicShopOnWire | null>;
  /** His own, as he shares it. */
  shopOf(sellerId: bigint): Promise<ShopAnswer>;
};

export type ShopDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly publicUrl: string;
  factsOf(sellerId: bigint): Promise<ShelfFacts>;
  shareLink(reference: string): string;
};

/** Shops, kept for an instant like the products' pages: a link that spreads is read by a town. */
export function createPublicShops(deps: ShopDeps): PublicShops & { forgetAll(): void } {
  const kept = createShortMemory<PublicShopOnWire>({
    elapsedMs: () => performance.now(),
    load: (key) => loadShop(deps, BigInt(key)),
  });
  const publicShop = (sellerId: bigint) => kept.get(String(sellerId));
  return {
    publicShop,
    async shopOf(sellerId) {
      const shop = await publicShop(sellerId);
      return {
        success: true,
        share_link: deps.shareLink(shopReference(sellerId)),
        page_url: `${deps.publicUrl}/boutique/${sellerId}`,
        products: shop?.products.length ?? 0,
        open: shop !== null,
      };
    },
    forgetAll: kept.forgetAll,
  };
}

async function loadShop(deps: ShopDeps, sellerId: bigint): Promise<PublicShopOnWire | null> {
  const { db, clock } = deps;
  const [name, rows, facts] = await Promise.all([
    findShopkeeper(db, sellerId),
    findProductsOnSale(db, sellerId, clock.now()),
    deps.factsOf(sellerId),
  ]);
  if (name === null) return null;
  const products = rows.map((row) => publicProductToWire(row, facts)).filter(canBeBought);
  return {
    seller: { id: String(sellerId), name },
    products: products.map((product) => shopProductOnWire.parse(product)),
  };
}

/** Of what is switched on, what its group and its seller's methods let be bought now. */
function canBeBought({ status }: PublicProductOnWire): boolean {
  return status === "active";
}
