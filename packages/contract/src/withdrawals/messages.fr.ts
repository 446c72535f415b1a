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

/** The app draws the logo: letters on the brand's colour, no external image. */
export type OperatorBrand = {
  readonly name: string;
  readonly letters: string;
  readonly background: string;
  readonly ink: string;
};

const BRANDS = {
  ORANGE: { name: "Orange Money", letters: "OM", background: "#ff7900", ink: "#000000" },
  MTN: { name: "MTN", letters: "MTN", background: "#ffcc00", ink: "#000000" },
  MOOV: { name: "Moov", letters: "Mv", background: "#0058a3", ink: "#ffffff" },
  WAVE: { name: "Wave", letters: "W", background: "#1dc8ff", ink: "#000000" },
  FREE: { name: "Free Money", letters: "F", background: "#c8102e", ink: "#ffffff" },
  EXPRESSO: { name: "Expresso", letters: "E", background: "#5b2c86", ink: "#ffffff" },
  TMONEY: { name: "T-Money", letters: "T", background: "#ffd100", ink: "#000000" },
} as const satisfies Readonly<Record<string, OperatorBrand>>;

export type PayoutOperator = keyof typeof BRANDS;

export const OPERATOR_BRANDS: Readonly<Record<PayoutOperator, OperatorBrand>> = BRANDS;
export const PAYOUT_OPERATORS = Object.keys(BRANDS) as readonly PayoutOperator[];
