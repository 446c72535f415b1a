export {
  breakEven,
  CAPABILITIES,
  type Capability,
  euroCents,
  type FeeRates,
  FREE_GROUPS_MAX,
  groupsInQuota,
  mayUse,
  type Plan,
  PLAN_TERMS,
  type PlanTerms,
  type QuotaGroup,
  SPECIFIED_FEE_RATES,
} from "./policy.ts";
export { type PlansRefusal, plansRefusals } from "./refusals.fr.ts";
export {
  type PlanOnWire,
  type PlansAnswer,
  planFromWire,
  planOnWire,
  plansAnswer,
  planToWire,
} from "./wire.ts";
export { PLAN_NAMES } from "./words.fr.ts";
