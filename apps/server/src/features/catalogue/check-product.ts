import {
  type CatalogueRefusal,
  DESCRIPTION_MAX,
  isPriceAllowed,
  lengthOf,
  missingFields,
  PRICE_MIN,
  PRODUCT_CATEGORIES,
  type ProductForm,
  type ProductKind,
  type RequiredField,
  readPrice,
  readSuggestions,
  STOCK_MAX,
  TITLE_MAX,
} from "@sesame/contract/catalogue";
import { addMs, DAY_MS, type Fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { groupOfSeller } from "../groups/index.ts";
import { findDurations } from "./durations.view.ts";
import { countUploads, UPLOADS_A_DAY_MAX } from "./images.store.ts";
import type { ProductChange } from "./products.store.ts";

/** The file of a form. `tooLarge`: its end was cut off at the limit. */
export type UploadedImage = { readonly bytes: Uint8Array; readonly tooLarge: boolean };

export type FilledForm = { readonly fields: ProductForm; readonly image: UploadedImage | null };

type Checked<T> = Result<T, CatalogueRefusal>;

/** What is asked of a form. */
type Asked = {
  readonly sellerId: bigint;
  readonly kind: ProductKind;
  readonly required: readonly RequiredField[];
  /** Of a donation that is edited: its suggestions are judged by it when the form says no other. */
  readonly minimum?: Fcfa;
};

/**
 * A §5, in its order: required fields, lengths, image, price, duration; then what A §5 does not
 * name: category, places, group. Absent fields stay out of the change.
 */
export async function checkProduct(
  app: App,
  form: FilledForm,
  asked: Asked,
): Promise<Checked<ProductChange>> {
  const { fields } = form;
  const texts = checkTexts(form, asked.required);
  if (!texts.ok) return texts;
  const image = await checkImage(app, asked.sellerId, form.image);
  if (!image.ok) return image;
  const price = checkPrice(fields);
  if (!price.ok) return price;
  const donated = asked.kind === "donation";
  const own = donated
    ? checkSuggestions(fields, price.value.price ?? asked.minimum)
    : await checkDuration(app, fields);
  if (!own.ok) return own;
  const options = checkOptions(fields);
  if (!options.ok) return options;
  const stock = donated ? ok({}) : checkStock(fields);
  if (!stock.ok) return stock;
  const group = donated ? ok({}) : await checkGroup(app, asked.sellerId, fields);
  if (!group.ok) return group;
  return ok({
    ...texts.value,
    ...price.value,
    ...own.value,
    ...options.value,
    ...stock.value,
    ...group.value,
  });
}

function checkTexts(
  { fields, image }: FilledForm,
  required: readonly RequiredField[],
): Checked<ProductChange> {
  const { title, price = "", duration = "", description } = fields;
  const missing = missingFields(
    { title: title ?? "", price, duration, hasImage: image !== null },
    required,
  );
  if (missing.length > 0) return refuse({ kind: "catalogue.fields-missing", fields: missing });
  const change: { title?: string; description?: string } = {};
  if (title !== undefined) change.title = clean(title);
  if (lengthOf(change.title ?? "") > TITLE_MAX) return refuse({ kind: "catalogue.title-too-long" });
  if (description !== undefined) change.description = clean(description);
  if (lengthOf(change.description ?? "") > DESCRIPTION_MAX) {
    return refuse({ kind: "catalogue.description-too-long" });
  }
  return ok(change);
}

/** Line ends as one character, so that a browser's CR LF costs no more than what was typed. */
function clean(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\0", "").trim();
}

/** What the header of an upload says, and whether the seller may upload one more. */
async function checkImage(
  { db, clock, pictures }: App,
  sellerId: bigint,
  image: UploadedImage | null,
): Promise<Checked<null>> {
  if (!image) return ok(null);
  if (image.tooLarge) return refuse({ kind: "catalogue.image-too-large" });
  const uploads = await countUploads(db, sellerId, addMs(clock.now(), -DAY_MS));
  if (uploads >= UPLOADS_A_DAY_MAX) return refuse({ kind: "catalogue.images-too-many" });
  return pictures.check(image.bytes);
}

function checkPrice(fields: ProductForm): Checked<Pick<ProductChange, "price">> {
  if (fields.price === undefined) return ok({});
  const price = readPrice(fields.price);
  if (price === null) return refuse({ kind: "catalogue.price-invalid" });
  if (!isPriceAllowed(price)) return refuse({ kind: "catalogue.price-out-of-range" });
  return ok({ price });
}

async function checkDuration(
  { db, config }: App,
  fields: ProductForm,
): Promise<Checked<ProductChange>> {
  const named = fields.duration?.trim();
  if (named === undefined) return ok({});
  const chosen = (await findDurations(db, config.demo)).find(({ id }) => id === named);
  if (!chosen) return refuse({ kind: "catalogue.duration-unknown" });
  return ok({ durationMinutes: chosen.minutes });
}

function checkSuggestions(fields: ProductForm, minimum: Fcfa | undefined): Checked<ProductChange> {
  if (fields.suggestions === undefined) return ok({});
  const suggestions = readSuggestions(fields.suggestions, minimum ?? PRICE_MIN);
  return suggestions ? ok({ suggestions }) : refuse({ kind: "catalogue.suggestions-invalid" });
}

/** Empty is "without limit". */
function checkStock(fields: ProductForm): Checked<ProductChange> {
  if (fields.stock === undefined) return ok({});
  const stock = fields.stock.trim();
  if (stock !== "" && !(/^\d{1,7}$/.test(stock) && Number(stock) <= STOCK_MAX)) {
    return refuse({ kind: "catalogue.stock-invalid" });
  }
  return ok({ stock: stock === "" ? null : Number(stock) });
}

/** Empty is "not said". */
function checkOptions(fields: ProductForm): Checked<ProductChange> {
  const change: { -readonly [K in keyof ProductChange]: ProductChange[K] } = {};
  const category = PRODUCT_CATEGORIES.find((known) => known === fields.category);
  if (fields.category && !category) return refuse({ kind: "catalogue.category-unknown" });
  if (category) change.category = category;
  if (fields.status !== undefined && fields.status !== "") {
    // "pending" is the server's word for "active, but": sent back, it changes nothing.
    if (!["active", "inactive", "pending"].includes(fields.status)) {
      return refuse({ kind: "catalogue.status-unknown" });
    }
    change.switchedOn = fields.status !== "inactive";
  }
  return ok(change);
}

/** Named by our id or Telegram's. */
async function checkGroup(
  { db }: App,
  sellerId: bigint,
  fields: ProductForm,
): Promise<Checked<ProductChange>> {
  const named = fields.group_id?.trim();
  if (!named) return ok({});
  const group = await groupOfSeller(db, sellerId, named);
  return group ? ok({ groupId: group.id }) : refuse({ kind: "catalogue.group-unknown" });
}
