import { AGGREGATOR_WORDS, isAggregatorKey } from "@sesame/contract/aggregators";
import { GRACE_DAYS } from "@sesame/contract/plans";
import { addMs, DAY_MS } from "@sesame/kernel";
import { audit, SYSTEM } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import { publish } from "../../realtime/events.store.ts";
import { BUTTONS, ended } from "./bot-texts.fr.ts";
import type { PlansDeps } from "./deps.ts";
import { planChanged } from "./plan-changed.ts";
import { fallBackToFree, lockEnded, noteEnd } from "./plans.store.ts";
import { viewFallen } from "./plans.view.ts";

/**
 * The free plan again, when the days of grace are over (decision 6): balance, groups and keys
 * follow, and the seller is told of each. A seller who renewed meanwhile is left alone; one seller,
 * one short transaction: posting waits for it.
 */
export async function endPremium(deps: PlansDeps, sellerId: bigint): Promise<void> {
  const now = deps.clock.now();
  const endedBefore = addMs(now, -GRACE_DAYS * DAY_MS);
  const { feeRates } = await deps.settings.current();
  await deps.db.transaction().execute(async (tx) => {
    const lapsed = await lockEnded(tx, { sellerId, endedBefore });
    if (!lapsed) return;
    const { premiumUntil } = lapsed;
    await fallBackToFree(tx, sellerId, now);
    await noteEnd(tx, { sellerId, premiumUntil, now });
    const { moved, paused, ownKeys } = await viewFallen(tx, sellerId);
    const names = ownKeys.filter(isAggregatorKey).map((key) => AGGREGATOR_WORDS[key].name);
    const text = ended({ moved, paused, ownKeys: names, feeRate: feeRates.free });
    const buttons = [
      deps.appButton(BUTTONS.renew, "/Plans"),
      ...(paused.length > 0 ? [deps.appButton(BUTTONS.groups, "/GroupeListe")] : []),
    ];
    await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
    await publish(tx, [planChanged({ sellerId, plan: "free", until: null })]);
    await deps.groups.announceChange(tx, { sellerId, now });
    const before = { plan: "premium", until: premiumUntil };
    const deed = { actor: SYSTEM, action: "plan.change", subject: `seller:${sellerId}`, before };
    await audit(tx, { ...deed, after: { plan: "free", until: null } }, now);
  });
}
