import { z } from "zod";
import { CALLS_A_MINUTE, type Owned, route } from "../common/route.ts";
import { catalogueRefusals as refusals } from "./refusals.fr.ts";
import { shopAnswer } from "./shop.ts";
import { offerAnswersAnswer, offerAnswersBody } from "./soni.ts";
import {
  durationOnWire,
  productAnswer,
  productArchivedAnswer,
  productForm,
  productOnWire,
  publicProductOnWire,
} from "./wire.ts";

export const listDurations = route("GET /api/config/subscription_durations", {
  summary: "Les durées proposées",
  access: "public",
  owns: null,
  answer: z.array(durationOnWire),
  example: {},
});

export const listProducts = route("GET /api/products", {
  summary: "Ses produits",
  access: "seller",
  owns: null,
  answer: z.array(productOnWire),
  example: {},
});

export const listProductsOfSeller = route("GET /api/products/seller/:id", {
  summary: "Ses produits, par son identifiant",
  access: "seller",
  owns: { id: { thing: "user", by: ["seller"] } },
  answer: z.array(productOnWire),
  example: {},
});

const ofSeller: Owned = { thing: "product", by: ["seller"] };

export const readProduct = route("GET /api/products/:id", {
  summary: "Un de ses produits",
  access: "seller",
  owns: { id: ofSeller },
  answer: productAnswer,
  refusals,
  example: {},
});

export const countProductMembers = route("GET /api/products/:id/members", {
  summary: "Combien de membres ont encore accès, avant d'archiver",
  access: "seller",
  owns: { id: ofSeller },
  answer: z.object({ success: z.literal(true), members: z.int() }),
  refusals,
  example: {},
});

export const createProduct = route("POST /api/products", {
  summary: "Publier un produit",
  access: "seller",
  owns: null,
  form: productForm,
  consumes: ["multipart/form-data"],
  answer: productAnswer,
  status: 201,
  refusals,
  repeatable: true,
  example: { body: {} },
});

export const changeProduct = route("PUT /api/products/:id", {
  summary: "Modifier un produit, l'activer ou le désactiver",
  access: "seller",
  owns: { id: ofSeller },
  form: productForm,
  consumes: ["multipart/form-data", "application/json"],
  answer: productAnswer,
  refusals,
  example: { body: { status: "active" } },
});

export const deleteProduct = route("DELETE /api/products/:id", {
  summary: "Archiver un produit : les accès en cours vont à leur terme",
  access: "seller",
  owns: { id: ofSeller },
  answer: productArchivedAnswer,
  refusals,
  example: {},
});

/** Read by whole mobile networks behind one address, and from memory. */
export const readPublicProduct = route("GET /api/public/products/:reference", {
  summary: "La page publique d'un produit, par sa référence",
  access: "public",
  owns: null,
  params: { reference: z.string().max(64) },
  answer: publicProductOnWire,
  refusals,
  limit: CALLS_A_MINUTE.product,
  example: { params: { reference: "nosuchref1" } },
});

export const readPublicProductByIds = route("GET /api/products/:idVendeur/:idProduit", {
  summary: "La page publique d'un produit, par vendeur et produit",
  access: "public",
  owns: null,
  answer: publicProductOnWire,
  refusals,
  limit: CALLS_A_MINUTE.page,
  example: { params: { idVendeur: "1", idProduit: "1" } },
});

export const readShop = route("GET /api/shop", {
  summary: "La boutique publique du vendeur : ses deux liens, et combien de produits s'y vendent",
  access: "seller",
  owns: null,
  answer: shopAnswer,
  example: {},
});

export const readSoni = route("GET /api/soni", {
  summary: "Ce que le vendeur a répondu à l'assistant Soni",
  access: "seller",
  owns: null,
  answer: offerAnswersAnswer,
  example: {},
});

/** Repeating it changes nothing: no key is needed. */
export const tellSoni = route("PUT /api/soni", {
  summary: "Garder une ou plusieurs réponses à l'assistant ; null en retire une",
  access: "seller",
  owns: null,
  body: offerAnswersBody,
  answer: offerAnswersAnswer,
  example: { body: { motivation: 4 } },
});
