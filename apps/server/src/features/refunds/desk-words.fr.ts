import { namePlatformAccount } from "./account-words.fr.ts";

export const ASKED_BY_NAMES = {
  seller: "Vendeur",
  operator: "Opérateur",
  system: "Sésame",
} as const;

export const ORDER_KIND_NAMES = {
  product: "Vente",
  plan: "Plan Premium",
  trial: "Essai de clés",
  donation: "Don",
} as const;

export const PAYMENT_STATUS_NAMES: Readonly<Record<string, string>> = {
  pending: "En attente",
  paid: "Payé",
  refused: "Refusé",
  mismatched: "Différent de la commande",
  expired: "Expiré",
};

/** One that is not what was ordered, and goes back. */
export const PAYMENT_GIVEN_BACK = "Rendu";

/** What people did about an order, its refunds and its claims: deeds of the audit log. */
export const DEEDS: Readonly<Record<string, string>> = {
  "order.refund": "Remboursement décidé",
  "refund.take": "Remboursement pris en main",
  "refund.paid": "Remboursement envoyé à la main",
  "refund.wrong-number": "Numéro du remboursement refusé",
  "refund.returned": "Remboursement déjà rendu par le prestataire",
  "refund.fee": "Frais du prestataire notés",
  "payment.honour": "Paiement différent : commande honorée",
  "payment.give-back": "Paiement différent : rendu à l'acheteur",
  "payment.returned": "Paiement différent : déjà rendu par le prestataire",
  "claim.refund": "Réclamation : remboursement décidé",
  "claim.reject": "Réclamation rejetée",
};

export function nameDeed(action: string): string {
  return DEEDS[action] ?? action;
}

/** An account of the books, as the sheet of an order names it. */
export function nameAccount(key: string): string {
  const [kind] = key.split(":");
  return kind === "seller" ? "Vendeur" : namePlatformAccount(key);
}
