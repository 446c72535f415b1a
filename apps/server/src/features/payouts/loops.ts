import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { drivePayouts } from "./drive-payouts.ts";
import { followRumours } from "./follow-rumours.ts";
import { prunePayoutNotices } from "./notice.store.ts";

/** For those put off until later; new ones are heard of at once (PAYOUTS_CHANNEL). */
const LOOK_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 10 * MINUTE_MS;
const PRUNED_AT_ONCE = 1_000;
/** As long as those of payments. */
const WEBHOOKS_KEPT_MS = 90 * DAY_MS;

export function payoutLoops(app: App): Loop[] {
  let stopping = false;
  const { db, clock, log } = app;
  const loopOf = (name: string, run: () => Promise<boolean>): Loop => {
    const loop = createLoop({ name, clock, log, everyMs: LOOK_EVERY_MS, run });
    return {
      ...loop,
      stop() {
        stopping = true;
        return loop.stop();
      },
    };
  };
  return [
    loopOf("payouts send and look up", () => drivePayouts(app, () => stopping)),
    loopOf("payouts follow rumours", () => followRumours(app)),
    createLoop({
      name: "payouts prune webhooks",
      clock,
      log,
      everyMs: PRUNE_EVERY_MS,
      run: async () => {
        const before = addMs(clock.now(), -WEBHOOKS_KEPT_MS);
        return (await prunePayoutNotices(db, { before, limit: PRUNED_AT_ONCE })) >= PRUNED_AT_ONCE;
      },
    }),
  ];
}
