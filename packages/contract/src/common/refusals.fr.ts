import { type RefusalOf, refusal, refusals, conflict } from "./refusal.ts";

/** Refusals before a feature's own: identity, form of the request, rates. */
export const commonRefusals = refusals({
  "request.malformed": refusal(400, "La demande est mal formée."),
  "request.too-large": refusal(413, "L'envoi est trop volumineux."),
  "request.unsupported-type": refusal(415, "Ce format d'envoi n'est pas accepté."),
  "request.not-found": refusal(404, "Cette adresse n'existe pas."),
  "request.too-many": refusal<{ retryAfterSeconds: number }>(
    429,
    ({ retryAfterSeconds }) => `Trop de demandes. Veuillez réessayer dans ${retryAfterSeconds} s.`,
  ),
  "request.overloaded": refusal<{ retryAfterSeconds: number }>(
    503,
    ({ retryAfterSeconds }) =>
      `Le service est très demandé. Veuillez réessayer dans ${retryAfterSeconds} s.`,
  ),
  "request.too-slow": refusal(408, "L'envoi a pris trop de temps. Veuillez réessayer."),
  "request.key-reused": conflict("Cette demande a déjà été envoyée avec un autre contenu."),
  "identity.token-missing": refusal(401, "Vous n'êtes pas authentifié. Veuillez vous reconnecter."),
  "identity.token-refused": refusal(401, "Vous n'êtes pas authentifié. Veuillez vous reconnecter."),
  "identity.wrong-role": refusal(403, "Vous n'avez pas accès à cette page."),
  "identity.webhook-refused": refusal(403, "La signature de cet avis est refusée."),
  "request.not-yours": refusal(404, "Introuvable."),
});

export type CommonRefusal = RefusalOf<typeof commonRefusals>;

/** Messages for outages and bugs (B §8). */
export const OUTAGE_MESSAGE =
  "Le service est momentanément indisponible. Veuillez réessayer dans un instant.";
export const BUG_MESSAGE = "Une erreur est survenue. Veuillez réessayer.";
