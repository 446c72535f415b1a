import type { ClaimKind, ClaimStatus, ClaimStep } from "./policy.ts";
import type { ClaimOnWire } from "./routes.ts";

/** What the buyer taps, and what it is called afterwards. */
export const CLAIM_KIND_NAMES: Readonly<Record<ClaimKind, string>> = {
  "paid-not-confirmed": "J'ai payé, mais ce n'est pas confirmé",
  "no-access": "J'ai payé, mais je n'ai pas accès au groupe",
  other: "Autre problème avec cet achat",
};

/** What happens once it is sent. */
export const CLAIM_KIND_SENTENCES: Readonly<Record<ClaimKind, string>> = {
  "paid-not-confirmed":
    "Nous demandons tout de suite au prestataire de paiement, et une personne de l'équipe regarde.",
  "no-access": "Le vendeur a 72 heures pour vous répondre ; ensuite, l'opérateur décide.",
  other: "Le vendeur a 72 heures pour vous répondre ; ensuite, l'opérateur décide.",
};

export const CLAIM_STATUS_NAMES: Readonly<Record<ClaimOnWire["status"], string>> = {
  vendeur: "Chez le vendeur",
  operateur: "Chez l'opérateur",
  rembourse: "Remboursée",
  rejete: "Rejetée",
  resolu: "Résolue",
  retire: "Retirée",
};

export const CLAIM_STATUS_WORDS: Readonly<Record<ClaimStatus, ClaimOnWire["status"]>> = {
  seller: "vendeur",
  operator: "operateur",
  refunded: "rembourse",
  rejected: "rejete",
  solved: "resolu",
  withdrawn: "retire",
};

/** What each line of the record says happened. */
export const CLAIM_STEP_NAMES: Readonly<Record<ClaimStep, string>> = {
  opened: "Réclamation ouverte",
  said: "Message",
  contested: "Contestée par le vendeur",
  "timed-out": "Le vendeur n'a pas répondu dans les 72 heures",
  "refund-begun": "Remboursement décidé",
  refunded: "Argent rendu",
  rejected: "Réclamation rejetée",
  solved: "Problème résolu",
  withdrawn: "Réclamation retirée",
};

export const CLAIM_AUTHOR_NAMES = {
  acheteur: "Acheteur",
  vendeur: "Vendeur",
  operateur: "Opérateur",
  systeme: "Sésame",
} as const;

/** Answers of the calls. */
export const CLAIM_OPENED = "Votre réclamation est envoyée.";
export const CLAIM_ANSWERED = "Votre message est envoyé.";
export const CLAIM_CONTESTED = "L'opérateur va examiner cette réclamation.";
export const CLAIM_WITHDRAWN = "Votre réclamation est retirée.";
export const CLAIM_DECIDED_REFUND = "Remboursement lancé : l'acheteur et le vendeur sont prévenus.";
export const CLAIM_DECIDED_REJECT = "Réclamation rejetée : l'acheteur et le vendeur sont prévenus.";

/** Entries the system writes. */
export const SOLVED_BY_ACCESS = "L'acheteur est entré dans le groupe.";
export const SOLVED_BY_PAYMENT = "Le paiement a été confirmé.";
