import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";
import type { Fcfa } from "@sesame/kernel";
import { groupDigits, sayFrancs } from "../common/francs.fr.ts";
import { METHOD_CLOSED, PROVIDER_UNREACHABLE, sayIncomplete } from "../common/messages.fr.ts";
import * as paying from "../common/paying.fr.ts";

/** The order exists, and can be paid with another provider or later. */
type OfOrder = { readonly orderId: bigint | null };

/** The time after which the same call may succeed. */
type Later = { readonly retryAfterSeconds: number };

/** Refusals to create, pay or show an order, in the order of the checks. */
export const checkoutRefusals = refusals({
  "checkout.method-missing": paying.METHOD_MISSING,
  "checkout.email-invalid": "Veuillez saisir une adresse e-mail valide, ou laisser le champ vide.",
  "checkout.seller-unknown": refusal(403, paying.USER_UNKNOWN),
  "checkout.account-closed":
    "Ce compte vendeur est fermé : le plan Premium ne peut pas être acheté.",
  "checkout.product-not-found": refusal(404, paying.PRODUCT_NOT_FOUND),
  "checkout.own-product": "Vous êtes le vendeur de ce produit : vous ne pouvez pas l'acheter.",
  "checkout.suspended":
    "Les ventes de ce produit sont suspendues. Aucun paiement n'a été fait ; les accès en cours continuent.",
  "checkout.product-closed": "Ce produit n'est pas en vente pour le moment.",
  "checkout.group-over-quota": "Les ventes de ce groupe sont en pause. Contactez le vendeur.",
  "checkout.group-unhealthy":
    "Ce groupe ne peut pas accueillir de nouveaux membres pour le moment. Aucun paiement n'a été fait.",
  "checkout.group-admin":
    "Vous administrez ce groupe : vous n'avez pas besoin d'y acheter un accès.",
  "checkout.banned":
    "Les administrateurs vous ont exclu de ce groupe : un nouvel accès ne peut pas être acheté.",
  "checkout.amount-not-free":
    "Le prix de ce produit est fixé par le vendeur : vous ne pouvez pas le choisir.",
  "checkout.amount-invalid": "Veuillez saisir le montant de votre don en francs entiers.",
  "checkout.amount-too-low": ({ minimum }: { minimum: Fcfa }) =>
    `Le montant minimum de ce don est de ${sayFrancs(minimum)}.`,
  "checkout.amount-too-high": "Le montant maximum d'un don est de 1 000 000 FCFA.",
  "checkout.no-method": paying.NO_METHOD,
  "checkout.method-unknown": paying.METHOD_NOT_FOUND,
  "checkout.method-closed": refusal<{ orderId?: bigint }>(422, METHOD_CLOSED),
  "checkout.sold-out": "Il n'y a plus de place pour le moment.",
  "checkout.key-reused": conflict("Cette demande a déjà été envoyée avec un autre contenu."),
  "checkout.too-many-unpaid": refusal<Later>(
    429,
    "Vous avez trop de commandes en attente de paiement. Payez l'une d'elles, ou réessayez plus tard.",
  ),
  "checkout.already-paid": conflict("Cette commande est déjà payée."),
  "checkout.under-review": conflict(
    "Un paiement reçu ne correspond pas à cette commande : notre équipe le vérifie. Ne payez pas une deuxième fois.",
  ),
  "checkout.order-too-old": "Cette commande a plus de trois jours. Recommencez l'achat.",
  "checkout.too-many-tries": "Trop d'essais de paiement pour cette commande. Recommencez l'achat.",
  "checkout.opening": conflict(
    "Le paiement de cette commande est en préparation. Réessayez dans quelques secondes.",
  ),
  "checkout.too-many-openings": refusal<OfOrder & Later>(
    429,
    "Vous avez ouvert beaucoup de paiements en peu de temps. Réessayez dans une minute : votre commande est gardée.",
  ),
  "checkout.provider-busy": refusal<OfOrder & Later>(
    503,
    "Beaucoup de paiements s'ouvrent en ce moment. Réessayez dans une minute, ou choisissez un autre moyen de paiement.",
  ),
  "checkout.provider-refused": ({ message }: { message: string | null } & OfOrder) =>
    `Erreur lors de l'initialisation du paiement${message ? ` : ${message}` : ""}`,
  "checkout.provider-keys-refused": ({ providerName }: { providerName: string } & OfOrder) =>
    sayIncomplete(providerName),
  // Decision 58: shown when the provider cannot be reached.
  "checkout.provider-silent": refusal<OfOrder>(503, PROVIDER_UNREACHABLE),
  "checkout.no-payment-url": refusal<OfOrder>(422, paying.NO_PAYMENT_URL),
  "checkout.order-not-found": refusal(404, "Commande introuvable"),
  "checkout.payment-id-missing": paying.PAYMENT_ID_MISSING,
  "checkout.webhook-not-signed": refusal(403, "La signature est absente ou fausse."),
});

export type CheckoutRefusal = RefusalOf<typeof checkoutRefusals>;

/** The label of an order's status, on its page and in lists. */
export const ORDER_STATUS_NAMES = {
  pending: "En attente",
  paid: "Complété",
  failed: "Échec",
  refunded: "Remboursé",
} as const;

/** A price in the provider's own currency: "1 524,50 €", "625 Stars". */
export function sayQuote(quote: { readonly currency: string; readonly amount: string }): string {
  const [whole = "", cents] = quote.amount.split(".");
  const grouped = groupDigits(whole);
  if (quote.currency === "XTR") return `${grouped} ${grouped === "1" ? "Star" : "Stars"}`;
  const amount = cents === undefined ? grouped : `${grouped},${cents}`;
  return `${amount} ${quote.currency === "EUR" ? "€" : quote.currency}`;
}

/** The message of an answer with the address of the provider's page. */
export const PAYMENT_OPENED = "Paiement initialisé";
