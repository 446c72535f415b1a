import type { Sentences } from "../common/refusal.ts";
import { type Fcfa, fcfaToJson } from "@sesame/kernel";
import {
  METHOD_CLOSED,
  METHOD_MISSING,
  METHOD_NOT_FOUND,
  NO_METHOD,
  NO_PAYMENT_URL,
  PAYMENT_ID_MISSING,
  PRODUCT_NOT_FOUND,
  PROVIDER_UNREACHABLE,
  USER_UNKNOWN,
  sayIncomplete,
} from "../common/messages.fr.ts";

/** The order was made, and waits for a payment at another provider, or another time. */
type OfOrder = { readonly orderId: bigint | null };

/** Asked again after so long, it may be done. */
type Later = { readonly retryAfterSeconds: number };

/** Why an order is not made or not paid, in the order of the checks, and why one is not shown. */
export type CheckoutRefusal =
  | { readonly kind: "checkout.method-missing" }
  | { readonly kind: "checkout.email-invalid" }
  | { readonly kind: "checkout.seller-unknown" }
  | { readonly kind: "checkout.account-closed" }
  | { readonly kind: "checkout.product-not-found" }
  | { readonly kind: "checkout.own-product" }
  | { readonly kind: "checkout.suspended" }
  | { readonly kind: "checkout.product-closed" }
  | { readonly kind: "checkout.group-over-quota" }
  | { readonly kind: "checkout.group-unhealthy" }
  | { readonly kind: "checkout.group-admin" }
  | { readonly kind: "checkout.banned" }
  | { readonly kind: "checkout.amount-not-free" }
  | { readonly kind: "checkout.amount-invalid" }
  | { readonly kind: "checkout.amount-too-low"; readonly minimum: Fcfa }
  | { readonly kind: "checkout.amount-too-high" }
  | { readonly kind: "checkout.no-method" }
  | { readonly kind: "checkout.method-unknown" }
  | { readonly kind: "checkout.method-closed"; readonly orderId?: bigint }
  | { readonly kind: "checkout.sold-out" }
  | { readonly kind: "checkout.key-reused" }
  | ({ readonly kind: "checkout.too-many-unpaid" } & Later)
  | { readonly kind: "checkout.already-paid" }
  | { readonly kind: "checkout.under-review" }
  | { readonly kind: "checkout.order-too-old" }
  | { readonly kind: "checkout.too-many-tries" }
  | { readonly kind: "checkout.opening" }
  | ({ readonly kind: "checkout.too-many-openings" } & OfOrder & Later)
  | ({ readonly kind: "checkout.provider-busy" } & OfOrder & Later)
  | ({ readonly kind: "checkout.provider-refused"; readonly message: string | null } & OfOrder)
  | ({ readonly kind: "checkout.provider-keys-refused"; readonly providerName: string } & OfOrder)
  | ({ readonly kind: "checkout.provider-silent" } & OfOrder)
  | { readonly kind: "checkout.no-payment-url" }
  | { readonly kind: "checkout.order-not-found" }
  | { readonly kind: "checkout.payment-id-missing" }
  | { readonly kind: "checkout.notice-not-signed" };

export const checkoutRefusals: Sentences<CheckoutRefusal> = {
  "checkout.method-missing": {
    status: 422,
    message: METHOD_MISSING,
  },
  "checkout.email-invalid": {
    status: 422,
    message: "Veuillez saisir une adresse e-mail valide, ou laisser le champ vide.",
  },
  "checkout.seller-unknown": { status: 403, message: USER_UNKNOWN },
  "checkout.account-closed": {
    status: 422,
    message: "Ce compte vendeur est fermé : le plan Premium ne peut pas être acheté.",
  },
  "checkout.product-not-found": { status: 404, message: PRODUCT_NOT_FOUND },
  "checkout.own-product": {
    status: 422,
    message: "Vous êtes le vendeur de ce produit : vous ne pouvez pas l'acheter.",
  },
  "checkout.suspended": {
    status: 422,
    message:
      "Les ventes de ce produit sont suspendues. Aucun paiement n'a été fait ; les accès en cours continuent.",
  },
  "checkout.product-closed": {
    status: 422,
    message: "Ce produit n'est pas en vente pour le moment.",
  },
  "checkout.group-over-quota": {
    status: 422,
    message: "Les ventes de ce groupe sont en pause. Contactez le vendeur.",
  },
  "checkout.group-unhealthy": {
    status: 422,
    message:
      "Ce groupe ne peut pas accueillir de nouveaux membres pour le moment. Aucun paiement n'a été fait.",
  },
  "checkout.group-admin": {
    status: 422,
    message: "Vous administrez ce groupe : vous n'avez pas besoin d'y acheter un accès.",
  },
  "checkout.banned": {
    status: 422,
    message:
      "Les administrateurs vous ont exclu de ce groupe : un nouvel accès ne peut pas être acheté.",
  },
  "checkout.amount-not-free": {
    status: 422,
    message: "Le prix de ce produit est fixé par le vendeur : vous ne pouvez pas le choisir.",
  },
  "checkout.amount-invalid": {
    status: 422,
    message: "Veuillez saisir le montant de votre don en francs entiers.",
  },
  "checkout.amount-too-low": {
    status: 422,
    message: ({ minimum }) =>
      `Le montant minimum de ce don est de ${groupThousands(fcfaToJson(minimum))} FCFA.`,
  },
  "checkout.amount-too-high": {
    status: 422,
    message: "Le montant maximum d'un don est de 1 000 000 FCFA.",
  },
  "checkout.no-method": {
    status: 422,
    message: NO_METHOD,
  },
  "checkout.method-unknown": {
    status: 422,
    message: METHOD_NOT_FOUND,
  },
  "checkout.method-closed": {
    status: 422,
    message: METHOD_CLOSED,
  },
  "checkout.sold-out": {
    status: 422,
    message: "Il n'y a plus de place pour le moment.",
  },
  "checkout.key-reused": {
    status: 409,
    message: "Cette demande a déjà été envoyée avec un autre contenu.",
  },
  "checkout.too-many-unpaid": {
    status: 429,
    message:
      "Vous avez trop de commandes en attente de paiement. Payez l'une d'elles, ou réessayez plus tard.",
  },
  "checkout.already-paid": { status: 409, message: "Cette commande est déjà payée." },
  "checkout.under-review": {
    status: 409,
    message:
      "Un paiement reçu ne correspond pas à cette commande : notre équipe le vérifie. Ne payez pas une deuxième fois.",
  },
  "checkout.order-too-old": {
    status: 422,
    message: "Cette commande a plus de trois jours. Recommencez l'achat.",
  },
  "checkout.too-many-tries": {
    status: 422,
    message: "Trop d'essais de paiement pour cette commande. Recommencez l'achat.",
  },
  "checkout.opening": {
    status: 409,
    message: "Le paiement de cette commande est en préparation. Réessayez dans quelques secondes.",
  },
  "checkout.too-many-openings": {
    status: 429,
    message:
      "Vous avez ouvert beaucoup de paiements en peu de temps. Réessayez dans une minute : votre commande est gardée.",
  },
  "checkout.provider-busy": {
    status: 503,
    message:
      "Beaucoup de paiements s'ouvrent en ce moment. Réessayez dans une minute, ou choisissez un autre moyen de paiement.",
  },
  "checkout.provider-refused": {
    status: 422,
    message: ({ message }) =>
      `Erreur lors de l'initialisation du paiement${message ? ` : ${message}` : ""}`,
  },
  "checkout.provider-keys-refused": {
    status: 422,
    message: ({ providerName }) => sayIncomplete(providerName),
  },
  // Decision 58: said when the provider cannot be reached.
  "checkout.provider-silent": {
    status: 503,
    message: PROVIDER_UNREACHABLE,
  },
  "checkout.no-payment-url": {
    status: 422,
    message: NO_PAYMENT_URL,
  },
  "checkout.order-not-found": { status: 404, message: "Commande introuvable" },
  "checkout.payment-id-missing": { status: 422, message: PAYMENT_ID_MISSING },
  "checkout.notice-not-signed": { status: 403, message: "La signature est absente ou fausse." },
};

/** With the narrow space French numbers have. */
function groupThousands(amount: number): string {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** What an order is, on its status page and in lists. */
export const ORDER_STATUS_NAMES = {
  pending: "En attente",
  paid: "Complété",
  failed: "Échec",
  refunded: "Remboursé",
} as const;
