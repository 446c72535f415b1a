import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import {
  breakEven,
  euroCents,
  PLAN_NAMES,
  PLAN_TERMS,
  type Plan,
  type PlansAnswer,
  plansAnswer,
  planToWire,
} from "@sesame/contract/plans";
import { fcfaToJson } from "@sesame/kernel";
import type { HttpServer } from "../../http/server.ts";

export type PlansHttpDeps = { openProviders(): readonly PaymentProviderOnWire[] };

export function registerPlansHttp(app: HttpServer, deps: PlansHttpDeps): void {
  app.get(
    "/api/plans",
    { config: { access: "public" }, schema: { response: { 200: plansAnswer } } },
    async (): Promise<PlansAnswer> => ({
      success: true,
      currency: "XOF",
      plans: [termsToWire("free"), termsToWire("premium")],
      break_even: fcfaToJson(breakEven()),
      providers: [...deps.openProviders()],
    }),
  );
}

function termsToWire(plan: Plan): PlansAnswer["plans"][number] {
  const terms = PLAN_TERMS[plan];
  return {
    type_plan: planToWire(plan),
    name: PLAN_NAMES[plan],
    price: fcfaToJson(terms.price),
    price_eur: euroCents(terms.price) / 100,
    period_days: terms.periodDays,
    fee_percent: terms.feeRate / 100,
    groups_max: terms.groupsMax,
    withdrawals: terms.capabilities.includes("instant-withdrawals") ? "instant" : "weekly",
    capabilities: [...terms.capabilities],
  };
}
