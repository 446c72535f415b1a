import {
  type CatalogueRefusal,
  type ProductOnWire,
  REQUIRED_FOR_NEW,
} from "@sesame/contract/catalogue";
import { assert, ok, type Result, readableToken, refuse } from "@sesame/kernel";
import {
  claimKey,
  type IdempotentCall,
  type RememberedAnswer,
  rememberAnswer,
} from "../../http/idempotency.store.ts";
import type { Db } from "../../postgres/database.ts";
import { checkProduct, type FilledForm } from "./check-product.ts";
import type { CatalogueDeps } from "./deps.ts";
import { encodeImage } from "./encode-image.ts";
import { insertImage } from "./images.store.ts";
import { productToWire } from "./product-on-wire.ts";
import { insertProduct, type NewProduct } from "./products.store.ts";
import { findProductOfSeller } from "./products.view.ts";

const REFERENCE_CHARS = 10;
const REFERENCE_TRIES = 5;

export type AddedProduct =
  | { readonly kind: "added"; readonly product: ProductOnWire }
  | { readonly kind: "repeated"; readonly remembered: RememberedAnswer }
  | { readonly kind: "key-reused" };

/** Publishes a product: the image kept, the row written and the answer remembered, or nothing. */
export async function addProduct(
  deps: CatalogueDeps,
  request: { sellerId: bigint; form: FilledForm; call: IdempotentCall | null },
): Promise<Result<AddedProduct, CatalogueRefusal>> {
  const { sellerId, form, call } = request;
  const checked = await checkProduct(form, REQUIRED_FOR_NEW, deps.checksFor(sellerId));
  if (!checked.ok) return checked;
  const { title, price, durationMinutes, groupId, ...rest } = checked.value;
  if (groupId === undefined) return refuse({ kind: "catalogue.group-missing" });
  assert(title && price && durationMinutes && form.image, "required fields were checked");
  const image = await encodeImage(form.image.bytes);
  if (!image.ok) return image;
  const now = deps.clock.now();
  const facts = await deps.factsOf(sellerId);
  const imageId = await deps.files.keep(image.value);
  const { width, height } = image.value;
  const row = {
    sellerId,
    groupId,
    title,
    price,
    durationMinutes,
    imageId,
    now,
    description: rest.description ?? "",
    category: rest.category ?? ("other" as const),
    stock: rest.stock ?? null,
    switchedOn: rest.switchedOn ?? true,
  };
  try {
    const added = await deps.db.transaction().execute(async (tx): Promise<AddedProduct> => {
      const claim = call ? await claimKey(tx, call, now) : ({ kind: "new" } as const);
      if (claim.kind === "repeated") return claim;
      if (claim.kind === "other-content") return { kind: "key-reused" };
      await insertImage(tx, { id: imageId, sellerId, width, height, now });
      const productId = await insertWithReference(deps, tx, row);
      const written = await findProductOfSeller(tx, sellerId, productId);
      assert(written, "a product just written is there");
      const product = productToWire(written, facts);
      if (call) await rememberAnswer(tx, call, { status: 201, answer: { success: true, product } });
      return { kind: "added", product };
    });
    if (added.kind === "added") deps.onProductChanged();
    else await deps.files.forget(imageId);
    return ok(added);
  } catch (error) {
    await deps.files.forget(imageId);
    throw error;
  }
}

/** References are drawn: on the rare one that is taken, another. */
async function insertWithReference(
  deps: CatalogueDeps,
  tx: Db,
  row: Omit<NewProduct, "reference">,
): Promise<bigint> {
  for (let tries = 0; tries < REFERENCE_TRIES; tries++) {
    const reference = readableToken(REFERENCE_CHARS, deps.chance);
    const id = await insertProduct(tx, { ...row, reference });
    if (id !== null) return id;
  }
  throw new Error("no free reference was drawn");
}
