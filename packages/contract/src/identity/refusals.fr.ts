import { type RefusalOf, refusal } from "../common/refusal.ts";

const OPEN_FROM_TELEGRAM = "Veuillez ouvrir l'application directement depuis Telegram.";
const OPEN_AGAIN = "Votre session a expiré. Veuillez rouvrir l'application depuis Telegram.";

/** Why init data proves nothing. The person reads one sentence: what to do. */
export const identityRefusals = {
  "identity.init-data-missing": refusal(401, OPEN_FROM_TELEGRAM),
  "identity.init-data-forged": refusal(401, OPEN_FROM_TELEGRAM),
  "identity.init-data-stale": refusal(401, OPEN_AGAIN),
  "identity.init-data-future": refusal(401, OPEN_FROM_TELEGRAM),
  "identity.init-data-revoked": refusal(401, OPEN_AGAIN),
  "identity.account-closed": refusal(
    403,
    "Vous avez fermé votre compte vendeur. Écrivez au support pour le rouvrir.",
  ),
  "identity.user-unknown": refusal(404, "Utilisateur introuvable."),
};

export type IdentityRefusal = RefusalOf<typeof identityRefusals>;

/** The answer's `message` of `POST /api/socket/add` (A §7). */
export const SOCKET_REGISTERED = "Connexion enregistrée.";
