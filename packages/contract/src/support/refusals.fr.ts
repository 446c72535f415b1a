import { type RefusalOf, refusal } from "../common/refusal.ts";

/** Why a message to the support is not taken, in the order checked. */
export const supportRefusals = {
  "support.ticket-not-found": refusal(404, "Demande d'assistance introuvable"),
  "support.own-ticket": refusal(
    403,
    "C'est votre propre demande : une autre personne de l'équipe doit y répondre.",
  ),
  "support.kind-missing": refusal(422, "Choisissez le sujet de votre demande."),
  "support.words-missing": refusal<{ min: number }>(
    422,
    ({ min }) => `Écrivez votre message (minimum ${min} caractères).`,
  ),
  "support.words-too-long": refusal(422, "Le message est trop long (2 000 caractères au plus)."),
  "support.subject-not-found": refusal(404, "La vente ou le retrait choisi est introuvable."),
  "support.too-many-open": refusal(
    409,
    "Vous avez déjà 5 demandes en cours : écrivez dans l'une d'elles, ou clôturez celles qui sont résolues.",
  ),
  "support.too-many-words": refusal(
    409,
    "Vous avez envoyé 20 messages en 24 heures : attendez notre réponse, elle arrive.",
  ),
};

export type SupportRefusal = RefusalOf<typeof supportRefusals>;
