import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { PRODUCT_CATEGORIES, PRODUCT_KINDS } from "./policy.ts";

export const durationOnWire = z.object({
  id: z.string(),
  /** The same as `minutes`. */
  value: z.int(),
  minutes: z.int(),
  label: z.string(),
  display_name: z.string(),
  description: z.string(),
  /** Percent; advice to the seller, changes no amount. */
  discount: z.int(),
  price_tier: z.enum(["premium", "standard", "basic", "test"]),
  active: z.boolean(),
});
export type DurationOnWire = z.input<typeof durationOnWire>;

export const productStatusOnWire = z.enum(["active", "pending", "inactive"]);

/** One picture in two widths and two formats; addresses are paths on the app's own origin. */
export const pictureOnWire = z.object({
  /** Of the larger one. */
  width: z.int(),
  height: z.int(),
  sources: z.array(
    z.object({ width: z.int(), height: z.int(), avif: z.string(), jpeg: z.string() }),
  ),
});
export type PictureOnWire = z.input<typeof pictureOnWire>;

/** A product, as its seller sees it (A §3). */
export const productOnWire = z.object({
  id: z.string(),
  /** A `donation` has neither group, nor duration, nor places: they are null, 0 and null. */
  kind: z.enum(PRODUCT_KINDS),
  reference: z.string(),
  title: z.string(),
  /** Whole francs; of a donation the least that is taken. */
  price: z.int(),
  /** Amounts a donation offers, the least first; none for an access. */
  suggestions: z.array(z.int()),
  description: z.string(),
  /** The larger JPEG; null without image. */
  image_url: z.string().nullable(),
  picture: pictureOnWire.nullable(),
  /** Minutes; 0 for a donation. */
  duration: z.int(),
  /** The option's id, for the form; null when the option is no longer offered. */
  duration_id: z.string().nullable(),
  /** "30 jours". */
  duration_label: z.string(),
  group_id: z.string().nullable(),
  /** Telegram's chat id, as A §3 names it. */
  idGroup: z.int().nullable(),
  group: z
    .object({ id: z.string(), name: z.string(), type: z.enum(["groupe", "canal"]) })
    .nullable(),
  status: productStatusOnWire,
  /** French, when pending. */
  status_reason: z.string().nullable(),
  share_link: z.string(),
  views: z.int(),
  /** Paid orders, new and renewals (decision 89). */
  sales: z.int(),
  sales_new: z.int(),
  sales_renewed: z.int(),
  /** Francs paid by buyers, and what of them came to the seller (decision 41). */
  revenue_gross: z.int(),
  revenue_net: z.int(),
  category: z.enum(PRODUCT_CATEGORIES),
  /** Places in all; null without limit. */
  stock: z.int().nullable(),
  created_at: instantOnWire,
  updated_at: instantOnWire,
});
export type ProductOnWire = z.input<typeof productOnWire>;

export const productAnswer = z.object({ success: z.literal(true), product: productOnWire });
export type ProductAnswer = z.input<typeof productAnswer>;

/** The product is archived (decision 32). */
export const productArchivedAnswer = z.object({
  success: z.literal(true),
  /** Whose access still runs to its end. */
  members: z.int(),
});

/** As anybody sees it. */
export const publicProductOnWire = z.object({
  id: z.string(),
  /** A `donation` is paid what its buyer chooses: `POST /api/orders` takes its `amount`. */
  kind: z.enum(PRODUCT_KINDS),
  reference: z.string(),
  title: z.string(),
  /** Of a donation the least that is taken. */
  price: z.int(),
  /** Amounts a donation offers; none for an access. */
  suggestions: z.array(z.int()),
  description: z.string(),
  image_url: z.string().nullable(),
  picture: pictureOnWire.nullable(),
  /** Minutes; 0 for a donation, whose label is "montant libre". */
  duration: z.int(),
  duration_label: z.string(),
  seller: z.object({ id: z.string(), name: z.string() }),
  /** Null for a donation: it opens none. */
  group: z
    .object({
      name: z.string(),
      type: z.enum(["groupe", "canal"]),
      members: z.int().nullable(),
    })
    .nullable(),
  /** Only `active` can be bought. */
  status: productStatusOnWire,
  /** Why it cannot be bought; absent when it can. */
  unavailable: z.enum(["switched-off", "suspended", "group", "payment"]).optional(),
  /** Places left to anybody, those of the line taken off; null without limit. */
  places_left: z.int().nullable(),
  /** Ids for `POST /api/orders`; `GET /api/payment-providers` describes them. */
  providers: z.array(z.string()),
  /** Opens this product inside Telegram. */
  share_link: z.string(),
});
export type PublicProductOnWire = z.input<typeof publicProductOnWire>;

/**
 * Fields of `POST` and `PUT /api/products`: multipart, or JSON for `PUT`. Each is checked by its
 * own sentence, so numbers and texts both pass here; `image` is the file.
 */
const looseText = z.union([z.string(), z.number(), z.boolean(), z.null()]).transform(textOf);

/** Has its sentence in A §5, whatever its type: what is no text at all was not filled in. */
const requiredText = z
  .unknown()
  .transform((value) => looseText.safeParse(value).data ?? "")
  .optional();

export const productForm = z.object({
  title: requiredText,
  price: requiredText,
  description: looseText.optional(),
  duration: requiredText,
  group_id: looseText.optional(),
  category: looseText.optional(),
  stock: looseText.optional(),
  status: looseText.optional(),
  /** `access` when absent; said once, when the product is made. */
  kind: looseText.optional(),
  /** Of a donation: "1000, 5000", or as JSON a list of numbers. */
  suggestions: z
    .union([looseText, z.array(looseText).transform((amounts) => amounts.join(","))])
    .optional(),
});
export type ProductForm = z.output<typeof productForm>;

function textOf(value: string | number | boolean | null): string {
  return value === null ? "" : String(value);
}
