import {
  type CatalogueRefusal,
  type ProductOnWire,
  REQUIRED_FOR_DONATION,
  REQUIRED_FOR_EDIT,
} from "@sesame/contract/catalogue";
import { ok, type Result, refuse } from "@sesame/kernel";
import { noteOutgoing } from "../../outgoing/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { checkProduct, type FilledForm } from "./check-product.ts";
import type { CatalogueDeps } from "./deps.ts";
import type { EncodedImage } from "./encode-image.ts";
import { insertImage } from "./images.store.ts";
import { productToWire } from "./product-on-wire.ts";
import { type ProductChange, updateProduct } from "./products.store.ts";
import { findProductOfSeller } from "./products.view.ts";

const UNKNOWN = refuse({ kind: "catalogue.product-unknown" } as const);

/** Changes what the form carries, all of it or nothing. */
export async function editProduct(
  deps: CatalogueDeps,
  request: { sellerId: bigint; productId: bigint; form: FilledForm },
): Promise<Result<ProductOnWire, CatalogueRefusal>> {
  const { sellerId, productId, form } = request;
  // First: about another's product, even a wrong form tells nothing.
  const before = await findProductOfSeller(deps.db, sellerId, productId);
  if (!before) return UNKNOWN;
  const { kind, price: minimum } = before;
  const whole = kind === "donation" ? REQUIRED_FOR_DONATION : REQUIRED_FOR_EDIT;
  const asked = { kind, minimum, required: isPartial(form) ? [] : whole };
  const checked = await checkProduct(form, asked, deps.checksFor(sellerId));
  if (!checked.ok) return checked;
  const image = form.image ? await deps.pictures.encode(form.image.bytes) : ok(null);
  if (!image.ok) return image;
  const written = await write(deps, { ...request, change: checked.value, image: image.value });
  if (!written) return UNKNOWN;
  deps.onProductChanged();
  const after = await findProductOfSeller(deps.db, sellerId, productId);
  return after ? ok(productToWire(after, await deps.factsOf(sellerId))) : UNKNOWN;
}

/** The switch, or one option alone: a change that touches none of the required fields. */
function isPartial({ fields, image }: FilledForm): boolean {
  const { title, price, duration, ...rest } = fields;
  if (title !== undefined || price !== undefined || duration !== undefined) return false;
  return image !== null || Object.values(rest).some((value) => value !== undefined);
}

async function write(
  deps: CatalogueDeps,
  request: {
    sellerId: bigint;
    productId: bigint;
    change: ProductChange;
    image: EncodedImage | null;
  },
): Promise<boolean> {
  const { sellerId, productId, change, image } = request;
  const now = deps.clock.now();
  const product = { sellerId, productId, now };
  if (!image) return deps.db.transaction().execute((tx) => update(tx, product, change));
  const { width, height } = image;
  const imageId = await deps.files.keep(image);
  let written = false;
  try {
    written = await deps.db.transaction().execute(async (tx) => {
      await insertImage(tx, { id: imageId, sellerId, width, height, now });
      return update(tx, product, { ...change, imageId });
    });
  } finally {
    if (!written) await deps.files.forget(imageId);
  }
  return written;
}

type Changing = { readonly sellerId: bigint; readonly productId: bigint; readonly now: Date };

async function update(tx: Db, product: Changing, change: ProductChange): Promise<boolean> {
  if (!(await updateProduct(tx, product, change))) return false;
  const { sellerId, productId: subject, now } = product;
  const once = `${subject}:${now.toISOString()}`;
  await noteOutgoing(tx, [{ sellerId, type: "product.updated", subject, once }], now);
  return true;
}
