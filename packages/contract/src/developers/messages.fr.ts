import { oneOf } from "@sesame/kernel";
import * as policy from "./policy.ts";
import { refusal, refusals, conflict } from "../common/refusal.ts";

/** Scopes of a key. Each call of /api/v1 needs one. */
export const SCOPE_NAMES = {
  "products:read": "Lire les produits",
  "products:write": "Activer ou désactiver un produit",
  "orders:read": "Lire les commandes",
  "accesses:read": "Lire les accès des membres",
  "statistics:read": "Lire les statistiques",
} as const;
export type KeyScope = keyof typeof SCOPE_NAMES;
export const KEY_SCOPES = Object.keys(SCOPE_NAMES) as readonly KeyScope[];
export const isKeyScope = oneOf(KEY_SCOPES);

/** Types of events sent to endpoints. */
export const EVENT_NAMES = {
  "order.paid": "Commande payée",
  "order.refunded": "Commande remboursée",
  "access.started": "Membre entré dans le groupe",
  "access.ended": "Accès terminé",
  "product.updated": "Produit modifié",
  "withdrawal.paid": "Retrait versé",
} as const;
export type EventType = keyof typeof EVENT_NAMES;
export const EVENT_TYPES = Object.keys(EVENT_NAMES) as readonly EventType[];
export const isEventType = oneOf(EVENT_TYPES);

export const KEY_CREATED = "Clé créée : copiez-la maintenant, elle ne sera plus affichée.";
export const KEY_CREATED_BEFORE =
  "Cette clé a déjà été créée et ne peut plus être affichée. Révoquez-la si vous ne l'avez pas copiée.";
export const KEY_REVOKED = "Clé révoquée : elle n'ouvre plus rien.";
export const ENDPOINT_CREATED = "Adresse ajoutée : copiez son secret maintenant.";
export const ENDPOINT_CHANGED = "Adresse modifiée.";
export const ENDPOINT_DELETED = "Adresse supprimée : plus rien ne lui est envoyé.";
export const SECRET_ROTATED =
  "Nouveau secret créé : pendant 24 heures, l'ancien signe encore à ses côtés.";
export const PING_SENT = "Événement de test envoyé.";
export const REPLAY_SENT = "Événement renvoyé.";

/** Why a key, an endpoint or a delivery is refused, in the order of the checks. */
export const developersRefusals = refusals({
  "developers.key-not-found": refusal(404, "Clé introuvable"),
  "developers.endpoint-not-found": refusal(404, "Adresse introuvable"),
  "developers.delivery-not-found": refusal(404, "Envoi introuvable"),
  "developers.name-missing": "Donnez un nom à la clé.",
  "developers.name-too-long": `Le nom est trop long (${policy.KEY_NAME_MAX} caractères).`,
  "developers.scopes-wrong": "Choisissez au moins un droit de la liste.",
  "developers.too-many-keys": conflict(
    `Vous avez déjà ${policy.KEYS_MAX} clés : révoquez-en une avant d'en créer une autre.`,
  ),
  "developers.url-wrong": "Donnez une adresse complète, qui commence par https://",
  "developers.url-too-long": `L'adresse est trop longue (${policy.ENDPOINT_URL_MAX} caractères).`,
  "developers.url-private":
    "Cette adresse n'est pas joignable depuis Internet : donnez une adresse publique.",
  "developers.events-wrong": "Choisissez au moins un événement de la liste.",
  "developers.switch-wrong": "Choisissez : active, ou en pause.",
  "developers.too-many-endpoints": conflict(
    `Vous avez déjà ${policy.ENDPOINTS_MAX} adresses : supprimez-en une avant d'en ajouter une autre.`,
  ),
  "developers.endpoint-off": conflict(
    "Cette adresse est en pause : réactivez-la pour lui envoyer quelque chose.",
  ),
  "developers.under-way": conflict("Cet envoi est déjà en cours."),
});

/** Why a call of /api/v1 is refused before its route runs. */
export const keyRefusals = refusals({
  "developers.key-missing": refusal(
    401,
    "Clé absente : envoyez l'en-tête Authorization: Bearer sk_sesame_…",
  ),
  "developers.key-refused": refusal(401, "Clé inconnue ou révoquée."),
  "developers.scope-missing": refusal<{ scope: KeyScope }>(
    403,
    ({ scope }) => `Cette clé n'a pas le droit ${scope}.`,
  ),
});
