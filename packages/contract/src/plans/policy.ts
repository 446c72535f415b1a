import { addMs, type BasisPoints, DAY_MS, type Fcfa, fcfa } from "@sesame/kernel";
import type { InstanceSettings } from "../back-office/policy.ts";
import { CAPABILITY_NAMES } from "./refusals.fr.ts";

/** `free` is "gratuit" on the wire, `premium` is "payant". */
export type Plan = "free" | "premium";
export const PLANS_ON_WIRE = ["gratuit", "payant"] as const;
type PlanOnWire = (typeof PLANS_ON_WIRE)[number];

export function planToWire(plan: Plan | null): PlanOnWire {
  return plan === "premium" ? "payant" : "gratuit";
}

export function planFromWire(plan: PlanOnWire): Plan {
  return plan === "payant" ? "premium" : "free";
}

/**
 * Features of plans beyond selling. The only list: the server enforces it, and the pages read it.
 */
export type Capability = keyof typeof CAPABILITY_NAMES;
export const CAPABILITIES = Object.keys(CAPABILITY_NAMES) as readonly Capability[];

export type PlanTerms = {
  /** Groups on sale at the same time; null without limit. */
  readonly groupsMax: number | null;
  readonly capabilities: readonly Capability[];
};

export const FREE_GROUPS_MAX = 3;

/** The contents of a plan; its price is a setting. */
export const PLAN_TERMS: Readonly<Record<Plan, PlanTerms>> = {
  free: { groupsMax: FREE_GROUPS_MAX, capabilities: [] },
  premium: { groupsMax: null, capabilities: CAPABILITIES },
};

/** The platform's share of a seller's new sales. */
export function feeOf(
  seller: { readonly plan: Plan | null },
  { fee_rates: rates }: Pick<InstanceSettings, "fee_rates">,
): BasisPoints {
  return rates[seller.plan ?? "free"];
}

/** The franc's fixed parity: 1 € is 655,957 FCFA. */
const FRANCS_PER_THOUSAND_EUROS = 655_957n;

/** Euro cents of an amount, rounded; the page writes « ≈ ». */
export function euroCents(amount: Fcfa): number {
  const thousandths = (amount as bigint) * 100_000n;
  return Number((thousandths + FRANCS_PER_THOUSAND_EUROS / 2n) / FRANCS_PER_THOUSAND_EUROS);
}

/**
 * The sales of a period from which premium costs no more than the free plan's fee, rounded up; null
 * when premium's fee is not the smaller one.
 */
export function breakEven(settings: Pick<InstanceSettings, "fee_rates" | "premium">): Fcfa | null {
  const [free, premium] = [feeOf({ plan: "free" }, settings), feeOf({ plan: "premium" }, settings)];
  const rate = BigInt(free) - BigInt(premium);
  if (rate <= 0n) return null;
  return fcfa(((settings.premium.price as bigint) * 10_000n + rate - 1n) / rate);
}

/** How many days premium continues after its end (decision 6). */
export const GRACE_DAYS = 7;

export const PREMIUM_STATES = ["none", "running", "grace"] as const;
export type PremiumState = (typeof PREMIUM_STATES)[number];

/** The state of a seller's premium; one without an end continues. */
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
