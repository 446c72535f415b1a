import type { Sentences } from "../common/refusal.ts";

/** Why an order is not made, in the order of the checks, and why one is not shown. */
export type CheckoutRefusal =
  | { readonly kind: "checkout.method-missing" }
  | { readonly kind: "checkout.email-invalid" }
  | { readonly kind: "checkout.plan-not-sold" }
  | { readonly kind: "checkout.product-not-found" }
  | { readonly kind: "checkout.own-product" }
  | { readonly kind: "checkout.suspended" }
  | { readonly kind: "checkout.product-closed" }
  | { readonly kind: "checkout.group-over-quota" }
  | { readonly kind: "checkout.group-unhealthy" }
  | { readonly kind: "checkout.group-admin" }
  | { readonly kind: "checkout.banned" }
  | { readonly kind: "checkout.no-method" }
  | { readonly kind: "checkout.method-unknown" }
  | { readonly kind: "checkout.method-closed" }
  | { readonly kind: "checkout.sold-out" }
  | { readonly kind: "checkout.key-reused" }
  | { readonly kind: "checkout.provider-refused"; readonly message: string | null }
  | { readonly kind: "checkout.provider-keys-refused"; readonly providerName: string }
  | { readonly kind: "checkout.order-not-found" }
  | { readonly kind: "checkout.payment-id-missing" }
  | { readonly kind: "checkout.notice-not-signed" };

export const checkoutRefusals: Sentences<CheckoutRefusal> = {
  "checkout.method-missing": {
    status: 422,
    message: "Veuillez sélectionner une méthode de paiement",
  },
  "checkout.email-invalid": {
    status: 422,
    message: "Veuillez saisir une adresse e-mail valide, ou laisser le champ vide.",
  },
  "checkout.plan-not-sold": {
    status: 422,
    message: "Le plan Premium ne peut pas être acheté sur cette instance.",
  },
  "checkout.product-not-found": { status: 404, message: "Produit introuvable" },
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
  "checkout.no-method": {
    status: 422,
    message:
      "Aucun agrégateur de paiement n'est disponible actuellement. Veuillez contacter le support.",
  },
  "checkout.method-unknown": {
    status: 422,
    message: "Méthode de paiement non trouvée. Veuillez réessayer.",
  },
  "checkout.method-closed": {
    status: 422,
    message: "Méthode de paiement non disponible. Veuillez réessayer.",
  },
  "checkout.sold-out": {
    status: 422,
    message: "Il n'y a plus de place. Une place réservée se libère au bout de 15 minutes.",
  },
  "checkout.key-reused": {
    status: 409,
    message: "Cette demande a déjà été envoyée avec un autre contenu.",
  },
  "checkout.provider-refused": {
    status: 422,
    message: ({ message }) =>
      `Erreur lors de l'initialisation du paiement${message ? ` : ${message}` : ""}`,
  },
  "checkout.provider-keys-refused": {
    status: 422,
    message: ({ providerName }) => `Configuration incomplète pour ${providerName}`,
  },
  "checkout.order-not-found": { status: 404, message: "Commande introuvable" },
  "checkout.payment-id-missing": { status: 422, message: "ID de paiement manquant" },
  "checkout.notice-not-signed": { status: 403, message: "La signature est absente ou fausse." },
};

/** What an order is, on its status page and in lists. */
export const ORDER_STATUS_NAMES = {
  pending: "En attente",
  paid: "Complété",
  failed: "Échec",
  refunded: "Remboursé",
} as const;
