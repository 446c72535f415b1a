import type { Sentences } from "../common/refusal.ts";
import { type BuyerRemains, sayBuyerRemains } from "./messages.fr.ts";

/** Why a message to the support is not taken, and why personal data stay, in the order checked. */
export type SupportRefusal =
  | { readonly kind: "support.ticket-not-found" }
  | { readonly kind: "support.own-ticket" }
  | { readonly kind: "support.kind-missing" }
  | { readonly kind: "support.words-missing"; readonly min: number }
  | { readonly kind: "support.words-too-long" }
  | { readonly kind: "support.subject-not-found" }
  | { readonly kind: "support.too-many-open" }
  | { readonly kind: "support.too-many-words" }
  | { readonly kind: "personal.confirm-missing" }
  | { readonly kind: "personal.still-needed"; readonly remains: BuyerRemains };

export const supportRefusals: Sentences<SupportRefusal> = {
  "support.ticket-not-found": { status: 404, message: "Demande d'assistance introuvable" },
  "support.own-ticket": {
    status: 403,
    message: "C'est votre propre demande : une autre personne de l'équipe doit y répondre.",
  },
  "support.kind-missing": { status: 422, message: "Choisissez le sujet de votre demande." },
  "support.words-missing": {
    status: 422,
    message: ({ min }) => `Écrivez votre message (minimum ${min} caractères).`,
  },
  "support.words-too-long": {
    status: 422,
    message: "Le message est trop long (2 000 caractères au plus).",
  },
  "support.subject-not-found": {
    status: 404,
    message: "La vente ou le retrait choisi est introuvable.",
  },
  "support.too-many-open": {
    status: 409,
    message:
      "Vous avez déjà 5 demandes en cours : écrivez dans l'une d'elles, ou clôturez celles qui sont résolues.",
  },
  "support.too-many-words": {
    status: 409,
    message: "Vous avez envoyé 20 messages en 24 heures : attendez notre réponse, elle arrive.",
  },
  "personal.confirm-missing": {
    status: 422,
    message: "Confirmez l'effacement : il ne peut pas être annulé.",
  },
  "personal.still-needed": {
    status: 409,
    message: ({ remains }) => sayBuyerRemains(remains),
  },
};
