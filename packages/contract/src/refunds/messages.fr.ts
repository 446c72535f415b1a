import type { RefundStatus } from "./policy.ts";
import type { RefundStatusOnWire } from "./routes.ts";

/** What each state of a refund is called, to everybody. */
export const REFUND_STATUS_NAMES: Readonly<Record<RefundStatusOnWire, string>> = {
  en_cours: "Remboursement en cours",
  numero_attendu: "Numéro attendu",
  a_payer: "À envoyer",
  rembourse: "Remboursé",
};

/** What the buyer reads beside it. */
export const REFUND_STATUS_SENTENCES: Readonly<Record<RefundStatusOnWire, string>> = {
  en_cours: "L'argent repart par le moyen de paiement que vous avez utilisé.",
  numero_attendu: "Dites-nous à quel numéro Mobile Money envoyer l'argent.",
  a_payer: "L'argent va être envoyé : vous serez prévenu dès qu'il est parti.",
  rembourse: "L'argent vous a été rendu.",
};

/** Answers of the calls. */
export const REFUND_BEGUN =
  "Le remboursement est enregistré. L'accès est retiré et l'acheteur est prévenu.";
export const REFUND_NUMBER_TAKEN = "Merci. L'argent sera envoyé à ce numéro.";
export const REFUND_NOTED_DONE = "Remboursement noté. L'acheteur est prévenu.";
export const REFUND_RETURNED =
  "Le prestataire le confirme : il a déjà rendu cet argent. Rien n'est à envoyer.";
export const MISMATCH_DECIDED = {
  honour: "La commande est payée. L'acheteur et le vendeur sont prévenus.",
  "give-back": "L'argent va être rendu à l'acheteur, qui en est prévenu.",
  returned: "Noté : l'acheteur a déjà son argent. Rien n'est envoyé.",
} as const;
export const PROVIDER_FEE_NOTED = "Frais notés dans les comptes.";
export const REFUND_TAKEN = "Ce remboursement est à vous pendant 15 minutes.";
export const REFUND_NUMBER_ASKED_AGAIN = "Un autre numéro est demandé à l'acheteur.";

/** Of a state inside, the word on the wire. */
export const REFUND_STATUS_WORDS: Readonly<Record<RefundStatus, RefundStatusOnWire>> = {
  sending: "en_cours",
  "needs-number": "numero_attendu",
  "to-pay": "a_payer",
  done: "rembourse",
};
