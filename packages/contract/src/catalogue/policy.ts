import { type Fcfa, fcfa } from "@sesame/kernel";

export const PRICE_MIN = fcfa(100n);
export const PRICE_MAX = fcfa(1_000_000n);
export const TITLE_MAX = 120;
export const DESCRIPTION_MAX = 500;
export const STOCK_MAX = 1_000_000;

/** The largest image from a phone, in megabytes; the form checks it before sending. */
export const IMAGE_MB_MOBILE = 3;
/** The largest image from any other device, in megabytes, and the limit of the server. */
export const IMAGE_MB = 5;
export const IMAGE_BYTES_MAX = IMAGE_MB * 1024 * 1024;

/** An image with more pixels is refused by its header, before it is decoded. */
export const IMAGE_PIXELS_MAX = 50_000_000;
export const IMAGE_SIDE_MAX = 12_000;

export const IMAGE_WIDTHS = [360, 800] as const;

/** `access` opens a group for a time; `donation` accepts any amount and opens nothing (decision 45). */
export const PRODUCT_KINDS = ["access", "donation"] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];

/** The maximum number of suggested amounts of a donation. */
export const SUGGESTIONS_MAX = 4;

export const PRODUCT_CATEGORIES = ["formation", "service", "ebook", "other"] as const;
export type ProductCategory = (typeof PRODUCT_CATEGORIES)[number];

/** The choices of the assistant's question about the purpose of the seller's offer (decision 75). */
export const OFFER_GOALS = ["community", "training", "service", "support"] as const;
export type OfferGoal = (typeof OFFER_GOALS)[number];

/**
 * Decision 34: `active` can be bought; `pending` switched on, but something is missing; `inactive`
 * switched off by the seller.
 */
export type ProductStatus = "active" | "pending" | "inactive";

export type RequiredField = "title" | "price" | "duration" | "image";

/** The empty fields, in the order of their names in the sentence (A §5). */
export function missingFields(
  fields: Readonly<Record<"title" | "price" | "duration", string>> & { readonly hasImage: boolean },
  required: readonly RequiredField[],
) {
  const filled: Record<RequiredField, boolean> = {
    title: fields.title.trim() !== "",
    price: fields.price.trim() !== "",
    duration: fields.duration.trim() !== "",
    image: fields.hasImage,
  };
  return required.filter((name) => !filled[name]);
}

export const REQUIRED_FOR_NEW: readonly RequiredField[] = ["title", "price", "duration", "image"];
export const REQUIRED_FOR_EDIT: readonly RequiredField[] = ["title", "price", "duration"];
/** The price of a donation is its minimum; a donation needs no image. */
export const REQUIRED_FOR_DONATION: readonly RequiredField[] = ["title", "price"];

/** Whole francs typed by a person, spaces allowed: "5 000". Null: not a whole number. */
export function readPrice(text: string): Fcfa | null {
  const digits = text.replace(/[\s\u00a0\u202f]/g, "");
  return /^\d{1,12}$/.test(digits) ? fcfa(BigInt(digits)) : null;
}

/**
 * Suggested amounts as typed, "1 000, 5 000": each once, smallest first. Null: an amount is not
 * allowed, or there are too many.
 */
export function readSuggestions(text: string, minimum: Fcfa): readonly Fcfa[] | null {
  const parts = text.split(/[,;]/).filter((part) => part.trim() !== "");
  const amounts = new Set<Fcfa>();
  for (const part of parts) {
    const amount = readPrice(part);
    if (amount === null || amount < minimum || amount > PRICE_MAX) return null;
    amounts.add(amount);
  }
  if (amounts.size > SUGGESTIONS_MAX) return null;
  return [...amounts].toSorted((a, b) => (a < b ? -1 : 1));
}

export function isPriceAllowed(price: Fcfa): boolean {
  return price >= PRICE_MIN && price <= PRICE_MAX;
}

/** The number of characters as a person, and the database, count them. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** The start parameter of a seller's public shop. No product can have such a reference: the database refuses it. */
export function shopReference(sellerId: bigint | string): string {
  return `boutique_${sellerId}`;
}

/** The seller of a shop's start parameter; null for any other parameter. */
export function readShopReference(parameter: string): bigint | null {
  const [, id] = /^boutique_([1-9]\d{0,17})$/.exec(parameter) ?? [];
  return id === undefined ? null : BigInt(id);
}
