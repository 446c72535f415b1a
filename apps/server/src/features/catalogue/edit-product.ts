import {
  type CatalogueRefusal,
  type ProductOnWire,
  REQUIRED_FOR_DONATION,
  REQUIRED_FOR_EDIT,
} from "@sesame/contract/catalogue";
import { ok, type Result } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { noteOutgoing } from "../../outgoing/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import type { EncodedImage } from "../../pictures/encode-image.ts";
import { checkProduct, type FilledForm } from "./check-product.ts";
import { forgetImage, keepImage } from "./image-files.ts";
import { insertImage } from "./images.store.ts";
import { archiveProduct, type ProductChange, updateProduct } from "./products.store.ts";
import { findProductOfSeller } from "./products.view.ts";
import { forgetPublicProducts } from "./public-pages.ts";
import { membersOf, productOf, UNKNOWN } from "./shelf.ts";

/** Changes what the form carries, all of it or nothing. */
export async function editProduct(
  app: App,
  request: { sellerId: bigint; productId: bigint; form: FilledForm },
): Promise<Result<ProductOnWire, CatalogueRefusal>> {
  const { sellerId, productId, form } = request;
  // First: about another's product, even a wrong form tells nothing.
  const before = await findProductOfSeller(app.db, sellerId, productId);
  if (!before) return UNKNOWN;
  const { kind, price: minimum } = before;
  const whole = kind === "donation" ? REQUIRED_FOR_DONATION : REQUIRED_FOR_EDIT;
  const asked = { sellerId, kind, minimum, required: isPartial(form) ? [] : whole };
  const checked = await checkProduct(app, form, asked);
  if (!checked.ok) return checked;
  const image = form.image ? await app.pictures.encode(form.image.bytes) : ok(null);
  if (!image.ok) return image;
  const written = await write(app, { ...request, change: checked.value, image: image.value });
  if (!written) return UNKNOWN;
  forgetPublicProducts(app);
  return productOf(app, sellerId, productId);
}

/** → how many members remain. Archiving again answers the same. */
export async function archive(
  app: App,
  sellerId: bigint,
  productId: bigint,
): Promise<Result<number, CatalogueRefusal>> {
  await archiveProduct(app.db, { sellerId, productId, now: app.clock.now() });
  forgetPublicProducts(app);
  return membersOf(app, sellerId, productId);
}

/** The switch, or one option alone: a change that touches none of the required fields. */
function isPartial({ fields, image }: FilledForm): boolean {
  const { title, price, duration, ...rest } = fields;
  if (title !== undefined || price !== undefined || duration !== undefined) return false;
  return image !== null || Object.values(rest).some((value) => value !== undefined);
}

async function write(
  app: App,
  request: {
    sellerId: bigint;
    productId: bigint;
    change: ProductChange;
    image: EncodedImage | null;
  },
): Promise<boolean> {
  const { sellerId, productId, change, image } = request;
  const now = app.clock.now();
  const product = { sellerId, productId, now };
  if (!image) return app.db.transaction().execute((tx) => update(tx, product, change));
  const { width, height } = image;
  const imageId = await keepImage(app, image);
  let written = false;
  try {
    written = await app.db.transaction().execute(async (tx) => {
      await insertImage(tx, { id: imageId, sellerId, width, height, now });
      return update(tx, product, { ...change, imageId });
    });
  } finally {
    if (!written) await forgetImage(app, imageId);
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
