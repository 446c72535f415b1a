import { type RefusalOf, refusal, refusals } from "../common/refusal.ts";
import { type BuyerRemains, sayBuyerRemains } from "./messages.fr.ts";

const OPEN_FROM_TELEGRAM = "Veuillez ouvrir l'application directement depuis Telegram.";
const OPEN_AGAIN = "Votre session a expiré. Veuillez rouvrir l'application depuis Telegram.";

/** Why init data proves nothing. The person reads one sentence: what to do. */
export const identityRefusals = refusals({
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
});

/** Why personal data stay, in the order checked. */
export const personalRefusals = refusals({
  "personal.confirm-missing": "Confirmez l'effacement : il ne peut pas être annulé.",
  "personal.still-needed": refusal<{ remains: BuyerRemains }>(409, ({ remains }) =>
    sayBuyerRemains(remains),
  ),
});

export type PersonalRefusal = RefusalOf<typeof personalRefusals>;

export type IdentityRefusal = RefusalOf<typeof identityRefusals>;

/** The answer's `message` of `POST /api/socket/add` (A §7). */
export const SOCKET_REGISTERED = "Connexion enregistrée.";
