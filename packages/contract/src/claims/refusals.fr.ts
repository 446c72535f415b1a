import type { Sentences } from "../common/refusal.ts";

/** Why a claim is not opened, answered or decided, in the order of the checks. */
export type ClaimsRefusal =
  | { readonly kind: "claims.order-not-found" }
  | { readonly kind: "claims.not-found" }
  | { readonly kind: "claims.own-case" }
  | { readonly kind: "claims.kind-missing" }
  | { readonly kind: "claims.decision-missing" }
  | { readonly kind: "claims.words-missing" }
  | { readonly kind: "claims.words-too-long" }
  | { readonly kind: "claims.open-already" }
  | { readonly kind: "claims.too-many" }
  | { readonly kind: "claims.too-many-today"; readonly retryAfterSeconds: number }
  | { readonly kind: "claims.too-late" }
  | { readonly kind: "claims.order-refunded" }
  | { readonly kind: "claims.not-for-order" }
  | { readonly kind: "claims.closed" }
  | { readonly kind: "claims.with-operator" }
  | { readonly kind: "claims.with-seller" }
  | { readonly kind: "claims.too-many-words" };

export const claimsRefusals: Sentences<ClaimsRefusal> = {
  "claims.order-not-found": { status: 404, message: "Commande introuvable" },
  "claims.not-found": { status: 404, message: "Réclamation introuvable" },
  "claims.own-case": {
    status: 403,
    message: "Vous êtes le vendeur ou l'acheteur : quelqu'un d'autre doit décider.",
  },
  "claims.kind-missing": { status: 422, message: "Choisissez ce qui ne va pas." },
  "claims.decision-missing": { status: 422, message: "Choisissez : rembourser, ou rejeter." },
  "claims.words-missing": {
    status: 422,
    message: "Écrivez quelques mots (minimum 3 caractères).",
  },
  "claims.words-too-long": { status: 422, message: "Le message est trop long (1 000 caractères)." },
  "claims.open-already": {
    status: 409,
    message: "Une réclamation est déjà ouverte pour cette commande.",
  },
  "claims.too-many": {
    status: 409,
    message:
      "Cette commande a déjà été examinée : une nouvelle réclamation n'est plus possible. Contactez le support.",
  },
  "claims.too-many-today": {
    status: 429,
    message:
      "Vous avez déjà signalé plusieurs paiements aujourd'hui : ils sont en cours de vérification. Réessayez demain, ou contactez le support.",
  },
  "claims.too-late": {
    status: 422,
    message:
      "Plus de 90 jours ont passé : une réclamation n'est plus possible. Contactez le support.",
  },
  "claims.order-refunded": { status: 409, message: "Cette commande est déjà remboursée." },
  "claims.not-for-order": {
    status: 422,
    message: "Cette réclamation ne correspond pas à l'état de la commande.",
  },
  "claims.closed": { status: 409, message: "Cette réclamation est close." },
  "claims.with-operator": {
    status: 409,
    message: "L'opérateur examine déjà cette réclamation.",
  },
  "claims.with-seller": {
    status: 409,
    message: "Le vendeur a encore le temps de répondre : vous déciderez s'il ne le fait pas.",
  },
  "claims.too-many-words": {
    status: 409,
    message: "Vous avez déjà beaucoup écrit : attendez la réponse.",
  },
};
