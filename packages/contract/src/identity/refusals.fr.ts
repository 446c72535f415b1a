import type { Sentences } from "../common/refusal.ts";

/** Why init data proves nothing. The person reads one sentence: what to do. */
export type IdentityRefusal =
  | { readonly kind: "identity.init-data-missing" }
  | { readonly kind: "identity.init-data-forged" }
  | { readonly kind: "identity.init-data-stale" }
  | { readonly kind: "identity.init-data-future" }
  | { readonly kind: "identity.init-data-revoked" }
  | { readonly kind: "identity.account-closed" }
  | { readonly kind: "identity.user-unknown" };

const OPEN_FROM_TELEGRAM = "Veuillez ouvrir l'application directement depuis Telegram.";
const OPEN_AGAIN = "Votre session a expiré. Veuillez rouvrir l'application depuis Telegram.";

export const identityRefusals: Sentences<IdentityRefusal> = {
  "identity.init-data-missing": { status: 401, message: OPEN_FROM_TELEGRAM },
  "identity.init-data-forged": { status: 401, message: OPEN_FROM_TELEGRAM },
  "identity.init-data-stale": { status: 401, message: OPEN_AGAIN },
  "identity.init-data-future": { status: 401, message: OPEN_FROM_TELEGRAM },
  "identity.init-data-revoked": { status: 401, message: OPEN_AGAIN },
  "identity.account-closed": {
    status: 403,
    message: "Vous avez fermé votre compte vendeur. Écrivez au support pour le rouvrir.",
  },
  "identity.user-unknown": { status: 404, message: "Utilisateur introuvable." },
};

/** The answer's `message` of `POST /api/socket/add` (A §7). */
export const SOCKET_REGISTERED = "Connexion enregistrée.";
