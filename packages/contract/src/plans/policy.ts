import { addMs, type BasisPoints, basisPoints, DAY_MS, type Fcfa, fcfa } from "@sesame/kernel";

/** `free` is the wire's "gratuit", `premium` its "payant". */
export type Plan = "free" | "premium";
export const PLANS_ON_WIRE = ["gratuit", "payant"] as const;
type PlanOnWire = (typeof PLANS_ON_WIRE)[number];

export function planToWire(plan: Plan | null): PlanOnWire {
  return plan === "premium" ? "payant" : "gratuit";
}

export function planFromWire(plan: PlanOnWire): Plan {
  return plan === "payant" ? "premium" : "free";
}

/** What a plan opens beyond selling. The one list: tiles and pages read it, the server enforces it. */
export const CAPABILITIES = [
  "unlimited-groups",
  "instant-withdrawals",
  "advanced-statistics",
  "priority-support",
  "developer-api",
  "custom-configuration",
  "own-aggregators",
] as const;

export type Capability = (typeof CAPABILITIES)[number];

export type PlanTerms = {
  readonly plan: Plan;
  /** For `period_days`; zero for the free plan. */
  readonly price: Fcfa;
  readonly period_days: number | null;
  /** The platform's share of each sale, as specified; the instance's own is in its settings. */
  readonly feeRate: BasisPoints;
  /** Groups on sale at the same time; null without limit. */
  readonly groupsMax: number | null;
  readonly capabilities: readonly Capability[];
};

export const FREE_GROUPS_MAX = 3;

/** A §1 and decision 1: prices as specified; the instance's own are in its settings. */
export const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = {
  free: {
    plan: "free",
    price: fcfa(0n),
    period_days: null,
    feeRate: basisPoints(1_800),
    groupsMax: FREE_GROUPS_MAX,
    capabilities: [],
  },
  premium: {
    plan: "premium",
    price: fcfa(5_000n),
    period_days: 30,
    feeRate: basisPoints(0),
    groupsMax: null,
    capabilities: CAPABILITIES,
  },
};

/** The franc's fixed parity: 1 € is 655,957 FCFA. */
const FRANCS_PER_THOUSAND_EUROS = 655_957n;

/** Euro cents of an amount, to the nearest. */
export function euroCents(amount: Fcfa): number {
  const thousandths = (amount as bigint) * 100_000n;
  return Number((thousandths + FRANCS_PER_THOUSAND_EUROS / 2n) / FRANCS_PER_THOUSAND_EUROS);
}

/** Each plan's share of a sale: the specification's, until an operator changes it. */
export type FeeRates = Readonly<Record<Plan, BasisPoints>>;

const SPECIFIED_FEE_RATES: FeeRates = {
  free: PLAN_TERMS.free.feeRate,
  premium: PLAN_TERMS.premium.feeRate,
};

/**
 * Sales of a period from which premium costs no more than the free plan's fee, rounded up; null
 * when its fee is not the smaller one.
 */
export function breakEven(
  rates: FeeRates = SPECIFIED_FEE_RATES,
  price: Fcfa = PLAN_TERMS.premium.price,
): Fcfa | null {
  const rate = BigInt(rates.free) - BigInt(rates.premium);
  if (rate <= 0n) return null;
  return fcfa(((price as bigint) * 10_000n + rate - 1n) / rate);
}

/** Premium goes on for so long after its end (decision 6). */
export const GRACE_DAYS = 7;

export const PREMIUM_STATES = ["none", "running", "grace"] as const;
export type PremiumState = (typeof PREMIUM_STATES)[number];

/** Where a seller's premium stands; one without an end runs on. */
export function premiumStateOf(
  seller: { readonly plan: Plan | null; readonly premiumUntil: Date | null },
  now: Date,
): PremiumState {
  if (seller.plan !== "premium") return "none";
  return seller.premiumUntil !== null && seller.premiumUntil <= now ? "grace" : "running";
}

export function endOfGrace(premiumUntil: Date): Date {
  return addMs(premiumUntil, GRACE_DAYS * DAY_MS);
}

export function mayUse(plan: Plan, capability: Capability): boolean {
  return PLAN_TERMS[plan].capabilities.includes(capability);
}
