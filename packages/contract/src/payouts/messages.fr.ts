import type { PayoutStatus } from "./policy.ts";

/** What the provider is told, and may show beside the money. */
export function describePayout(reference: string): string {
  return `Retrait ${reference}`;
}

/** What the seller reads when the francs come back (decision 86). */
export const PAYOUT_FAILED_REASON =
  "L'argent n'a pas pu être envoyé. Votre solde est rétabli : vous pouvez refaire une demande.";

export const PAYOUT_REFUSED_REASON =
  "L'opérateur a refusé l'envoi vers ce numéro. Votre solde est rétabli : vérifiez le numéro.";

export const PAYOUT_RETURNED_REASON =
  "L'opérateur nous a rendu l'argent après l'envoi. Votre solde est rétabli : vérifiez le numéro.";

export const PAYOUT_STATUS_NAMES: Readonly<Record<PayoutStatus, string>> = {
  ready: "À envoyer",
  prepared: "Préparé",
  sending: "Envoi en cours",
  uncertain: "Incertain",
  sent: "Envoyé, fin attendue",
  succeeded: "Reçu",
  failed: "Échec, solde rendu",
};

/** One whose money came back. */
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
