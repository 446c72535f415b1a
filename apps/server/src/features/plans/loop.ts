import { AGGREGATOR_WORDS, isAggregatorKey } from "@sesame/contract/aggregators";
import { endOfGrace, GRACE_DAYS } from "@sesame/contract/plans";
import { addMs, DAY_MS, type Fcfa, MINUTE_MS, unreachable } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { audit, SYSTEM } from "../../audit/audit.store.ts";
import type { Html } from "../../bot/html.ts";
import { tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { publish } from "../../realtime/events.store.ts";
import { announceChange } from "../groups/index.ts";
import { planChanged } from "./jobs.ts";
import { BUTTONS, ended, endsSoon, inGrace } from "./messages.fr.ts";
import {
  fallBackToFree,
  hasDueReminder,
  lockEnded,
  noteEnd,
  noteReminders,
  type Reminded,
} from "./plans.store.ts";
import { viewEnded, viewFallen } from "./plans.view.ts";

/**
 * The free plan again, when the days of grace are over (decision 6): balance, groups and keys
 * follow, and the seller is told of each. A seller who renewed meanwhile is left alone; one seller,
 * one short transaction: posting waits for it.
 */
export async function endPremium(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  const endedBefore = addMs(now, -GRACE_DAYS * DAY_MS);
  const { feeRates } = await app.settings.current();
  await app.db.transaction().execute(async (tx) => {
    const lapsed = await lockEnded(tx, { sellerId, endedBefore });
    if (!lapsed) return;
    const { premiumUntil } = lapsed;
    await fallBackToFree(tx, sellerId, now);
    await noteEnd(tx, { sellerId, premiumUntil, now });
    const { moved, paused, ownKeys } = await viewFallen(tx, sellerId);
    const names = ownKeys.filter(isAggregatorKey).map((key) => AGGREGATOR_WORDS[key].name);
    const text = ended({ moved, paused, ownKeys: names, feeRate: feeRates.free });
    const buttons = [
      app.appButton(BUTTONS.renew, "/Plans"),
      ...(paused.length > 0 ? [app.appButton(BUTTONS.groups, "/GroupeListe")] : []),
    ];
    await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
    await publish(tx, [planChanged({ sellerId, plan: "free", until: null })]);
    await announceChange(tx, { sellerId, now });
    const before = { plan: "premium", until: premiumUntil };
    const deed = { actor: SYSTEM, action: "plan.change", subject: `seller:${sellerId}`, before };
    await audit(tx, { ...deed, after: { plan: "free", until: null } }, now);
  });
}

/** Said with the transaction that notes it: each once, whoever dies. → how many. */
async function remind(app: App, limit: number): Promise<number> {
  const now = app.clock.now();
  const due = { now, endedBefore: addMs(now, -GRACE_DAYS * DAY_MS), limit };
  if (!(await hasDueReminder(app.db, due))) return 0;
  const { premium } = await app.settings.current();
  return app.db.transaction().execute(async (tx) => {
    const reminded = await noteReminders(tx, due);
    const buttons = [app.appButton(BUTTONS.renew, "/Plans")];
    const tellings = reminded.map((one) => ({
      bot: "seller" as const,
      personId: one.seller_id,
      message: { text: say(app, one, premium.price), buttons },
      priority: 2 as const,
    }));
    await tell(tx, tellings, now);
    // On his screens too: the days of grace have begun.
    const inGraceNow = reminded.filter(({ kind }) => kind === "grace");
    await publish(
      tx,
      inGraceNow.map(({ seller_id: sellerId, premium_until: until }) =>
        planChanged({ sellerId, plan: "premium", until }),
      ),
    );
    return reminded.length;
  });
}

function say({ sayInstant }: App, { kind, premium_until: until }: Reminded, price: Fcfa): Html {
  const at = sayInstant(until);
  switch (kind) {
    case "7-days":
      return endsSoon({ at, price, days: 7 });
    case "3-days":
      return endsSoon({ at, price, days: 3 });
    case "1-day":
      return endsSoon({ at, price, days: 1 });
    case "grace":
      return inGrace({ price, graceUntil: sayInstant(endOfGrace(until)) });
    default:
      return unreachable(kind);
  }
}

const REMINDED_AT_ONCE = 200;
const ENDED_AT_ONCE = 50;

/** What time does to plans: reminders, days of grace, the end (decision 6). */
export function plansLoops(app: App): Loop[] {
  const { clock, log } = app;
  const run = async () => {
    const endedBefore = addMs(clock.now(), -GRACE_DAYS * DAY_MS);
    // Ends first: nobody is told of a grace that is over.
    const ended = await viewEnded(app.db, { endedBefore, limit: ENDED_AT_ONCE });
    let failed = 0;
    for (const sellerId of ended) {
      // One that goes wrong keeps no other from its turn.
      await endPremium(app, sellerId).catch((error: unknown) => {
        failed += 1;
        log.error({ err: error, seller: String(sellerId) }, "premium could not be ended");
      });
    }
    const reminded = await remind(app, REMINDED_AT_ONCE);
    return reminded === REMINDED_AT_ONCE || (ended.length === ENDED_AT_ONCE && failed === 0);
  };
  return [createLoop({ name: "plans", clock, log, everyMs: MINUTE_MS, run })];
}
