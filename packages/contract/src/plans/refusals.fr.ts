import type { Sentences } from "../common/refusal.ts";
import type { Capability } from "./policy.ts";
import { CAPABILITY_NAMES } from "./messages.fr.ts";

export type PlansRefusal =
  | { readonly kind: "plans.unknown-plan" }
  | { readonly kind: "plans.premium-not-bought" }
  | { readonly kind: "plans.premium-running" }
  | { readonly kind: "plans.premium-required"; readonly capability: Capability }
  | { readonly kind: "plans.quota-count"; readonly count: number }
  | { readonly kind: "plans.quota-group-unknown" };

export const plansRefusals: Sentences<PlansRefusal> = {
  "plans.unknown-plan": { status: 400, message: "Ce plan n'existe pas." },
  "plans.premium-not-bought": {
    status: 403,
    message: "Le plan Premium s'active après un paiement vérifié.",
  },
  "plans.premium-running": {
    status: 409,
    message: "Votre plan Premium est en cours. Vous repasserez au plan gratuit à sa fin.",
  },
  "plans.premium-required": {
    status: 403,
    message: ({ capability }) =>
      `Fonctionnalité Premium : ${CAPABILITY_NAMES[capability]}. Passez au plan Premium pour l'utiliser.`,
  },
  "plans.quota-count": {
    status: 422,
    message: ({ count }) =>
      count === 1
        ? "Choisissez exactement un groupe ou canal, sans doublon."
        : `Choisissez exactement ${count} groupes ou canaux, sans doublon.`,
  },
  "plans.quota-group-unknown": { status: 404, message: "Groupe ou canal introuvable." },
};
