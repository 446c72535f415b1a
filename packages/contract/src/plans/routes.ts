import { z } from "zod";
import { paymentProviderOnWire } from "../checkout/routes.ts";
import { route } from "../common/route.ts";
import { francs, id, idOnWire, instantOnWire, success } from "../common/wire.ts";
import { channelsAnswer } from "../groups/routes.ts";
import { identityRefusals } from "../identity/messages.fr.ts";
import { CAPABILITIES, PLANS_ON_WIRE, PREMIUM_STATES } from "./policy.ts";
import { plansRefusals } from "./refusals.fr.ts";

export const planOnWire = z.enum(PLANS_ON_WIRE);

/** `running`; `grace`: the end is past and premium continues for some days; `none`: free plan. */
export const premiumStateOnWire = z.enum(PREMIUM_STATES);

const planTermsOnWire = z.object({
  type_plan: planOnWire,
  name: z.string(),
  /** Francs for each `period_days`. */
  price: francs,
  /** The equivalent in euros: 7.62. */
  price_eur: z.number(),
  period_days: z.int().nullable(),
  fee_percent: z.number(),
  groups_max: z.int().nullable(),
  withdrawals: z.enum(["weekly", "instant"]),
  capabilities: z.array(z.enum(CAPABILITIES)),
});

/** A line of the table that compares the plans (A §2); French, as shown. */
const comparedOnWire = z.object({
  /** "fee", or the capability of the line. */
  key: z.enum(["fee", ...CAPABILITIES]),
  label: z.string(),
  free: z.string(),
  premium: z.string(),
});

const plansAnswer = success({
  currency: z.literal("XOF"),
  plans: z.array(planTermsOnWire),
  comparison: z.array(comparedOnWire),
  /** How many days premium continues after its end. */
  grace_days: z.int(),
  /** Monthly sales from which premium costs no more than the free plan's fee; null: none. */
  break_even: francs.nullable(),
  /** The providers that are open on this instance (decision 2). */
  providers: z.array(paymentProviderOnWire),
});
export type PlansAnswer = z.input<typeof plansAnswer>;

/** A premium period bought (B §3). */
const planPurchaseOnWire = z.object({
  /** The id of the order. */
  id,
  prix: francs,
  /** When it was paid. */
  dateCreation: instantOnWire,
  /** The end of the period; null once refunded. */
  dateRenouvellement: instantOnWire.nullable(),
  typeAbonnement: planOnWire,
  userId: id,
  estRenouvellement: z.boolean(),
  /** How it was paid: "Moneroo". */
  moyen: z.string(),
  /** Refunded: its time was taken back. */
  rembourse: z.boolean(),
});

export const listPlans = route("GET /api/plans", {
  summary: "Les deux offres, leur comparaison, leurs prix et leurs frais",
  access: "public",
  answer: plansAnswer,
});

export const listPlanPurchases = route("GET /api/users/:id/abonnement", {
  summary: "Le plan du vendeur, sa fin, et ses achats du plan Premium",
  access: "seller",
  owns: { id: { thing: "user", by: ["seller"] } },
  /** The current plan and the purchases, newest first. */
  answer: success({
    /** The server's time, from which the page counts the days left. */
    now: instantOnWire,
    type_plan: planOnWire,
    premium_state: premiumStateOnWire,
    premium_since: instantOnWire.nullable(),
    premium_until: instantOnWire.nullable(),
    /** When the seller returns to the free plan without a renewal; null on the free plan. */
    grace_until: instantOnWire.nullable(),
    abonnements: z.array(planPurchaseOnWire),
  }),
  refusals: identityRefusals,
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
