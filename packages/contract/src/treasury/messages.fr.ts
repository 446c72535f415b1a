import type { PayoutRail } from "./policy.ts";

export const PAYOUT_RAIL_NAMES: Readonly<Record<PayoutRail, string>> = {
  manual: "À la main",
  paydunya: "PayDunya",
  moneroo: "Moneroo",
  fedapay: "FedaPay",
};

export const STAGE_NAMES = {
  pending: "À prendre",
  assigned: "Pris",
  "second-agent": "Second accord attendu",
  "to-pay": "À payer à la main",
  sending: "Envoi en cours",
  uncertain: "Incertain",
  paid: "Payé",
  failed: "Échec, solde rendu",
  rejected: "Rejeté",
  cancelled: "Annulé",
} as const;
export type Stage = keyof typeof STAGE_NAMES;

export const RISK_NAMES = {
  "first-payout": "Premier retrait",
  "new-number": "Nouveau numéro",
  "number-changed": "Numéro changé récemment",
  "shared-number": "Numéro utilisé par un autre vendeur",
  "unusual-amount": "Montant inhabituel",
  frozen: "Retraits gelés",
  suspended: "Vendeur suspendu",
  owes: "Doit à la plateforme",
  refunds: "Remboursements",
  mismatch: "Paiement non conforme",
  complaints: "Réclamation en cours",
} as const;
export type RiskSign = keyof typeof RISK_NAMES;

/** `label` for the agent, `sentence` for the seller; with `other` the agent writes the reason. */
export const REJECT_REASONS = {
  "wrong-number": {
    label: "Numéro erroné",
    sentence: "Le numéro de transfert n'est pas valable chez cet opérateur.",
  },
  "name-mismatch": {
    label: "Nom différent",
    sentence: "Le compte de ce numéro n'est pas au nom du vendeur.",
  },
  "operator-refused": {
    label: "Refusé par l'opérateur",
    sentence: "L'opérateur refuse ce transfert : compte inactif, ou plafond atteint.",
  },
  suspicious: {
    label: "Vérification nécessaire",
    sentence: "Une vérification est nécessaire avant ce retrait. Contactez le support.",
  },
  "seller-asked": { label: "À la demande du vendeur", sentence: "Rejeté à votre demande." },
  other: { label: "Autre raison", sentence: null },
} as const;
export type RejectCode = keyof typeof REJECT_REASONS;

/** The description for the provider, who may show it beside the money. */
export function describePayout(reference: string): string {
  return `Retrait ${reference}`;
}

/** The reason the seller reads when the francs are returned to the balance (decision 86). */
export const PAYOUT_FAILED_REASON =
  "L'argent n'a pas pu être envoyé. Votre solde est rétabli : vous pouvez refaire une demande.";

export const PAYOUT_REFUSED_REASON =
  "L'opérateur a refusé l'envoi vers ce numéro. Votre solde est rétabli : vérifiez le numéro.";

export const PAYOUT_RETURNED_REASON =
  "L'opérateur nous a rendu l'argent après l'envoi. Votre solde est rétabli : vérifiez le numéro.";

export const PAYOUT_STATUS_NAMES = {
  ready: "À envoyer",
  prepared: "Préparé",
  sending: "Envoi en cours",
  uncertain: "Incertain",
  sent: "Envoyé, fin attendue",
  succeeded: "Reçu",
  failed: "Échec, solde rendu",
} as const;
export type PayoutStatus = keyof typeof PAYOUT_STATUS_NAMES;

/** The label of a payout that was returned. */
export const PAYOUT_RETURNED = "Revenu";

export const DIFFERENCE_NAMES = {
  "missing-there": "Inconnu du prestataire",
  "missing-here": "Inconnu de nous",
  amount: "Montant différent",
  status: "État différent",
  reference: "Référence différente",
  duplicate: "Envoyé plusieurs fois",
  cost: "Frais différents",
  ledger: "Total différent du livre",
} as const;

export type DifferenceKind = keyof typeof DIFFERENCE_NAMES;
