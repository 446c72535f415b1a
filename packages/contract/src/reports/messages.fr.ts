import type { Plan } from "../plans/policy.ts";

/** A buyer Telegram gave no name for. */
export const NAMELESS_BUYER = "Client";

/** From where to where a balance went when it followed the plan, by the plan it is now. */
export const PLAN_MOVE_WAYS: Readonly<Record<Plan, string>> = {
  premium: "Solde gratuit → Solde Premium",
  free: "Solde Premium → Solde gratuit",
};

/** What a debt was that is written off. */
export const WRITE_OFF_WAY = "Avance pour vos remboursements";

/** The first line of the export of statistics. */
export const EXPORT_COLUMNS = [
  "Date",
  "Produit",
  "Ventes",
  "Dont renouvellements",
  "Revenu brut (FCFA)",
  "Frais (FCFA)",
  "Revenu net (FCFA)",
  "Dont encaissé directement (FCFA)",
] as const;
