export { comparePlans } from "./comparison.fr.ts";
export {
  breakEven,
  CAPABILITIES,
  type Capability,
  endOfGrace,
  euroCents,
  type FeeRates,
  FREE_GROUPS_MAX,
  GRACE_DAYS,
  groupsInQuota,
  mayUse,
  type Plan,
  PLAN_TERMS,
  type PlanTerms,
  PREMIUM_STATES,
  type PremiumPrice,
  type PremiumState,
  premiumStateOf,
  type QuotaGroup,
  SPECIFIED_FEE_RATES,
} from "./policy.ts";
export { type PlansRefusal, plansRefusals } from "./refusals.fr.ts";
export {
  type PlanOnWire,
  type PlanPurchasesAnswer,
  type PlansAnswer,
  planFromWire,
  planOnWire,
  planPurchasesAnswer,
  plansAnswer,
  planToWire,
  premiumStateOnWire,
  type QuotaAnswer,
  type QuotaBody,
  quotaAnswer,
  quotaBody,
} from "./wire.ts";
export { CAPABILITY_NAMES, PLAN_NAMES } from "./words.fr.ts";
