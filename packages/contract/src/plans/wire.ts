import { z } from "zod";
import { paymentProviderOnWire } from "../checkout/wire.ts";
import { instantOnWire } from "../common/wire.ts";
import type { channelsAnswer } from "../groups/routes.ts";
import { CAPABILITIES, type Plan, PREMIUM_STATES } from "./policy.ts";

export const planOnWire = z.enum(["gratuit", "payant"]);
export type PlanOnWire = z.input<typeof planOnWire>;

export function planToWire(plan: Plan | null): PlanOnWire {
  return plan === "premium" ? "payant" : "gratuit";
}

export function planFromWire(plan: PlanOnWire): Plan {
  return plan === "payant" ? "premium" : "free";
}

/** `running`, `grace`: the end has passed and premium goes on for some days; `none`: free. */
export const premiumStateOnWire = z.enum(PREMIUM_STATES);

const planTermsOnWire = z.object({
  type_plan: planOnWire,
  name: z.string(),
  /** Francs for each `period_days`. */
  price: z.int(),
  /** Its true equivalent: 7.62. */
  price_eur: z.number(),
  period_days: z.int().nullable(),
  fee_percent: z.number(),
  groups_max: z.int().nullable(),
  withdrawals: z.enum(["weekly", "instant"]),
  capabilities: z.array(z.enum(CAPABILITIES)),
});

/** A line of the table that compares the plans (A §2); French, as shown. */
const comparedOnWire = z.object({
  /** "fee", or the capability it speaks of. */
  key: z.enum(["fee", ...CAPABILITIES]),
  label: z.string(),
  free: z.string(),
  premium: z.string(),
});

export const plansAnswer = z.object({
  success: z.literal(true),
  currency: z.literal("XOF"),
  plans: z.array(planTermsOnWire),
  comparison: z.array(comparedOnWire),
  /** Days premium goes on after its end. */
  grace_days: z.int(),
  /** Monthly sales from which premium costs no more than the free plan's fee; null: none. */
  break_even: z.int().nullable(),
  /** What is open on this instance: no chip without a provider behind it (decision 2). */
  providers: z.array(paymentProviderOnWire),
});
export type PlansAnswer = z.input<typeof plansAnswer>;

export type QuotaAnswer = z.input<typeof channelsAnswer>;

/** A premium period bought (B §3). */
const planPurchaseOnWire = z.object({
  /** The order's. */
  id: z.string(),
  prix: z.int(),
  /** When it was paid. */
  dateCreation: instantOnWire,
  /** Its end; null once refunded. */
  dateRenouvellement: instantOnWire.nullable(),
  typeAbonnement: planOnWire,
  userId: z.string(),
  estRenouvellement: z.boolean(),
  /** How it was paid: "Moneroo". */
  moyen: z.string(),
  /** Refunded: its time was taken back. */
  rembourse: z.boolean(),
});

/** The plan now, and what was bought, newest first. */
export const planPurchasesAnswer = z.object({
  success: z.literal(true),
  /** The instant of this answer: what the days left are counted from. */
  now: instantOnWire,
  type_plan: planOnWire,
  premium_state: premiumStateOnWire,
  premium_since: instantOnWire.nullable(),
  premium_until: instantOnWire.nullable(),
  /** When the seller falls back to the free plan unless he renews; null on the free plan. */
  grace_until: instantOnWire.nullable(),
  abonnements: z.array(planPurchaseOnWire),
});
export type PlanPurchasesAnswer = z.input<typeof planPurchasesAnswer>;
