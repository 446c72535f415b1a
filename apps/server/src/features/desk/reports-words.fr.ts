/** Why a product is reported; the words are the desk's and the buyer's. */
export const REPORT_REASONS: Readonly<Record<string, string>> = {
  scam: "Arnaque ou contenu trompeur",
  forbidden: "Contenu interdit",
  "no-access": "Accès payé et non fourni",
  other: "Autre motif",
};

export const REPORTED = "Merci, votre signalement a été transmis à notre équipe.";
export const REPORTED_BEFORE = "Vous avez déjà signalé ce produit : notre équipe l'a reçu.";
export const ACCOUNT_CLOSED = "Votre compte vendeur est fermé. Merci d'avoir utilisé Sésame.";
export const RECONCILING = "Le rapprochement commence : les écarts s'affichent dès qu'il est fait.";
