import * as contract from "@sesame/contract/catalogue";
import { assert, ok, readableToken, refuse, addMs, DAY_MS, type Fcfa } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type IdempotentCall, once } from "../../http/on.ts";
import { noteOutbound } from "../../outbound/events.store.ts";
import type { EncodedImage } from "../../pictures/picture-queue.ts";
import { assignments, columnsOf, type Db, maybe, many, one } from "../../postgres/database.ts";
import { forgetImage, keepImage } from "./image-files.ts";
import { findProduct, membersOf, productOf, providersOf, shown, UNKNOWN } from "./products.ts";
import { forgetPublicProducts } from "./public-pages.ts";
import { groupOfSeller } from "../groups/index.ts";

const REFERENCE_CHARS = 10;
const REFERENCE_TRIES = 5;

/** Publishes a product: image, row and the key's answer are all stored, or none. */
export async function addProduct(
  app: App,
  request: { sellerId: bigint; form: FilledForm; call: IdempotentCall | null },
) {
  const { sellerId, form, call } = request;
  const named = form.fields.kind?.trim() || "access";
  const kind = contract.PRODUCT_KINDS.find((known) => known === named);
  if (!kind) return refuse({ kind: "catalogue.kind-unknown" });
  const required = kind === "donation" ? contract.REQUIRED_FOR_DONATION : contract.REQUIRED_FOR_NEW;
  const checked = await checkProduct(app, form, { sellerId, kind, required });
  if (!checked.ok) return checked;
  const now = app.clock.now();
  if (kind === "access" && checked.value.group_id === undefined) {
    return refuse({ kind: "catalogue.group-missing" });
  }
  const image = form.image ? await app.pictures.encode(form.image.bytes) : ok(null);
  if (!image.ok) return image;
  const providers = await providersOf(app, sellerId);
  const kept = image.value && { ...image.value, id: await keepImage(app, image.value) };
  let made: contract.ProductOnWire | null = null;
  let isKept = false;
  try {
    const added = await once(app, call, async (tx) => {
      if (kept) await insertImage(tx, { ...kept, sellerId, now });
      const product = { ...checked.value, kind, seller_id: sellerId, image_id: kept?.id };
      const id = await insertProduct(app, tx, product, now);
      const row = await findProduct(tx, sellerId, id);
      assert(row, "a product just written is there");
      made = shown(app, row, providers);
      return ok({ product: made });
    });
    if (!added.ok) return added;
    isKept = added.value.product === made;
    if (isKept) forgetPublicProducts(app);
    return ok(added.value.product);
  } finally {
    // The call was a repeat, refused, or failed.
    if (!isKept && kept) await forgetImage(app, kept.id);
  }
}

type NewProduct = ProductChange & {
  readonly kind: contract.ProductKind;
  readonly seller_id: bigint;
};

async function insertProduct(app: App, tx: Db, product: NewProduct, now: Date) {
  assert(product.title && product.price, "required fields were checked");
  // References are random: if one exists, another is tried.
  for (let tries = 0; tries < REFERENCE_TRIES; tries++) {
    const reference = readableToken(REFERENCE_CHARS, app.random);
    const dates = { created_at: now, updated_at: now };
    const columns = columnsOf({ duration_minutes: 0, ...product, reference, ...dates });
    const inserted = await maybe<{ id: bigint }>(tx)`
      INSERT INTO products (${sql.join(columns.map(([name]) => sql.ref(name)))})
      VALUES (${sql.join(columns.map(([, value]) => value))})
      ON CONFLICT (reference) DO NOTHING
      RETURNING id
    `;
    if (inserted) return inserted.id;
  }
  throw new Error("no free reference was drawn");
}

/** `width` and `height` are of the largest stored size. */
async function insertImage(
  tx: Db,
  image: Pick<EncodedImage, "width" | "height"> & { id: string; sellerId: bigint; now: Date },
): Promise<void> {
  await sql`
    INSERT INTO images (id, seller_id, width, height, created_at)
    VALUES (${image.id}, ${image.sellerId}, ${image.width}, ${image.height}, ${image.now})
  `.execute(tx);
}

type Named = { readonly sellerId: bigint; readonly productId: bigint };

/** Changes the fields of the form, all or none. */
export async function editProduct(app: App, request: Named & { readonly form: FilledForm }) {
  const { sellerId, productId, form } = request;
  // First: for another's product even an invalid form gets no other answer.
  const before = await findProduct(app.db, sellerId, productId);
  if (!before) return UNKNOWN;
  const { kind, price: minimum } = before;
  const whole = kind === "donation" ? contract.REQUIRED_FOR_DONATION : contract.REQUIRED_FOR_EDIT;
  const asked = { sellerId, kind, minimum, required: isPartial(form) ? [] : whole };
  const checked = await checkProduct(app, form, asked);
  if (!checked.ok) return checked;
  const image = form.image ? await app.pictures.encode(form.image.bytes) : ok(null);
  if (!image.ok) return image;
  const now = app.clock.now();
  const kept = image.value && { ...image.value, id: await keepImage(app, image.value) };
  let written = false;
  try {
    written = await app.db.transaction().execute(async (tx) => {
      if (kept) await insertImage(tx, { ...kept, sellerId, now });
      return update(tx, request, { ...checked.value, image_id: kept?.id }, now);
    });
  } finally {
    if (kept && !written) await forgetImage(app, kept.id);
  }
  if (!written) return UNKNOWN;
  forgetPublicProducts(app);
  return productOf(app, sellerId, productId);
}

/** The switch, or one option alone: no required field is changed. */
function isPartial({ fields, image }: FilledForm): boolean {
  const { title, price, duration, ...rest } = fields;
  if (title !== undefined || price !== undefined || duration !== undefined) return false;
  return image !== null || Object.values(rest).some((value) => value !== undefined);
}

/** False if the seller has no such product, or it is archived. */
async function update(tx: Db, of: Named, change: ProductChange, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE products SET ${assignments({ ...change, updated_at: now })}
    WHERE id = ${of.productId} AND seller_id = ${of.sellerId} AND archived_at IS NULL
  `.execute(tx);
  if (numAffectedRows !== 1n) return false;
  const { sellerId, productId: subject } = of;
  const once = `${subject}:${now.toISOString()}`;
  await noteOutbound(tx, [{ sellerId, type: "product.updated", subject, once }], now);
  return true;
}

type Suspension = {
  readonly suspended_at: Date | null;
  readonly suspended_reason: string | null;
  readonly suspended_review_at: Date | null;
};

/** Suspends a product or ends that; the caller has locked its row. */
export async function suspendProduct(tx: Db, id: bigint, to: Suspension, now: Date) {
  await sql`
    UPDATE products SET ${assignments({ ...to, updated_at: now })} WHERE id = ${id}
  `.execute(tx);
}

/** Archives all of a seller's products, or one. A repeat keeps the first instant. */
export async function archiveProducts(db: Db, of: { sellerId: bigint; id?: bigint }, now: Date) {
  const which = of.id === undefined ? sql`` : sql`AND id = ${of.id}`;
  await sql`
    UPDATE products SET archived_at = ${now}, updated_at = ${now}
    WHERE seller_id = ${of.sellerId} ${which} AND archived_at IS NULL
  `.execute(db);
}

/** → how many members remain. A repeat gets the same answer, with the first instant. */
export async function archive(app: App, sellerId: bigint, productId: bigint) {
  await archiveProducts(app.db, { sellerId, id: productId }, app.clock.now());
  forgetPublicProducts(app);
  return membersOf(app, sellerId, productId);
}

/** The file of a form. `tooLarge`: it was cut at the limit. */
export type UploadedImage = { readonly bytes: Uint8Array; readonly tooLarge: boolean };

export type FilledForm = {
  readonly fields: contract.ProductForm;
  readonly image: UploadedImage | null;
};

/** The form's changes of a product, by its columns; undefined: unchanged. */
type ProductChange = {
  [K in contract.ProductTextKey | "title" | "image_id"]?: string | undefined;
} & {
  price?: Fcfa;
  suggestions?: readonly Fcfa[];
  duration_minutes?: number;
  category?: contract.ProductCategory;
  /** Null: without limit. */
  stock?: number | null;
  switched_on?: boolean;
  group_id?: bigint;
};

/** The input of the form's check. */
type Asked = {
  readonly sellerId: bigint;
  readonly kind: contract.ProductKind;
  readonly required: readonly contract.RequiredField[];
  /** For an edited donation: its minimum, to check suggestions when the form has none. */
  readonly minimum?: Fcfa;
};

/**
 * A §5, in its order: required fields, lengths, image, price, duration; then what A §5 does not
 * list: category, places, group. Absent fields change nothing.
 */
async function checkProduct(
  app: App,
  { fields, image }: FilledForm,
  { sellerId, kind, required, minimum = contract.PRICE_MIN }: Asked,
) {
  const { title, price, duration, suggestions, category, status, stock } = fields;
  const change: ProductChange = {};
  const isDonation = kind === "donation";
  const filled = { title: title ?? "", price: price ?? "", duration: duration ?? "" };
  const missing = contract.missingFields({ ...filled, hasImage: image !== null }, required);
  if (missing.length > 0) return refuse({ kind: "catalogue.fields-missing", fields: missing });
  if (title !== undefined) change.title = clean(title);
  if (contract.lengthOf(change.title ?? "") > contract.TITLE_MAX)
    return refuse({ kind: "catalogue.title-too-long" });
  for (const key of contract.PRODUCT_TEXT_KEYS) {
    const text = fields[key] === undefined ? undefined : clean(fields[key]);
    if (text === undefined) continue;
    change[key] = text;
    if (contract.lengthOf(text) > contract.PRODUCT_TEXTS[key].max)
      return refuse({ kind: `catalogue.${key}-too-long` });
  }
  const checked = await checkImage(app, sellerId, image);
  if (!checked.ok) return checked;
  if (price !== undefined) {
    const amount = contract.readPrice(price);
    if (amount === null) return refuse({ kind: "catalogue.price-invalid" });
    if (!contract.isPriceAllowed(amount)) return refuse({ kind: "catalogue.price-out-of-range" });
    change.price = amount;
  }
  if (isDonation && suggestions !== undefined) {
    const amounts = contract.readSuggestions(suggestions, change.price ?? minimum);
    if (!amounts) return refuse({ kind: "catalogue.suggestions-invalid" });
    change.suggestions = amounts;
  }
  if (!isDonation && duration !== undefined) {
    const options = await findDurations(app);
    const chosen = options.find(({ id }) => String(id) === duration.trim());
    if (!chosen) return refuse({ kind: "catalogue.duration-unknown" });
    change.duration_minutes = chosen.minutes;
  }
  if (category) {
    const known = contract.PRODUCT_CATEGORIES.find((each) => each === category);
    if (!known) return refuse({ kind: "catalogue.category-unknown" });
    change.category = known;
  }
  if (status) {
    // "pending" is the server's word for "active, but": a form with it changes nothing.
    if (!["active", "inactive", "pending"].includes(status)) {
      return refuse({ kind: "catalogue.status-unknown" });
    }
    change.switched_on = status !== "inactive";
  }
  if (!isDonation && stock !== undefined) {
    const places = stock.trim();
    if (places !== "" && !(/^\d{1,7}$/.test(places) && Number(places) <= contract.STOCK_MAX)) {
      return refuse({ kind: "catalogue.stock-invalid" });
    }
    change.stock = places === "" ? null : Number(places);
  }
  // Our id or Telegram's.
  const named = isDonation ? "" : fields.group_id?.trim();
  if (named) {
    const group = await groupOfSeller(app.db, sellerId, named);
    if (!group) return refuse({ kind: "catalogue.group-unknown" });
    change.group_id = group.id;
  }
  return ok(change);
}

/** Line ends as one character, so that a browser's CR LF counts as one. */
function clean(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\0", "").trim();
}

/** Images a seller may upload in 24 hours: ten times a large shop. */
const UPLOADS_A_DAY_MAX = 200;

/** Checks the header of an upload, and whether the seller may upload one more. */
async function checkImage(
  { db, clock, pictures }: App,
  sellerId: bigint,
  image: UploadedImage | null,
) {
  if (!image) return ok(null);
  if (image.tooLarge) return refuse({ kind: "catalogue.image-too-large" });
  // Replaced ones included: a row stays for a day at least.
  const { uploads } = await one<{ uploads: number }>(db)`
    SELECT count(*)::int AS uploads FROM images
    WHERE seller_id = ${sellerId} AND created_at > ${addMs(clock.now(), -DAY_MS)}
  `;
  if (uploads >= UPLOADS_A_DAY_MAX) return refuse({ kind: "catalogue.images-too-many" });
  return pictures.check(image.bytes);
}

/** The active durations, shortest first; the `test` tier is for the demo only (decision 37). */
export function findDurations({ db, config }: App): Promise<DurationOption[]> {
  return many<DurationOption>(db)`
    SELECT id, minutes AS value, minutes, display_name AS label, display_name, description,
      discount_percent AS discount, price_tier, active
    FROM subscription_durations
    WHERE active AND (${config.demo} OR price_tier <> 'test')
    ORDER BY minutes, id
  `;
}

type DurationOption = Omit<contract.DurationOnWire, "id"> & { readonly id: bigint };
