import type { CallText } from "../http/openapi.ts";

const catalogue = "Catalogue";

export const SHOP_CALLS: Readonly<Record<string, CallText>> = {
  "GET /api/shop": {
    tag: catalogue,
    summary: "La boutique publique du vendeur : ses deux liens, et combien de produits s'y vendent",
  },
  "GET /api/soni": {
    tag: catalogue,
    summary: "Ce que le vendeur a répondu à l'assistant Soni",
  },
  "PUT /api/soni": {
    tag: catalogue,
    summary: "Garder une ou plusieurs réponses à l'assistant ; null en retire une",
  },
};
