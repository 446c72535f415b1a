import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";

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
  "personal.still-needed": conflict<{ remains: BuyerRemains }>(({ remains }) =>
    sayBuyerRemains(remains),
  ),
});

export type PersonalRefusal = RefusalOf<typeof personalRefusals>;

export type IdentityRefusal = RefusalOf<typeof identityRefusals>;

/** The answer's `message` of `POST /api/socket/add` (A §7). */
export const SOCKET_REGISTERED = "Connexion enregistrée.";

export const DATA_ERASED = "Vos données personnelles sont effacées.";

/** In the place of a name that was erased. */
export const ERASED_NAME = "Compte effacé";

/** What a person still has as a buyer. */
export type BuyerRemains = {
  readonly accesses: number;
  /** French day, of the last of them. */
  readonly accessesUntil: string | null;
  readonly payments: number;
  /** Refunds on their way, and open complaints. */
  readonly refunds: number;
  readonly complaints: number;
};

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${many}`];

/** "Vos données sont encore nécessaires : 1 accès en cours (jusqu'au 03/12/2026)…" */
export function sayBuyerRemains(remains: BuyerRemains): string {
  const until = remains.accessesUntil ? ` (jusqu'au ${remains.accessesUntil})` : "";
  const things = [
    ...counted(remains.accesses, `accès en cours${until}`, `accès en cours${until}`),
    ...counted(remains.payments, "paiement en attente", "paiements en attente"),
    ...counted(remains.refunds, "remboursement en cours", "remboursements en cours"),
    ...counted(remains.complaints, "réclamation ouverte", "réclamations ouvertes"),
  ];
  return `Vos données sont encore nécessaires : ${things.join(", ")}. Vous pourrez les effacer ensuite.`;
}
