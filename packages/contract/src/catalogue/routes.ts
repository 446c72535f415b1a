import { z } from "zod";
import { staffDurationOnWire } from "../back-office/settings-routes.ts";
import { CALLS_A_MINUTE, type Owned, route } from "../common/route.ts";
import { francs, id, instantOnWire, success } from "../common/wire.ts";
import { OFFER_GOALS, PRODUCT_CATEGORIES, PRODUCT_KINDS, TITLE_MAX } from "./policy.ts";
import { ofTexts, catalogueRefusals as refusals } from "./messages.fr.ts";

const durationOnWire = staffDurationOnWire.omit({ products: true }).extend({
  /** The same as `minutes`. */
  value: z.int(),
  /** The same as `label`. */
  display_name: z.string(),
});
export type DurationOnWire = z.input<typeof durationOnWire>;

/** One picture in two widths and two formats; addresses are paths of the app's own origin. */
const pictureOnWire = z.object({
  /** The width of the larger picture. */
  width: z.int(),
  height: z.int(),
  sources: z.array(
    z.object({ width: z.int(), height: z.int(), avif: z.string(), jpeg: z.string() }),
  ),
});
export type PictureOnWire = z.input<typeof pictureOnWire>;

/** The public fields of a product. */
const face = {
  id,
  /** The buyer of a `donation` chooses the amount: `amount` of `POST /api/orders`. */
  kind: z.enum(PRODUCT_KINDS),
  reference: z.string(),
  title: z.string(),
  /** The minimum of a donation. */
  price: francs,
  /** Suggested amounts of a donation, smallest first; empty for an access. */
  suggestions: z.array(francs),
  ...ofTexts(() => z.string()),
  /** The larger JPEG; null without image. */
  image_url: z.string().nullable(),
  picture: pictureOnWire.nullable(),
  /** Minutes; 0 for a donation, whose label is "montant libre". */
  duration: z.int(),
  /** "30 jours". */
  duration_label: z.string(),
  /** Only `active` can be bought. */
  status: z.enum(["active", "pending", "inactive"]),
  /** Opens this product inside Telegram. */
  share_link: z.string(),
};

/** A product as its seller sees it (A §3): a donation has neither group nor places. */
export const productOnWire = z.object({
  ...face,
  /** The id of the duration, for the form; null when it is no longer offered. */
  duration_id: id.nullable(),
  group_id: id.nullable(),
  /** Telegram's chat id, as A §3 names it. */
  idGroup: z.int().nullable(),
  group: z.object({ id, name: z.string(), type: z.enum(["groupe", "canal"]) }).nullable(),
  /** French, when pending. */
  status_reason: z.string().nullable(),
  views: z.int(),
  /** Paid orders, new and renewals (decision 89). */
  sales: z.int(),
  sales_new: z.int(),
  sales_renewed: z.int(),
  /** Francs paid by buyers, and the seller's share of them (decision 41). */
  revenue_gross: francs,
  revenue_net: francs,
  category: z.enum(PRODUCT_CATEGORIES),
  /** Places in all; null without limit. */
  stock: z.int().nullable(),
  created_at: instantOnWire,
  updated_at: instantOnWire,
});
export type ProductOnWire = z.input<typeof productOnWire>;

/** A product as everybody sees it. */
export const publicProductOnWire = z.object({
  ...face,
  seller: z.object({ id, name: z.string() }),
  /** Null for a donation: it opens no group. */
  group: z
    .object({
      name: z.string(),
      type: z.enum(["groupe", "canal"]),
      members: z.int().nullable(),
    })
    .nullable(),
  /** Why it cannot be bought; absent when it can. */
  unavailable: z.enum(["switched-off", "suspended", "group", "payment"]).optional(),
  /** Places that nobody holds or is paying for now; null without limit. */
  places_left: z.int().nullable(),
  /** Ids for `POST /api/orders`; `GET /api/payment-providers` describes them. */
  providers: z.array(z.string()),
});
export type PublicProductOnWire = z.input<typeof publicProductOnWire>;

/** A product in a seller's public shop (decision 43), without the fields only its own page needs. */
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

/**
 * Fields of `POST` and `PUT /api/products`: multipart, or JSON for `PUT`. Each field has its own
 * refusal, so the schema accepts numbers and texts; `image` is the file.
 */
const looseText = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? "" : String(value)));

/** A missing field has its refusal in A §5; a value that is no text counts as missing. */
const requiredText = z
  .unknown()
  .transform((value) => looseText.safeParse(value).data ?? "")
  .optional();

export const productForm = z.object({
  title: requiredText,
  price: requiredText,
  ...ofTexts(() => looseText.optional()),
  duration: requiredText,
  group_id: looseText.optional(),
  category: looseText.optional(),
  stock: looseText.optional(),
  status: looseText.optional(),
  /** `access` when absent; fixed when the product is created. */
  kind: looseText.optional(),
  /** Of a donation: "1000, 5000", or a list of numbers in JSON. */
  suggestions: z
    .union([looseText, z.array(looseText).transform((amounts) => amounts.join(","))])
    .optional(),
});
export type ProductForm = z.output<typeof productForm>;

/** Answers to the assistant at /soni (decisions 75, 97); null: not answered yet. */
const offerAnswers = z.object({
  name: z.string().trim().min(1).max(TITLE_MAX).nullable(),
  goal: z.enum(OFFER_GOALS).nullable(),
  motivation: z.int().min(1).max(5).nullable(),
});
export type OfferAnswers = z.input<typeof offerAnswers>;

export const listDurations = route("GET /api/config/subscription_durations", {
  access: "public",
  summary: "Les durées proposées",
  answer: z.array(durationOnWire),
});

export const listProducts = route("GET /api/products", {
  access: "seller",
  summary: "Ses produits",
  answer: z.array(productOnWire),
});

export const listProductsOfSeller = route("GET /api/products/seller/:id", {
  access: "seller",
  summary: "Ses produits, par son identifiant",
  owns: { id: { thing: "user", by: ["seller"] } },
  answer: z.array(productOnWire),
});

const ofSeller: Owned = { thing: "product", by: ["seller"] };
const ofProduct = { access: "seller", owns: { id: ofSeller }, refusals } as const;
const page = { access: "public", answer: publicProductOnWire, refusals } as const;

export const readProduct = route("GET /api/products/:id", {
  ...ofProduct,
  summary: "Un de ses produits",
  answer: success({ product: productOnWire }),
});

export const countProductMembers = route("GET /api/products/:id/members", {
  ...ofProduct,
  summary: "Combien de membres ont encore accès, avant d'archiver",
  answer: success({ members: z.int() }),
});

export const createProduct = route("POST /api/products", {
  access: "seller",
  summary: "Publier un produit",
  owns: null,
  form: productForm,
  consumes: ["multipart/form-data"],
  answer: success({ product: productOnWire }),
  status: 201,
  refusals,
  repeatable: true,
  example: { body: {} },
});

export const changeProduct = route("PUT /api/products/:id", {
  ...ofProduct,
  summary: "Modifier un produit, l'activer ou le désactiver",
  form: productForm,
  consumes: ["multipart/form-data", "application/json"],
  answer: success({ product: productOnWire }),
  example: { body: { status: "active" } },
});

export const deleteProduct = route("DELETE /api/products/:id", {
  ...ofProduct,
  summary: "Archiver un produit : les accès en cours vont à leur terme",
  /** How many members keep their membership until its end. */
  answer: success({ members: z.int() }),
});

/** Many people of one mobile network share an address; the answer comes from a cache. */
export const readPublicProduct = route("GET /api/public/products/:reference", {
  ...page,
  summary: "La page publique d'un produit, par sa référence",
  owns: null,
  params: { reference: z.string().max(64) },
  limit: CALLS_A_MINUTE.product,
  example: { params: { reference: "nosuchref1" } },
});

export const readPublicProductByIds = route("GET /api/products/:idVendeur/:idProduit", {
  ...page,
  summary: "La page publique d'un produit, par vendeur et produit",
  owns: null,
  limit: CALLS_A_MINUTE.page,
  example: { params: { idVendeur: "1", idProduit: "1" } },
});

export const readShop = route("GET /api/shop", {
  access: "seller",
  summary: "La boutique publique du vendeur : ses deux liens, et combien de produits s'y vendent",
  answer: success({
    /** Opens the shop inside Telegram. */
    share_link: z.string(),
    /** The same in any browser. */
    page_url: z.string(),
    /** How many products the shop shows now. */
    products: z.int(),
    /** False: the seller is suspended or closed, and the shop is not found. */
    open: z.boolean(),
  }),
});

export const readSoni = route("GET /api/soni", {
  access: "seller",
  summary: "Ce que le vendeur a répondu à l'assistant Soni",
  answer: success({ answers: offerAnswers }),
});

/** Repeatable without an idempotency key: the same answers change nothing. */
export const answerSoni = route("PUT /api/soni", {
  access: "seller",
  summary: "Garder une ou plusieurs réponses à l'assistant ; null en retire une",
  owns: null,
  /** An absent field stays as it was; null removes an answer. */
  body: offerAnswers.partial(),
  answer: success({ answers: offerAnswers }),
  example: { body: { motivation: 4 } },
});
