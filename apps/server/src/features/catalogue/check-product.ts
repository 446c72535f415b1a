import {
  type CatalogueRefusal,
  isPriceAllowed,
  lengthOf,
  missingFields,
  PRICE_MIN,
  type DurationOnWire,
  PRODUCT_CATEGORIES,
  PRODUCT_TEXT_KEYS,
  PRODUCT_TEXTS,
  type ProductCategory,
  type ProductForm,
  type ProductKind,
  type ProductTextKey,
  type RequiredField,
  readPrice,
  readSuggestions,
  STOCK_MAX,
  TITLE_MAX,
} from "@sesame/contract/catalogue";
import { addMs, DAY_MS, type Fcfa, ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { groupOfSeller } from "../groups/index.ts";
import { many, one } from "../../postgres/database.ts";

/** The file of a form. `tooLarge`: its end was cut off at the limit. */
export type UploadedImage = { readonly bytes: Uint8Array; readonly tooLarge: boolean };

export type FilledForm = { readonly fields: ProductForm; readonly image: UploadedImage | null };

/** What a form says of a product; undefined: nothing. */
export type ProductChange = {
  readonly title?: string;
  readonly price?: Fcfa;
  readonly texts: Partial<Readonly<Record<ProductTextKey, string>>>;
  readonly suggestions?: readonly Fcfa[];
  readonly durationMinutes?: number;
  readonly category?: ProductCategory;
  /** Null: without limit. */
  readonly stock?: number | null;
  readonly switchedOn?: boolean;
  readonly groupId?: bigint;
  readonly imageId?: string;
};

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
  { fields, image }: FilledForm,
  { sellerId, kind, required, minimum = PRICE_MIN }: Asked,
): Promise<Result<ProductChange, CatalogueRefusal>> {
  const { title, price, duration, suggestions, category, status, stock } = fields;
  const texts: Partial<Record<ProductTextKey, string>> = {};
  const change: { -readonly [K in keyof ProductChange]: ProductChange[K] } = { texts };
  const isDonation = kind === "donation";
  const filled = { title: title ?? "", price: price ?? "", duration: duration ?? "" };
  const missing = missingFields({ ...filled, hasImage: image !== null }, required);
  if (missing.length > 0) return refuse({ kind: "catalogue.fields-missing", fields: missing });
  if (title !== undefined) change.title = clean(title);
  if (lengthOf(change.title ?? "") > TITLE_MAX) return refuse({ kind: "catalogue.title-too-long" });
  for (const key of PRODUCT_TEXT_KEYS) {
    const text = fields[key] === undefined ? undefined : clean(fields[key]);
    if (text === undefined) continue;
    texts[key] = text;
    if (lengthOf(text) > PRODUCT_TEXTS[key].max)
      return refuse({ kind: `catalogue.${key}-too-long` });
  }
  const judged = await checkImage(app, sellerId, image);
  if (!judged.ok) return judged;
  if (price !== undefined) {
    const amount = readPrice(price);
    if (amount === null) return refuse({ kind: "catalogue.price-invalid" });
    if (!isPriceAllowed(amount)) return refuse({ kind: "catalogue.price-out-of-range" });
    change.price = amount;
  }
  if (isDonation && suggestions !== undefined) {
    const amounts = readSuggestions(suggestions, change.price ?? minimum);
    if (!amounts) return refuse({ kind: "catalogue.suggestions-invalid" });
    change.suggestions = amounts;
  }
  if (!isDonation && duration !== undefined) {
    const options = await findDurations(app);
    const chosen = options.find(({ id }) => String(id) === duration.trim());
    if (!chosen) return refuse({ kind: "catalogue.duration-unknown" });
    change.durationMinutes = chosen.minutes;
  }
  if (category) {
    const known = PRODUCT_CATEGORIES.find((each) => each === category);
    if (!known) return refuse({ kind: "catalogue.category-unknown" });
    change.category = known;
  }
  if (status) {
    // "pending" is the server's word for "active, but": sent back, it changes nothing.
    if (!["active", "inactive", "pending"].includes(status)) {
      return refuse({ kind: "catalogue.status-unknown" });
    }
    change.switchedOn = status !== "inactive";
  }
  if (!isDonation && stock !== undefined) {
    const places = stock.trim();
    if (places !== "" && !(/^\d{1,7}$/.test(places) && Number(places) <= STOCK_MAX)) {
      return refuse({ kind: "catalogue.stock-invalid" });
    }
    change.stock = places === "" ? null : Number(places);
  }
  // By our id or Telegram's.
  const named = isDonation ? "" : fields.group_id?.trim();
  if (named) {
    const group = await groupOfSeller(app.db, sellerId, named);
    if (!group) return refuse({ kind: "catalogue.group-unknown" });
    change.groupId = group.id;
  }
  return ok(change);
}

/** Line ends as one character, so that a browser's CR LF costs no more than what was typed. */
function clean(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\0", "").trim();
}

/** Pictures that one seller may upload in 24 hours: ten times a large shop. */
const UPLOADS_A_DAY_MAX = 200;

/** What the header of an upload says, and whether the seller may upload one more. */
async function checkImage(
  { db, clock, pictures }: App,
  sellerId: bigint,
  image: UploadedImage | null,
): Promise<Result<null, CatalogueRefusal>> {
  if (!image) return ok(null);
  if (image.tooLarge) return refuse({ kind: "catalogue.image-too-large" });
  // Those replaced meanwhile included: a row lives a day at least.
  const { uploads } = await one<{ uploads: number }>(db)`
    SELECT count(*)::int AS uploads FROM images
    WHERE seller_id = ${sellerId} AND created_at > ${addMs(clock.now(), -DAY_MS)}
  `;
  if (uploads >= UPLOADS_A_DAY_MAX) return refuse({ kind: "catalogue.images-too-many" });
  return pictures.check(image.bytes);
}

/** The options on offer, shortest first; the `test` tier is for the demo only (decision 37). */
export function findDurations({ db, config }: App): Promise<DurationOption[]> {
  return many<DurationOption>(db)`
    SELECT id, minutes AS value, minutes, display_name AS label, display_name, description,
      discount_percent AS discount, price_tier, active
    FROM subscription_durations
    WHERE active AND (${config.demo} OR price_tier <> 'test')
    ORDER BY minutes, id
  `;
}

type DurationOption = Omit<DurationOnWire, "id"> & { readonly id: bigint };
