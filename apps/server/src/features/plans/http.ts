import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import {
  breakEven,
  comparePlans,
  euroCents,
  GRACE_DAYS,
  listPlanPurchases,
  listPlans,
  PLAN_NAMES,
  PLAN_TERMS,
  type Plan,
  type PlansAnswer,
  planToWire,
  setQuota,
} from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/settings";
import { fcfaToJson, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { channelsOf } from "../groups/index.ts";
import { chooseQuota } from "./choose.ts";
import { purchasesOf } from "./purchases.ts";

type PlansGiven = {
  /** By what a plan can be bought now. */
  openProviders(): Promise<readonly PaymentProviderOnWire[]>;
};

export function registerPlansHttp(app: App, http: HttpServer, given: PlansGiven): void {
  on(http, listPlans, async () => {
    const [settings, providers] = await Promise.all([
      app.settings.current(),
      given.openProviders(),
    ]);
    const { feeRates, premium } = settings;
    const worth = breakEven(feeRates, premium.price);
    return {
      currency: "XOF" as const,
      plans: [termsToWire("free", settings), termsToWire("premium", settings)],
      comparison: comparePlans(feeRates),
      grace_days: GRACE_DAYS,
      break_even: worth === null ? null : fcfaToJson(worth),
      providers: [...providers],
    };
  });
  on(http, listPlanPurchases, async ({ params: { id }, caller }) => {
    // Another's id answers as an absent one.
    const answer = id === caller.personId ? await purchasesOf(app, id) : null;
    return answer ?? refuse({ kind: "identity.user-unknown" });
  });
  on(http, setQuota, async ({ body: { groups }, caller }) => {
    const { personId: sellerId } = caller;
    const chosen = await chooseQuota(app, { sellerId, groups, actor: actorOf(caller) });
    return chosen.ok ? { channels: await channelsOf(app, sellerId) } : chosen;
  });
}

function termsToWire(plan: Plan, settings: InstanceSettings): PlansAnswer["plans"][number] {
  const { capabilities, groupsMax, ...specified } = PLAN_TERMS[plan];
  const { price, periodDays } = plan === "premium" ? settings.premium : specified;
  return {
    type_plan: planToWire(plan),
    name: PLAN_NAMES[plan],
    price: fcfaToJson(price),
    price_eur: euroCents(price) / 100,
    period_days: periodDays,
    fee_percent: settings.feeRates[plan] / 100,
    groups_max: groupsMax,
    withdrawals: capabilities.includes("instant-withdrawals") ? "instant" : "weekly",
    capabilities: [...capabilities],
  };
}
