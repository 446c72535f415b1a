import type { CommonRefusal } from "@sesame/contract";
import {
  type CatalogueRefusal,
  PRODUCT_KINDS,
  type ProductKind,
  type ProductOnWire,
  type ProductAnswer,
  REQUIRED_FOR_DONATION,
  REQUIRED_FOR_NEW,
} from "@sesame/contract/catalogue";
import { assert, ok, type Result, readableToken, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { claimKey, type IdempotentCall, rememberAnswer } from "../../http/idempotency.store.ts";
import type { Db } from "../../postgres/database.ts";
import { checkProduct, type FilledForm } from "./check-product.ts";
import { forgetImage, keepImage } from "./image-files.ts";
import { insertImage } from "./images.store.ts";
import { productToWire } from "./product-on-wire.ts";
import { insertProduct, type NewProduct } from "./products.store.ts";
import { findProductOfSeller } from "./products.view.ts";
import { forgetPublicProducts } from "./public-pages.ts";
import { providersOf } from "./shelf.ts";

const REFERENCE_CHARS = 10;
const REFERENCE_TRIES = 5;

type AddRequest = {
  readonly sellerId: bigint;
  readonly form: FilledForm;
  readonly call: IdempotentCall | null;
};

/** Publishes a product: the image kept, the row written and the answer remembered, or nothing. */
export async function addProduct(
  app: App,
  request: AddRequest,
): Promise<Result<ProductOnWire, CatalogueRefusal | CommonRefusal>> {
  const { form } = request;
  const draft = await draftProduct(app, request);
  if (!draft.ok) return draft;
  const image = form.image ? await app.pictures.encode(form.image.bytes) : ok(null);
  if (!image.ok) return image;
  const providers = await providersOf(app, request.sellerId);
  const imageId = image.value && (await keepImage(app, image.value));
  const forget = () => (imageId === null ? undefined : forgetImage(app, imageId));
  const kept = image.value && imageId !== null ? { ...image.value, id: imageId } : null;
  try {
    const added = await app.db
      .transaction()
      .execute((tx) => write(app, tx, { ...request, draft: draft.value, image: kept, providers }));
    if (added.kind === "added") forgetPublicProducts(app);
    else await forget();
    return added.kind === "other-content"
      ? refuse({ kind: "request.key-reused" })
      : ok(added.product);
  } catch (error) {
    await forget();
    throw error;
  }
}

type Draft = Omit<NewProduct, "reference" | "imageId">;

async function draftProduct(
  app: App,
  { sellerId, form }: AddRequest,
): Promise<Result<Draft, CatalogueRefusal>> {
  const kind = kindOf(form);
  if (!kind) return refuse({ kind: "catalogue.kind-unknown" });
  const donated = kind === "donation";
  const required = donated ? REQUIRED_FOR_DONATION : REQUIRED_FOR_NEW;
  const checked = await checkProduct(app, form, { sellerId, kind, required });
  if (!checked.ok) return checked;
  const { title, price, ...rest } = checked.value;
  const groupId = rest.groupId ?? null;
  if (!donated && groupId === null) return refuse({ kind: "catalogue.group-missing" });
  assert(title && price, "required fields were checked");
  return ok({
    kind,
    sellerId,
    groupId,
    title,
    price,
    suggestions: rest.suggestions ?? [],
    durationMinutes: rest.durationMinutes ?? 0,
    now: app.clock.now(),
    description: rest.description ?? "",
    category: rest.category ?? "other",
    stock: rest.stock ?? null,
    switchedOn: rest.switchedOn ?? true,
  });
}

function kindOf({ fields }: FilledForm): ProductKind | undefined {
  return PRODUCT_KINDS.find((known) => known === (fields.kind?.trim() || "access"));
}

type Writing = AddRequest & {
  readonly draft: Draft;
  readonly image: { readonly id: string; readonly width: number; readonly height: number } | null;
  readonly providers: readonly string[];
};

type Written =
  | { readonly kind: "added" | "repeated"; readonly product: ProductOnWire }
  | { readonly kind: "other-content" };

async function write(app: App, tx: Db, writing: Writing): Promise<Written> {
  const { sellerId, call, draft, image, providers } = writing;
  const { now } = draft;
  const claim = call ? await claimKey(tx, call, now) : null;
  if (claim?.kind === "other-content") return claim;
  if (claim?.kind === "repeated") {
    return { kind: "repeated", product: (claim.remembered.answer as ProductAnswer).product };
  }
  if (image) {
    const { id, width, height } = image;
    await insertImage(tx, { id, sellerId, width, height, now });
  }
  const productId = await insertWithReference(app, tx, { ...draft, imageId: image?.id ?? null });
  const written = await findProductOfSeller(tx, sellerId, productId);
  assert(written, "a product just written is there");
  const product = productToWire(app, written, providers);
  if (call) await rememberAnswer(tx, call, { status: 201, answer: { success: true, product } });
  return { kind: "added", product };
}

/** References are drawn: on the rare one that is taken, another. */
async function insertWithReference(
  app: App,
  tx: Db,
  row: Omit<NewProduct, "reference">,
): Promise<bigint> {
  for (let tries = 0; tries < REFERENCE_TRIES; tries++) {
    const reference = readableToken(REFERENCE_CHARS, app.chance);
    const id = await insertProduct(tx, { ...row, reference });
    if (id !== null) return id;
  }
  throw new Error("no free reference was drawn");
}
