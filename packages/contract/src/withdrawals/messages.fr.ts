import type { PayoutFrequency, WithdrawalStatus } from "./policy.ts";

/** B §3 and §4; the labels for the seller. */
export const WITHDRAWAL_STATUS_NAMES: Readonly<Record<WithdrawalStatus, string>> = {
  pending: "En attente",
  approved: "Approuvé",
  rejected: "Rejeté",
  cancelled: "Annulé",
};

export const FREQUENCY_NAMES: Readonly<Record<PayoutFrequency, string>> = {
  hebdomadaire: "Chaque semaine",
  quotidien: "Chaque jour",
  seuil: "Dès que le solde atteint un seuil",
};

/** The message of an accepted request. */
export const REQUEST_TAKEN = "Votre demande de retrait a été enregistrée";
export const REQUEST_CANCELLED =
  "Votre demande a été annulée. Le montant est de nouveau disponible.";
export const CONFIGURATION_SAVED = "Vos informations de paiement ont été mises à jour";
export const AUTOMATIC_SWITCHED_OFF = "Les paiements automatiques sont désactivés";

/** B §8; the page shows it when the server sent no other sentence. */
export const REQUEST_FAILED = "Erreur lors de la demande de retrait";
export const REQUEST_BROKE = "Une erreur est survenue lors du traitement de votre demande";
export const UPDATE_FAILED = "Erreur lors de la mise à jour des informations de paiement";
export const SWITCH_OFF_FAILED = "Erreur lors de la désactivation des paiements automatiques";
export const SWITCH_OFF_BROKE =
  "Une erreur est survenue lors de la désactivation des paiements automatiques";
/** B §7: after 30 s without an answer. */
export const REQUEST_TIMED_OUT =
  "La requête a mis trop de temps à répondre. Vérifiez l'historique des retraits pour confirmer si la demande a été traitée.";
/** No money action from cached data (decision 16). */
export const WITHDRAWALS_OFFLINE =
  "Hors ligne : les retraits se font une fois la connexion revenue.";
export const NO_REQUEST = "Aucune demande trouvée";

export const OPERATOR_NAMES = {
  ORANGE: "Orange Money",
  MTN: "MTN",
  MOOV: "Moov",
  WAVE: "Wave",
  FREE: "Free Money",
  EXPRESSO: "Expresso",
  TMONEY: "T-Money",
} as const;
export type PayoutOperator = keyof typeof OPERATOR_NAMES;
export const PAYOUT_OPERATORS = Object.keys(OPERATOR_NAMES) as readonly PayoutOperator[];
