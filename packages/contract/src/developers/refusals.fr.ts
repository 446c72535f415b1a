import type { Sentences } from "../common/refusal.ts";
import {
  ENDPOINT_URL_MAX,
  ENDPOINTS_MAX,
  KEY_NAME_MAX,
  KEYS_MAX,
  type KeyScope,
} from "./policy.ts";

/** Why a key, an endpoint or a delivery is refused, in the order of the checks. */
export type DevelopersRefusal =
  | { readonly kind: "developers.key-not-found" }
  | { readonly kind: "developers.endpoint-not-found" }
  | { readonly kind: "developers.delivery-not-found" }
  | { readonly kind: "developers.name-missing" }
  | { readonly kind: "developers.name-too-long" }
  | { readonly kind: "developers.scopes-wrong" }
  | { readonly kind: "developers.too-many-keys" }
  | { readonly kind: "developers.url-wrong" }
  | { readonly kind: "developers.url-too-long" }
  | { readonly kind: "developers.url-private" }
  | { readonly kind: "developers.events-wrong" }
  | { readonly kind: "developers.switch-wrong" }
  | { readonly kind: "developers.too-many-endpoints" }
  | { readonly kind: "developers.endpoint-off" }
  | { readonly kind: "developers.under-way" };

export const developersRefusals: Sentences<DevelopersRefusal> = {
  "developers.key-not-found": { status: 404, message: "Clé introuvable" },
  "developers.endpoint-not-found": { status: 404, message: "Adresse introuvable" },
  "developers.delivery-not-found": { status: 404, message: "Envoi introuvable" },
  "developers.name-missing": { status: 422, message: "Donnez un nom à la clé." },
  "developers.name-too-long": {
    status: 422,
    message: `Le nom est trop long (${KEY_NAME_MAX} caractères).`,
  },
  "developers.scopes-wrong": { status: 422, message: "Choisissez au moins un droit de la liste." },
  "developers.too-many-keys": {
    status: 409,
    message: `Vous avez déjà ${KEYS_MAX} clés : révoquez-en une avant d'en créer une autre.`,
  },
  "developers.url-wrong": {
    status: 422,
    message: "Donnez une adresse complète, qui commence par https://",
  },
  "developers.url-too-long": {
    status: 422,
    message: `L'adresse est trop longue (${ENDPOINT_URL_MAX} caractères).`,
  },
  "developers.url-private": {
    status: 422,
    message: "Cette adresse n'est pas joignable depuis Internet : donnez une adresse publique.",
  },
  "developers.events-wrong": {
    status: 422,
    message: "Choisissez au moins un événement de la liste.",
  },
  "developers.switch-wrong": { status: 422, message: "Choisissez : active, ou en pause." },
  "developers.too-many-endpoints": {
    status: 409,
    message: `Vous avez déjà ${ENDPOINTS_MAX} adresses : supprimez-en une avant d'en ajouter une autre.`,
  },
  "developers.endpoint-off": {
    status: 409,
    message: "Cette adresse est en pause : réactivez-la pour lui envoyer quelque chose.",
  },
  "developers.under-way": { status: 409, message: "Cet envoi est déjà en cours." },
};

/** Why a call of /api/v1 is refused before it is made. */
export type KeyRefusal =
  | { readonly kind: "developers.key-missing" }
  | { readonly kind: "developers.key-refused" }
  | { readonly kind: "developers.scope-missing"; readonly scope: KeyScope };

export const keyRefusals: Sentences<KeyRefusal> = {
  "developers.key-missing": {
    status: 401,
    message: "Clé absente : envoyez l'en-tête Authorization: Bearer sk_sesame_…",
  },
  "developers.key-refused": { status: 401, message: "Clé inconnue ou révoquée." },
  "developers.scope-missing": {
    status: 403,
    message: ({ scope }) => `Cette clé n'a pas le droit ${scope}.`,
  },
};
