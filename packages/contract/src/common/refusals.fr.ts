import type { Sentences } from "./refusal.ts";

/** Refusals of the frames: identity, form of the request, rates. */
export type CommonRefusal =
  | { readonly kind: "request.malformed" }
  | { readonly kind: "request.too-large" }
  | { readonly kind: "request.unsupported-type" }
  | { readonly kind: "request.not-found" }
  | { readonly kind: "request.too-many"; readonly retryAfterSeconds: number }
  | { readonly kind: "request.overloaded"; readonly retryAfterSeconds: number }
  | { readonly kind: "request.too-slow" }
  | { readonly kind: "request.key-reused" }
  | { readonly kind: "identity.token-missing" }
  | { readonly kind: "identity.token-refused" }
  | { readonly kind: "identity.wrong-role" }
  | { readonly kind: "identity.notice-refused" }
  | { readonly kind: "request.not-yours" };

export const commonRefusals: Sentences<CommonRefusal> = {
  "request.malformed": { status: 400, message: "La demande est mal formée." },
  "request.too-large": { status: 413, message: "L'envoi est trop volumineux." },
  "request.unsupported-type": {
    status: 415,
    message: "Ce format d'envoi n'est pas accepté.",
  },
  "request.not-found": { status: 404, message: "Cette adresse n'existe pas." },
  "request.too-many": {
    status: 429,
    message: ({ retryAfterSeconds }) =>
      `Trop de demandes. Veuillez réessayer dans ${retryAfterSeconds} s.`,
  },
  "request.overloaded": {
    status: 503,
    message: ({ retryAfterSeconds }) =>
      `Le service est très demandé. Veuillez réessayer dans ${retryAfterSeconds} s.`,
  },
  "request.too-slow": {
    status: 408,
    message: "L'envoi a pris trop de temps. Veuillez réessayer.",
  },
  "request.key-reused": {
    status: 409,
    message: "Cette demande a déjà été envoyée avec un autre contenu.",
  },
  "identity.token-missing": {
    status: 401,
    message: "Vous n'êtes pas authentifié. Veuillez vous reconnecter.",
  },
  "identity.token-refused": {
    status: 401,
    message: "Vous n'êtes pas authentifié. Veuillez vous reconnecter.",
  },
  "identity.wrong-role": { status: 403, message: "Vous n'avez pas accès à cette page." },
  "identity.notice-refused": { status: 403, message: "La signature de cet avis est refusée." },
  "request.not-yours": { status: 404, message: "Introuvable." },
};

/** Outages and bugs, said to a person (B §8). */
export const OUTAGE_MESSAGE =
  "Le service est momentanément indisponible. Veuillez réessayer dans un instant.";
export const BUG_MESSAGE = "Une erreur est survenue. Veuillez réessayer.";
