import { type RefusalOf, refusal, refusals, conflict } from "../common/refusal.ts";
import type { Capability } from "./policy.ts";

/** The names in the plan table and in the refusal "Fonctionnalité Premium : {name}". */
export const CAPABILITY_NAMES = {
  "unlimited-groups": "Groupes et canaux",
  "instant-withdrawals": "Retraits",
  "advanced-statistics": "Statistiques avancées",
  "priority-support": "Support",
  "developer-api": "API développeur",
  "custom-configuration": "Configuration personnalisée",
  "own-aggregators": "Solutions de paiement",
} as const;

export const plansRefusals = refusals({
  "plans.unknown-plan": refusal(400, "Ce plan n'existe pas."),
  "plans.premium-not-bought": refusal(403, "Le plan Premium s'active après un paiement vérifié."),
  "plans.premium-running": conflict(
    "Votre plan Premium est en cours. Vous repasserez au plan gratuit à sa fin.",
  ),
  "plans.premium-required": refusal<{ capability: Capability }>(
    403,
    ({ capability }) =>
      `Fonctionnalité Premium : ${CAPABILITY_NAMES[capability]}. Passez au plan Premium pour l'utiliser.`,
  ),
  "plans.quota-count": ({ count }: { count: number }) =>
    count === 1
      ? "Choisissez exactement un groupe ou canal, sans doublon."
      : `Choisissez exactement ${count} groupes ou canaux, sans doublon.`,
  "plans.quota-group-unknown": refusal(404, "Groupe ou canal introuvable."),
});

export type PlansRefusal = RefusalOf<typeof plansRefusals>;
