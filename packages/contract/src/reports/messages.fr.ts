import type { Plan } from "../plans/policy.ts";

/** The label of a buyer without a name in Telegram. */
export const NAMELESS_BUYER = "Client";

/** Source and target of a balance moved by a change of plan, by the new plan. */
export const PLAN_MOVE_WAYS: Readonly<Record<Plan, string>> = {
  premium: "Solde gratuit → Solde Premium",
  free: "Solde Premium → Solde gratuit",
};

/** The label of a written-off debt. */
export const WRITE_OFF_WAY = "Avance pour vos remboursements";

/** The header line of the export of statistics. */
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
