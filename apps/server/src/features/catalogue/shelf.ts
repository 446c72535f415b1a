import type { CatalogueRefusal, ProductOnWire } from "@sesame/contract/catalogue";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { RawBuilder } from "kysely";
import type { App } from "../../app.ts";
import { mapPart, type Part, sideBySide } from "../../postgres/parts.ts";
import { methodsAtStart, offersOf } from "../aggregators/index.ts";
import { productToWire } from "./product-on-wire.ts";
import {
  countMembers,
  findProductOfSeller,
  findProductsOfSeller,
  findProductsPage,
  type ProductRow,
  productsPart,
} from "./products.view.ts";

export const UNKNOWN = refuse({ kind: "catalogue.product-unknown" } as const);

/** Ids of the providers a seller can be paid by; none: nothing of his can be bought. */
export async function providersOf(app: App, sellerId: bigint): Promise<readonly string[]> {
  return (await offersOf(app, sellerId)).map(({ provider }) => provider);
}

export function productsOf(app: App, sellerId: bigint): Promise<ProductOnWire[]> {
  return toWire(app, sellerId, findProductsOfSeller(app.db, sellerId));
}

/** As `productsOf`, older than an id. */
export function productsPage(
  app: App,
  sellerId: bigint,
  page: { readonly before: bigint | null; readonly limit: number },
): Promise<ProductOnWire[]> {
  return toWire(app, sellerId, findProductsPage(app.db, sellerId, page));
}

async function toWire(
  app: App,
  sellerId: bigint,
  found: Promise<ProductRow[]>,
): Promise<ProductOnWire[]> {
  const [rows, providers] = await Promise.all([found, providersOf(app, sellerId)]);
  return rows.map((row) => productToWire(app, row, providers));
}

export function productsAtStart(app: App, seller: RawBuilder<unknown>): Part<ProductOnWire[]> {
  return mapPart(
    sideBySide({ rows: productsPart(seller), providers: methodsAtStart(app, seller) }),
    ({ rows, providers }) => rows.map((row) => productToWire(app, row, providers)),
  );
}

export async function productOf(
  app: App,
  sellerId: bigint,
  productId: bigint,
): Promise<Result<ProductOnWire, CatalogueRefusal>> {
  const row = await findProductOfSeller(app.db, sellerId, productId);
  return row ? ok(productToWire(app, row, await providersOf(app, sellerId))) : UNKNOWN;
}

export async function membersOf(
  { db, clock }: App,
  sellerId: bigint,
  productId: bigint,
): Promise<Result<number, CatalogueRefusal>> {
  const members = await countMembers(db, { sellerId, productId, now: clock.now() });
  return members === null ? UNKNOWN : ok(members);
}
