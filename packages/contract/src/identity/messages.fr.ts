import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";

const OPEN_FROM_TELEGRAM = "Veuillez ouvrir l'application directement depuis Telegram.";
const OPEN_AGAIN = "Votre session a expiré. Veuillez rouvrir l'application depuis Telegram.";

/** Why init data is refused. The message says what the person should do. */
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

/** Why personal data cannot be erased, in the order of the checks. */
export const personalRefusals = refusals({
  "personal.confirm-missing": "Confirmez l'effacement : il ne peut pas être annulé.",
  "personal.still-needed": conflict<{ remains: BuyerRemains }>(({ remains }) =>
    sayBuyerRemains(remains),
  ),
});

export type IdentityRefusal = RefusalOf<typeof identityRefusals>;

/** The answer's `message` of `POST /api/socket/add` (A §7). */
export const SOCKET_REGISTERED = "Connexion enregistrée.";

export const DATA_ERASED = "Vos données personnelles sont effacées.";

/** Replaces an erased name. */
export const ERASED_NAME = "Compte effacé";

/** What prevents the erasure of a buyer. */
export type BuyerRemains = {
  readonly accesses: number;
  /** The French day on which the last membership ends. */
  readonly accessesUntil: string | null;
  readonly payments: number;
  /** Refunds not yet received, and open complaints. */
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
