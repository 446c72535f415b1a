import { GRACE_DAYS } from "@sesame/contract/plans";
import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { PlansDeps } from "./deps.ts";
import { viewEnded, viewFallen } from "./plans.view.ts";
import { remind } from "./remind.ts";
import { AGGREGATOR_WORDS, isAggregatorKey } from "@sesame/contract/aggregators";
import { audit, SYSTEM } from "../../audit/audit.store.ts";
import { tell } from "../../bot/tell.ts";
import { publish } from "../../realtime/events.store.ts";
import { BUTTONS, ended } from "./messages.fr.ts";
import { planChanged } from "./plan-changed.ts";
import { fallBackToFree, lockEnded, noteEnd } from "./plans.store.ts";

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

const REMINDED_AT_ONCE = 200;
const ENDED_AT_ONCE = 50;

type Log = Pick<FastifyBaseLogger, "error" | "warn">;

/** What time does to plans: reminders, days of grace, the end (decision 6). */
export function createPlansLoop(deps: PlansDeps, log: Log): Loop {
  return createLoop({
    name: "plans",
    clock: deps.clock,
    log,
    everyMs: MINUTE_MS,
    async run() {
      const endedBefore = addMs(deps.clock.now(), -GRACE_DAYS * DAY_MS);
      // Ends first: nobody is told of a grace that is over.
      const ended = await viewEnded(deps.db, { endedBefore, limit: ENDED_AT_ONCE });
      let failed = 0;
      for (const sellerId of ended) {
        // One that goes wrong keeps no other from its turn.
        await endPremium(deps, sellerId).catch((error: unknown) => {
          failed += 1;
          log.error({ err: error, seller: String(sellerId) }, "premium could not be ended");
        });
      }
      const reminded = await remind(deps, REMINDED_AT_ONCE);
      return reminded === REMINDED_AT_ONCE || (ended.length === ENDED_AT_ONCE && failed === 0);
    },
  });
}
