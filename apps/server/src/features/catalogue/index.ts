import { join } from "node:path";
import type {
  CatalogueRefusal,
  DurationOnWire,
  OfferAnswers,
  OfferAnswersBody,
  ProductOnWire,
  ProductKind,
  PublicProductOnWire,
} from "@sesame/contract/catalogue";
import { REFERENCE_PATTERN } from "@sesame/contract/checkout";
import type { RawBuilder } from "kysely";
import {
  addMs,
  type Chance,
  type Clock,
  DAY_MS,
  type Fcfa,
  ok,
  type Result,
  refuse,
} from "@sesame/kernel";
import type { IdempotentCall } from "../../http/idempotency.store.ts";
import type { Db } from "../../postgres/database.ts";
import { mapPart, type Part, type SellerPart, sideBySide } from "../../postgres/parts.ts";
import { type AddedProduct, addProduct } from "./add-product.ts";
import type { FilledForm } from "./check-product.ts";
import type { CatalogueDeps } from "./deps.ts";
import { findDurations } from "./durations.view.ts";
import { editProduct } from "./edit-product.ts";
import { createImageFiles, type ImageFiles } from "./image-files.ts";
import { countUploads, UPLOADS_A_DAY_MAX } from "./images.store.ts";
import type { Pictures } from "./picture-lane.ts";
import { sweepImages } from "./sweep-images.ts";
import { productToWire, publicProductToWire, type ShelfFacts } from "./product-on-wire.ts";
import { keepOfferAnswers, readOfferAnswers } from "./offer-answers.store.ts";
import { archiveProduct, countView } from "./products.store.ts";
import {
  countMembers,
  findProductForSale,
  findProductOfSeller,
  findProductsOfSeller,
  findProductsPage,
  findPublicProduct,
  productsPart,
  type PublicProductKey,
} from "./products.view.ts";
import { createPublicProducts, type KeptProduct, type PublicProducts } from "./public-products.ts";
import { createPublicShops, type PublicShops } from "./public-shops.ts";

export type CatalogueOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly pictures: Pictures;
  readonly dataDir: string;
  readonly demo: boolean;
  readonly timeZone: string;
  /** Ids of the providers a seller can be paid by. */
  readonly methodsOf: (sellerId: bigint) => Promise<readonly string[]>;
  readonly methodsAtStart: SellerPart<readonly string[]>;
  readonly publicUrl: string;
  readonly shareLink: (reference: string) => string;
  /** The group a seller names by our id or Telegram's; null for an absent or foreign one. */
  readonly groupOfSeller: (sellerId: bigint, wireId: string) => Promise<{ id: bigint } | null>;
};

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

export type Catalogue = PublicShops & {
  /** For other capabilities. */
  productsOf(sellerId: bigint): Promise<ProductOnWire[]>;
  /** As `productsOf`, older than an id. */
  productsPage(
    sellerId: bigint,
    page: { readonly before: bigint | null; readonly limit: number },
  ): Promise<ProductOnWire[]>;
  readonly productsAtStart: SellerPart<ProductOnWire[]>;
  productForSale(db: Db, reference: string): Promise<ProductForSale | null>;
  publicProduct(reference: string): Promise<PublicProductOnWire | null>;
  publicProductByIds(sellerId: bigint, productId: bigint): Promise<PublicProductOnWire | null>;
  /** A group or a provider changed: product pages are read anew. */
  forgetPublicProducts(): void;
  /** For its own routes. */
  durations(): Promise<DurationOnWire[]>;
  add(request: {
    sellerId: bigint;
    form: FilledForm;
    call: IdempotentCall | null;
  }): Promise<Result<AddedProduct, CatalogueRefusal>>;
  edit(request: {
    sellerId: bigint;
    productId: bigint;
    form: FilledForm;
  }): Promise<Result<ProductOnWire, CatalogueRefusal>>;
  /** → how many members remain. Archiving again answers the same. */
  archive(sellerId: bigint, productId: bigint): Promise<Result<number, CatalogueRefusal>>;
  membersOf(sellerId: bigint, productId: bigint): Promise<Result<number, CatalogueRefusal>>;
  productOf(sellerId: bigint, productId: bigint): Promise<Result<ProductOnWire, CatalogueRefusal>>;
  keptProduct(key: PublicProductKey): Promise<KeptProduct | null>;
  countView(productId: bigint, personId: bigint): Promise<void>;
  image(id: string, file: string): ReturnType<ImageFiles["read"]>;
  /** Removes pictures that no product has shown for a day. */
  sweepImages(now: Date): Promise<void>;
  /** What the seller told the assistant (decision 75). */
  offerAnswers(sellerId: bigint): Promise<OfferAnswers>;
  keepOfferAnswers(sellerId: bigint, answers: OfferAnswersBody): Promise<OfferAnswers>;
};

const UNKNOWN = refuse({ kind: "catalogue.product-unknown" } as const);

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { db, clock, chance, pictures } = options;
  const factsOf = async (sellerId: bigint): Promise<ShelfFacts> => ({
    providers: await options.methodsOf(sellerId),
    shareLink: options.shareLink,
  });
  const durations = () => findDurations(db, options.demo);
  const kept = createPublicProducts({
    elapsedMs: () => performance.now(),
    async load(key) {
      const row = await findPublicProduct(db, parseKey(key), clock.now());
      return row && publicProductToWire(row, await factsOf(row.seller_id));
    },
  });
  const { forgetAll: forgetShops, ...shops } = createPublicShops({ ...options, factsOf });
  const forgetAll = () => {
    kept.forgetAll();
    forgetShops();
  };
  const checkImage = async (sellerId: bigint, bytes: Uint8Array) => {
    const uploads = await countUploads(db, sellerId, addMs(clock.now(), -DAY_MS));
    if (uploads >= UPLOADS_A_DAY_MAX) return refuse({ kind: "catalogue.images-too-many" } as const);
    return pictures.check(bytes);
  };
  const deps: CatalogueDeps = {
    db,
    clock,
    chance,
    files: createImageFiles(join(options.dataDir, "images"), chance),
    pictures,
    factsOf,
    onProductChanged: forgetAll,
    checksFor: (sellerId) => ({
      durationOf: async (id) => (await durations()).find((item) => item.id === id)?.minutes ?? null,
      groupOf: async (wireId) => (await options.groupOfSeller(sellerId, wireId))?.id ?? null,
      checkImage: (bytes) => checkImage(sellerId, bytes),
    }),
  };
  return {
    durations,
    ...sellersShelf(deps),
    productsAtStart: (seller) => productsAtStart(options, seller),
    ...shops,
    ...publicShelf(kept),
    forgetPublicProducts: forgetAll,
    offerAnswers: (sellerId) => readOfferAnswers(db, sellerId),
    keepOfferAnswers: (sellerId, answers) =>
      keepOfferAnswers(db, { sellerId, answers, now: clock.now() }),
    productForSale: readProductForSale,
    add: (request) => addProduct(deps, request),
    edit: (request) => editProduct(deps, request),
    countView: (productId, personId) =>
      countView(db, { productId, personId, day: dayIn(options.timeZone, clock.now()) }),
    image: deps.files.read,
    sweepImages: (now) => sweepImages(deps, now),
  };
}

function productsAtStart(
  { methodsAtStart, shareLink }: CatalogueOptions,
  seller: RawBuilder<unknown>,
): Part<ProductOnWire[]> {
  return mapPart(
    sideBySide({ rows: productsPart(seller), providers: methodsAtStart(seller) }),
    ({ rows, providers }) => rows.map((row) => productToWire(row, { providers, shareLink })),
  );
}

type SellersShelf = Pick<
  Catalogue,
  "productsOf" | "productsPage" | "productOf" | "membersOf" | "archive"
>;

function sellersShelf(deps: CatalogueDeps): SellersShelf {
  const { db, clock } = deps;
  const membersOf: SellersShelf["membersOf"] = async (sellerId, productId) => {
    const members = await countMembers(db, { sellerId, productId, now: clock.now() });
    return members === null ? UNKNOWN : ok(members);
  };
  return {
    membersOf,
    async productsOf(sellerId) {
      const [rows, facts] = await Promise.all([
        findProductsOfSeller(db, sellerId),
        deps.factsOf(sellerId),
      ]);
      return rows.map((row) => productToWire(row, facts));
    },
    async productsPage(sellerId, page) {
      const [rows, facts] = await Promise.all([
        findProductsPage(db, sellerId, page),
        deps.factsOf(sellerId),
      ]);
      return rows.map((row) => productToWire(row, facts));
    },
    async productOf(sellerId, productId) {
      const row = await findProductOfSeller(db, sellerId, productId);
      return row ? ok(productToWire(row, await deps.factsOf(sellerId))) : UNKNOWN;
    },
    async archive(sellerId, productId) {
      await archiveProduct(db, { sellerId, productId, now: clock.now() });
      deps.onProductChanged();
      return membersOf(sellerId, productId);
    },
  };
}

type PublicShelf = Pick<Catalogue, "publicProduct" | "publicProductByIds" | "keptProduct">;

function publicShelf(kept: PublicProducts): PublicShelf {
  // What is no reference is nobody's, whatever it holds: a slash, NUL, a whole book.
  const keptProduct = async (key: PublicProductKey) =>
    "reference" in key && !REFERENCE_PATTERN.test(key.reference) ? null : kept.get(formatKey(key));
  return {
    keptProduct,
    publicProduct: async (reference) => (await keptProduct({ reference }))?.product ?? null,
    publicProductByIds: async (sellerId, productId) =>
      (await keptProduct({ sellerId, productId }))?.product ?? null,
  };
}

async function readProductForSale(db: Db, reference: string): Promise<ProductForSale | null> {
  const row = await findProductForSale(db, reference);
  if (!row) return null;
  const { id, kind, price, title, stock, archived, suspended } = row;
  return {
    id,
    kind,
    reference,
    title,
    price,
    stock,
    archived,
    suspended,
    sellerId: row.seller_id,
    groupId: row.group_id,
    durationMinutes: row.duration_minutes,
    switchedOn: row.switched_on,
  };
}

function formatKey(key: PublicProductKey): string {
  return "reference" in key ? key.reference : `${key.sellerId}/${key.productId}`;
}

/** A reference holds no slash. */
function parseKey(text: string): PublicProductKey {
  const [sellerId, productId] = text.split("/");
  if (!sellerId || !productId) return { reference: text };
  return { sellerId: BigInt(sellerId), productId: BigInt(productId) };
}

/** The calendar day there: 2026-11-16. */
function dayIn(timeZone: string, instant: Date): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(instant);
}
