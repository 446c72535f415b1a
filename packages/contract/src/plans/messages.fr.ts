import type { Capability, Plan } from "./policy.ts";

export const PLAN_NAMES: Readonly<Record<Plan, string>> = { free: "Gratuit", premium: "Premium" };

/** As a table names them, and as a refusal does: "Fonctionnalité Premium : {name}". */
export const CAPABILITY_NAMES: Readonly<Record<Capability, string>> = {
  "unlimited-groups": "Groupes et canaux",
  "instant-withdrawals": "Retraits",
  "advanced-statistics": "Statistiques avancées",
  "priority-support": "Support",
  "developer-api": "API développeur",
  "custom-configuration": "Configuration personnalisée",
  "own-aggregators": "Solutions de paiement",
};
