import { nameProvider, type PaymentProviderOnWire } from "@sesame/contract/checkout";
import * as contract from "@sesame/contract/plans";
import type { InstanceSettings } from "@sesame/contract/back-office";
import { fcfa, refuse } from "@sesame/kernel";
import type { z } from "zod";
import type { App } from "../../app.ts";
import { actorOf } from "../../audit/audit.store.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { many, maybe } from "../../postgres/database.ts";
import { channelsOf } from "../groups/index.ts";
import { comparePlans, PLAN_NAMES } from "./messages.fr.ts";
import { chooseQuota } from "./plans.ts";

/** `openProviders`: the providers for buying a plan now. */
export function registerPlansHttp(
  app: App,
  http: HttpServer,
  { openProviders }: { openProviders(): Promise<readonly PaymentProviderOnWire[]> },
): void {
  on(http, contract.listPlans, async () => {
    const [settings, providers] = await Promise.all([app.settings.current(), openProviders()]);
    return {
      currency: "XOF" as const,
      plans: [termsOf("free", settings), termsOf("premium", settings)],
      comparison: comparePlans(settings),
      grace_days: contract.GRACE_DAYS,
      break_even: contract.breakEven(settings),
      providers: [...providers],
    };
  });
  on(http, contract.listPlanPurchases, async ({ params: { id }, caller }) => {
    // Another's id gets the answer of an absent one.
    const seller = await maybe<Premium>(app.db)`
      SELECT plan, premium_since, premium_until FROM sellers
      WHERE id = ${id} AND id = ${caller.personId}
    `;
    if (!seller) return refuse({ kind: "identity.user-unknown" });
    const { plan, premium_since, premium_until } = seller;
    const now = app.clock.now();
    const premium_state = contract.premiumStateOf({ plan, premiumUntil: premium_until }, now);
    // Ten years of monthly purchases.
    const purchases = await many<Purchase>(app.db)`
      SELECT id, price AS prix, paid_at AS "dateCreation",
        CASE status WHEN 'paid' THEN access_until END AS "dateRenouvellement",
        'payant' AS "typeAbonnement", buyer_id AS "userId", is_renewal AS "estRenouvellement",
        provider AS moyen, status = 'refunded' AS rembourse
      FROM orders
      WHERE buyer_id = ${id} AND kind = 'plan' AND status IN ('paid', 'refunded')
      ORDER BY id DESC LIMIT 120
    `;
    return {
      now,
      type_plan: contract.planToWire(plan),
      premium_state,
      premium_since,
      premium_until,
      grace_until:
        premium_state === "none" || !premium_until ? null : contract.endOfGrace(premium_until),
      abonnements: purchases.map((row) => ({ ...row, moyen: nameProvider(row.moyen) })),
    };
  });
  on(http, contract.setQuota, async ({ body: { groups }, caller }) => {
    const { personId: sellerId } = caller;
    const chosen = await chooseQuota(app, { sellerId, groups, actor: actorOf(caller) });
    return chosen.ok ? { channels: await channelsOf(app, sellerId) } : chosen;
  });
}

type Premium = {
  readonly plan: contract.Plan | null;
  readonly premium_since: Date | null;
  readonly premium_until: Date | null;
};
type Purchase = z.output<typeof contract.listPlanPurchases.answer>["abonnements"][number];

const FREE = { price: fcfa(0n), period_days: null };

function termsOf(plan: contract.Plan, settings: InstanceSettings) {
  const { capabilities, groupsMax } = contract.PLAN_TERMS[plan];
  const { price, period_days } = plan === "premium" ? settings.premium : FREE;
  const isInstant = capabilities.includes("instant-withdrawals");
  return {
    type_plan: contract.planToWire(plan),
    name: PLAN_NAMES[plan],
    price,
    price_eur: contract.euroCents(price) / 100,
    period_days,
    fee_percent: contract.feeOf({ plan }, settings) / 100,
    groups_max: groupsMax,
    withdrawals: isInstant ? ("instant" as const) : ("weekly" as const),
    capabilities: [...capabilities],
  };
}
