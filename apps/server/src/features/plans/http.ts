import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import {
  breakEven,
  euroCents,
  type FeeRates,
  PLAN_NAMES,
  PLAN_TERMS,
  type Plan,
  type PlansAnswer,
  plansAnswer,
  planToWire,
} from "@sesame/contract/plans";
import { fcfaToJson } from "@sesame/kernel";
import type { HttpServer } from "../../http/server.ts";

export type PlansHttpDeps = {
  openProviders(): readonly PaymentProviderOnWire[];
  /** In force now. */
  feeRates(): Promise<FeeRates>;
};

export function registerPlansHttp(app: HttpServer, deps: PlansHttpDeps): void {
  app.get(
    "/api/plans",
    { config: { access: "public" }, schema: { response: { 200: plansAnswer } } },
    async (): Promise<PlansAnswer> => {
      const rates = await deps.feeRates();
      const worth = breakEven(rates);
      return {
        success: true,
        currency: "XOF",
        plans: [termsToWire("free", rates), termsToWire("premium", rates)],
        break_even: worth === null ? null : fcfaToJson(worth),
        providers: [...deps.openProviders()],
      };
    },
  );
}

function termsToWire(plan: Plan, rates: FeeRates): PlansAnswer["plans"][number] {
  const terms = PLAN_TERMS[plan];
  return {
    type_plan: planToWire(plan),
    name: PLAN_NAMES[plan],
    price: fcfaToJson(terms.price),
    price_eur: euroCents(terms.price) / 100,
    period_days: terms.periodDays,
    fee_percent: rates[plan] / 100,
    groups_max: terms.groupsMax,
    withdrawals: terms.capabilities.includes("instant-withdrawals") ? "instant" : "weekly",
    capabilities: [...terms.capabilities],
  };
}
