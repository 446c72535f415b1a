import {
  lengthOf,
  missingFields,
  ofTexts,
  PRODUCT_TEXT_KEYS,
  PRODUCT_TEXTS,
  type ProductOnWire,
  type ProductTextKey,
  REQUIRED_FOR_EDIT,
  REQUIRED_FOR_NEW,
  readPrice,
  sayMissingFields,
} from "@sesame/contract/catalogue";
import { basisPoints, splitPrice } from "@sesame/kernel";

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

/** Whether something else is said than in the beginning. */
export function isChanged(values: Readonly<Record<string, string>>, begun: object): boolean {
  return Object.entries(begun).some(([name, value]) => values[name] !== value);
}

type Kind = "new" | "edit";

function missing(form: ProductForm, hasImage: boolean, kind: Kind) {
  const required = kind === "new" ? REQUIRED_FOR_NEW : REQUIRED_FOR_EDIT;
  return missingFields({ ...form, hasImage }, required);
}

/** The button is enabled once nothing required is empty (A §5). */
export function isComplete(form: ProductForm, hasImage: boolean, kind: Kind): boolean {
  const fits = PRODUCT_TEXT_KEYS.every((key) => lengthOf(form[key]) <= PRODUCT_TEXTS[key].max);
  return fits && missing(form, hasImage, kind).length === 0;
}

/** What a submission with holes is told (A §5); null when there are none. */
export function complaintOf(form: ProductForm, hasImage: boolean, kind: Kind): string | null {
  const names = missing(form, hasImage, kind);
  return names.length === 0 ? null : sayMissingFields(names);
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

/** What is left of the price after the server's fee; null while one of them is not known. */
export function splitOf(price: string, feePercent: number | null) {
  const amount = readPrice(price);
  if (amount === null || amount <= 0n || feePercent === null) return null;
  const { net, fee } = splitPrice(amount, basisPoints(Math.round(feePercent * 100)));
  return { net: Number(net), fee: Number(fee) };
}
