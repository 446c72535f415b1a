export const DATA_ERASED = "Vos données personnelles sont effacées.";

/** In the place of a name that was erased. */
export const ERASED_NAME = "Compte effacé";

/** What a person still has as a buyer. */
export type BuyerRemains = {
  readonly accesses: number;
  /** French day, of the last of them. */
  readonly accessesUntil: string | null;
  readonly payments: number;
  /** Refunds on their way, and open claims. */
  readonly refunds: number;
  readonly claims: number;
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
    ...counted(remains.claims, "réclamation ouverte", "réclamations ouvertes"),
  ];
  return `Vos données sont encore nécessaires : ${things.join(", ")}. Vous pourrez les effacer ensuite.`;
}
