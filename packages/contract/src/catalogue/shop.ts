import { z } from "zod";
import { publicProductOnWire } from "./wire.ts";

// A seller's public shop (decision 43): all that he has on sale, at one address.

/** What a product's row of the shop needs; the product's own page says the rest. */
export const shopProductOnWire = publicProductOnWire.pick({
  kind: true,
  reference: true,
  title: true,
  price: true,
  image_url: true,
  picture: true,
  duration_label: true,
  places_left: true,
});
export type ShopProductOnWire = z.input<typeof shopProductOnWire>;

/** What the server renders at `/boutique/{idVendeur}`. */
export type PublicShopOnWire = {
  readonly seller: { readonly id: string; readonly name: string };
  readonly products: readonly ShopProductOnWire[];
};

/** The caller's own, and where people find it. */
export const shopAnswer = z.object({
  success: z.literal(true),
  /** Opens the shop inside Telegram. */
  share_link: z.string(),
  /** The same in any browser. */
  page_url: z.string(),
  /** How many products stand there now. */
  products: z.int(),
  /** False: suspended or closed, nobody finds it. */
  open: z.boolean(),
});
export type ShopAnswer = z.input<typeof shopAnswer>;

/** The shop's start parameter. The database refuses a product any reference that begins so. */
export function shopReference(sellerId: bigint | string): string {
  return `boutique_${sellerId}`;
}

/** The seller a start parameter names; null when it is none of a shop. */
export function readShopReference(parameter: string): bigint | null {
  const [, id] = /^boutique_([1-9]\d{0,17})$/.exec(parameter) ?? [];
  return id === undefined ? null : BigInt(id);
}
