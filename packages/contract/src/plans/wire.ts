import { z } from "zod";
import { paymentProviderOnWire } from "../checkout/wire.ts";
import { CAPABILITIES, type Plan } from "./policy.ts";

export const planOnWire = z.enum(["gratuit", "payant"]);
export type PlanOnWire = z.infer<typeof planOnWire>;

export function planToWire(plan: Plan | null): PlanOnWire {
  return plan === "premium" ? "payant" : "gratuit";
}

export function planFromWire(plan: PlanOnWire): Plan {
  return plan === "payant" ? "premium" : "free";
}

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

/** `GET /api/plans`. */
export const plansAnswer = z.object({
  success: z.literal(true),
  currency: z.literal("XOF"),
  plans: z.array(planTermsOnWire),
  /** Monthly sales from which premium costs no more than the free plan's fee; null: none. */
  break_even: z.int().nullable(),
  /** What is open on this instance: no chip without a provider behind it (decision 2). */
  providers: z.array(paymentProviderOnWire),
});
export type PlansAnswer = z.infer<typeof plansAnswer>;
