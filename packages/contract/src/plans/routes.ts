import { z } from "zod";
import { route } from "../common/route.ts";
import { idOnWire } from "../common/wire.ts";
import { channelsAnswer } from "../groups/routes.ts";
import { identityRefusals } from "../identity/refusals.fr.ts";
import { plansRefusals } from "./refusals.fr.ts";
import { planPurchasesAnswer, plansAnswer } from "./wire.ts";

export const listPlans = route("GET /api/plans", {
  summary: "Les deux offres, leur comparaison, leurs prix et leurs frais",
  access: "public",
  owns: null,
  answer: plansAnswer,
  example: {},
});

export const listPlanPurchases = route("GET /api/users/:id/abonnement", {
  summary: "Le plan du vendeur, sa fin, et ses achats du plan Premium",
  access: "seller",
  owns: { id: { thing: "user", by: ["seller"] } },
  answer: planPurchasesAnswer,
  refusals: identityRefusals,
  example: {},
});

export const setQuota = route("PUT /api/groups/quota", {
  summary: "Choisir les groupes qui vendent sous le plan gratuit, dans l'ordre",
  access: "seller",
  owns: null,
  body: z.object({ groups: z.array(idOnWire).max(1_000) }),
  answer: channelsAnswer,
  refusals: plansRefusals,
  example: { body: { groups: [] } },
});
