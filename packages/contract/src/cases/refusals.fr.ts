import { type RefusalOf, refusal, refusals } from "../common/refusal.ts";

/** Why a claim is not opened, answered or decided, in the order of the checks. */
export const claimsRefusals = refusals({
  "claims.order-not-found": refusal(404, "Commande introuvable"),
  "claims.not-found": refusal(404, "Réclamation introuvable"),
  "claims.own-case": refusal(
    403,
    "Vous êtes le vendeur ou l'acheteur : quelqu'un d'autre doit décider.",
  ),
  "claims.kind-missing": "Choisissez ce qui ne va pas.",
  "claims.decision-missing": "Choisissez : rembourser, ou rejeter.",
  "claims.words-missing": "Écrivez quelques mots (minimum 3 caractères).",
  "claims.words-too-long": "Le message est trop long (1 000 caractères).",
  "claims.open-already": refusal(409, "Une réclamation est déjà ouverte pour cette commande."),
  "claims.too-many": refusal(
    409,
    "Cette commande a déjà été examinée : une nouvelle réclamation n'est plus possible. Contactez le support.",
  ),
  "claims.too-many-today": refusal<{ retryAfterSeconds: number }>(
    429,
    "Vous avez déjà signalé plusieurs paiements aujourd'hui : ils sont en cours de vérification. Réessayez demain, ou contactez le support.",
  ),
  "claims.too-late":
    "Plus de 90 jours ont passé : une réclamation n'est plus possible. Contactez le support.",
  "claims.order-refunded": refusal(409, "Cette commande est déjà remboursée."),
  "claims.not-for-order": "Cette réclamation ne correspond pas à l'état de la commande.",
  "claims.closed": refusal(409, "Cette réclamation est close."),
  "claims.with-operator": refusal(409, "L'opérateur examine déjà cette réclamation."),
  "claims.with-seller": refusal(
    409,
    "Le vendeur a encore le temps de répondre : vous déciderez s'il ne le fait pas.",
  ),
  "claims.too-many-words": refusal(409, "Vous avez déjà beaucoup écrit : attendez la réponse."),
});

export type ClaimsRefusal = RefusalOf<typeof claimsRefusals>;

/** Why a message to the support is not taken, in the order checked. */
export const supportRefusals = refusals({
  "support.ticket-not-found": refusal(404, "Demande d'assistance introuvable"),
  "support.own-ticket": refusal(
    403,
    "C'est votre propre demande : une autre personne de l'équipe doit y répondre.",
  ),
  "support.kind-missing": "Choisissez le sujet de votre demande.",
  "support.words-missing": refusal<{ min: number }>(
    422,
    ({ min }) => `Écrivez votre message (minimum ${min} caractères).`,
  ),
  "support.words-too-long": "Le message est trop long (2 000 caractères au plus).",
  "support.subject-not-found": refusal(404, "La vente ou le retrait choisi est introuvable."),
  "support.too-many-open": refusal(
    409,
    "Vous avez déjà 5 demandes en cours : écrivez dans l'une d'elles, ou clôturez celles qui sont résolues.",
  ),
  "support.too-many-words": refusal(
    409,
    "Vous avez envoyé 20 messages en 24 heures : attendez notre réponse, elle arrive.",
  ),
});

export type SupportRefusal = RefusalOf<typeof supportRefusals>;
