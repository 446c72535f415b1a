import type { Sentences } from "../common/refusal.ts";

export type PlansRefusal =
  | { readonly kind: "plans.unknown-plan" }
  | { readonly kind: "plans.premium-not-bought" }
  | { readonly kind: "plans.premium-running" }
  | { readonly kind: "plans.premium-only" };

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
  "plans.premium-only": {
    status: 403,
    message: "Cette fonctionnalité est réservée au plan Premium.",
  },
};
