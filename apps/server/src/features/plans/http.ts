import { idInPath } from "@sesame/contract";
import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { identityRefusals } from "@sesame/contract/identity";
import {
  breakEven,
  comparePlans,
  euroCents,
  GRACE_DAYS,
  PLAN_NAMES,
  PLAN_TERMS,
  type Plan,
  type PlansAnswer,
  planPurchasesAnswer,
  plansAnswer,
  plansRefusals,
  planToWire,
  quotaAnswer,
  quotaBody,
} from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/settings";
import { fcfaToJson } from "@sesame/kernel";
import { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { answerRefusal } from "../../http/answers.ts";
import { callerOf, type HttpServer } from "../../http/server.ts";
import { channelsOf } from "../groups/index.ts";
import { chooseQuota } from "./choose.ts";
import { purchasesOf } from "./purchases.ts";

type PlansGiven = {
  /** By what a plan can be bought now. */
  openProviders(): Promise<readonly PaymentProviderOnWire[]>;
};

export function registerPlansHttp(app: App, http: HttpServer, given: PlansGiven): void {
  http.get(
    "/api/plans",
    {
      summary: "Les deux offres, leur comparaison, leurs prix et leurs frais",
      config: { access: "public" },
      schema: { response: { 200: plansAnswer } },
    },
    async (): Promise<PlansAnswer> => {
      const [settings, providers] = await Promise.all([
        app.settings.current(),
        given.openProviders(),
      ]);
      const { feeRates, premium } = settings;
      const worth = breakEven(feeRates, premium.price);
      return {
        success: true,
        currency: "XOF",
        plans: [termsToWire("free", settings), termsToWire("premium", settings)],
        comparison: comparePlans(feeRates),
        grace_days: GRACE_DAYS,
        break_even: worth === null ? null : fcfaToJson(worth),
        providers: [...providers],
      };
    },
  );
  registerSellersPlan(app, http);
}

function registerSellersPlan(app: App, http: HttpServer): void {
  const seller = { access: "seller" } as const;
  http.get(
    "/api/users/:id/abonnement",
    {
      summary: "Le plan du vendeur, sa fin, et ses achats du plan Premium",
      config: seller,
      schema: { params: z.object({ id: idInPath }), response: { 200: planPurchasesAnswer } },
    },
    async (request, reply) => {
      const { id } = request.params;
      // Another's id answers as an absent one.
      const answer = id === callerOf(request).personId ? await purchasesOf(app, id) : null;
      if (!answer) return answerRefusal(reply, UNKNOWN_USER, identityRefusals);
      return reply.header("cache-control", "no-store").send(answer);
    },
  );
  http.put(
    "/api/groups/quota",
    {
      summary: "Choisir les groupes qui vendent sous le plan gratuit, dans l'ordre",
      config: seller,
      schema: { body: quotaBody, response: { 200: quotaAnswer } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { personId: sellerId } = caller;
      const { groups } = request.body;
      const chosen = await chooseQuota(app, { sellerId, groups, actor: actorOf(caller) });
      if (!chosen.ok) return answerRefusal(reply, chosen.refusal, plansRefusals);
      return { success: true as const, channels: await channelsOf(app, sellerId) };
    },
  );
}

const UNKNOWN_USER = { kind: "identity.user-unknown" } as const;

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
