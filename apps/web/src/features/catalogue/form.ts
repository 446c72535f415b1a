import {
  isPriceAllowed,
  lengthOf,
  missingFields,
  ofTexts,
  PRICE_MAX,
  PRICE_MIN,
  PRODUCT_TEXT_KEYS,
  PRODUCT_TEXTS,
  type ProductOnWire,
  type ProductTextKey,
  REQUIRED_FOR_EDIT,
  REQUIRED_FOR_NEW,
  readPrice,
  REQUIRED_FIELD_NAMES,
  type DurationOnWire,
} from "@sesame/contract/catalogue";
import { basisPoints, splitPrice } from "@sesame/kernel";
import { kitCopy } from "../../kit/messages.fr.ts";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { catalogueCopy } from "./messages.fr.ts";
import { forget, keep, readKept } from "../../lib/storage.ts";
import { isSuggested, type Offer, TEMPLATES, type TemplateId } from "./offers.fr.ts";

/**
 * A §3 "Product form state", with the optional fields of decision 38. `duration`: an option's id;
 * `KEEP_DURATION` keeps one that is no longer offered.
 */
export type ProductField = "title" | "price" | "duration" | "category" | "stock" | ProductTextKey;
export type ProductForm = Readonly<Record<ProductField, string>>;

export const KEEP_DURATION = "keep";

export const EMPTY_FORM: ProductForm = {
  title: "",
  price: "",
  ...ofTexts(() => ""),
  duration: "",
  category: "other",
  stock: "",
};

export function formOf(product: ProductOnWire): ProductForm {
  return {
    title: product.title,
    price: String(product.price),
    ...ofTexts((key) => product[key]),
    duration: product.duration_id ?? KEEP_DURATION,
    category: product.category,
    stock: product.stock === null ? "" : String(product.stock),
  };
}

/** « De 100 à 1 000 000 FCFA. » */
export const PRICE_RANGE = catalogueCopy.form.priceRange(
  formatNumber(Number(PRICE_MIN)),
  formatFcfa(Number(PRICE_MAX)),
);

/** Why it cannot be sent yet (A §5): what is missing, else what is wrong; null when nothing is. */
export function lackOf(form: ProductForm, hasImage: boolean, kind: "new" | "edit"): string | null {
  const required = kind === "new" ? REQUIRED_FOR_NEW : REQUIRED_FOR_EDIT;
  const names = missingFields({ ...form, hasImage }, required);
  if (names.length > 0) return kitCopy.missing(names.map((name) => REQUIRED_FIELD_NAMES[name]));
  const price = readPrice(form.price);
  if (price === null || !isPriceAllowed(price)) {
    return kitCopy.wrong(REQUIRED_FIELD_NAMES.price, PRICE_RANGE);
  }
  const long = PRODUCT_TEXT_KEYS.find((key) => lengthOf(form[key]) > PRODUCT_TEXTS[key].max);
  if (long === undefined) return null;
  const { label, max } = PRODUCT_TEXTS[long];
  return kitCopy.wrong(label, kitCopy.tooLong(max));
}

/** The multipart body of A §7. `image`: a new file, or none to keep the present one. */
export function bodyOf(form: ProductForm, image: Blob | null, groupId: string | null): FormData {
  const body = new FormData();
  if (groupId !== null) body.set("group_id", groupId);
  body.set("title", form.title.trim());
  body.set("price", String(readPrice(form.price) ?? form.price));
  for (const key of PRODUCT_TEXT_KEYS) body.set(key, form[key]);
  if (form.duration !== KEEP_DURATION) body.set("duration", form.duration);
  body.set("category", form.category);
  body.set("stock", form.stock.trim());
  const extension = image?.type.split("/")[1]?.replace("jpeg", "jpg") ?? "jpg";
  if (image) body.set("image", image, `image.${extension}`);
  return body;
}

/** What is left of a price that is taken, after the server's fee; null while one is not known. */
export function splitOf(price: string, feePercent: number | null) {
  const amount = readPrice(price);
  if (amount === null || !isPriceAllowed(amount) || feePercent === null) return null;
  const { net, fee } = splitPrice(amount, basisPoints(Math.round(feePercent * 100)));
  return { net: Number(net), fee: Number(fee) };
}

// The draft of a new product: its texts survive a closed app, its image stays in memory.
// `place`: the seller and the group.
const images = new Map<string, Blob>();

const keyOf = (place: string) => `productDraft:${place}`;

/** Null without a draft. */
export function readDraft(place: string): ProductForm | null {
  const kept = readKept("local", keyOf(place));
  return kept ? { ...EMPTY_FORM, ...(kept as Partial<ProductForm>) } : null;
}

export function draftImage(place: string): Blob | null {
  return images.get(place) ?? null;
}

export function keepDraft(place: string, form: ProductForm, image: Blob | null): void {
  if (image) images.set(place, image);
  else images.delete(place);
  keep("local", keyOf(place), form);
}

export function dropDraft(place: string): void {
  images.delete(place);
  forget("local", keyOf(place));
}

/**
 * Fills the form with an offer. What the seller typed is never overwritten; the duration belongs to
 * the offer's name and is always set.
 */
export function fillForm(
  form: ProductForm,
  offer: Offer,
  durations: readonly DurationOnWire[],
): ProductForm {
  const option = durations.find(({ minutes, active }) => active && minutes === offer.minutes);
  const before = templateOf(form);
  const category = before === "" ? "other" : TEMPLATES[before].category;
  return {
    ...form,
    title: isSuggested.title(form.title) ? offer.title : form.title,
    price: isSuggested.price(form.price) ? offer.price : form.price,
    description: isSuggested.description(form.description) ? offer.description : form.description,
    category: ["other", category].includes(form.category) ? offer.category : form.category,
    duration: option?.id ?? form.duration,
  };
}

/** The template whose title the form still has. */
export function templateOf(form: ProductForm): TemplateId | "" {
  const ids = Object.keys(TEMPLATES) as TemplateId[];
  return ids.find((id) => TEMPLATES[id].title === form.title) ?? "";
}
