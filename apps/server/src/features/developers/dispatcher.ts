import { DELIVERIES_DAYS } from "@sesame/contract/developers";
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { reportOutage } from "../../jobs/report-outage.ts";
import { claimDeliveries, type ClaimedDelivery, forgetOld } from "./deliveries.store.ts";
import { deliver } from "./deliver.ts";

/** Endpoints served at the same time. Those that fail have lanes of their own: they slow nobody. */
const LANES = { healthy: 16, failing: 4 } as const;
/** For retries; new deliveries are heard of at once (WEBHOOKS_CHANNEL). */
const POLL_MS = 5_000;
/** Longer than any attempt: a turn nobody gave back is free by then. */
export const TURN_MS = MINUTE_MS;
const SWEEP_BATCH = 1_000;

export function developersLoops(app: App): Loop[] {
  const { db, clock, log } = app;
  return [
    createDispatcher(app, "healthy"),
    createDispatcher(app, "failing"),
    createLoop({
      name: "webhooks sweep",
      clock,
      log,
      everyMs: HOUR_MS,
      run: () => {
        const before = addMs(clock.now(), -DELIVERIES_DAYS * DAY_MS);
        return forgetOld(db, before, SWEEP_BATCH);
      },
    }),
  ];
}

/** Fills free lanes and does not wait for them: a slow endpoint keeps its own lane busy only. */
function createDispatcher(app: App, lane: keyof typeof LANES): Loop {
  const { clock, log } = app;
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const name = `webhooks ${lane}`;
  const serve = (claimed: ClaimedDelivery): void => {
    const served = deliver(app, claimed, stopping.signal)
      .catch((error: unknown) => {
        if (error instanceof Outage) reportOutage(log, error, name);
        else log.error({ err: error }, name);
      })
      .finally(() => {
        underWay.delete(served);
        filling.wake();
      });
    underWay.add(served);
  };
  const filling = createLoop({
    name,
    clock,
    log,
    everyMs: POLL_MS,
    async run() {
      const limit = LANES[lane] - underWay.size;
      if (limit <= 0 || stopping.signal.aborted) return false;
      const now = clock.now();
      const leaseEnd = addMs(now, TURN_MS);
      const failing = lane === "failing";
      for (const one of await claimDeliveries(app.db, { failing, limit, now, leaseEnd })) {
        serve(one);
      }
      return false;
    },
  });
  return {
    ...filling,
    async drain() {
      for (;;) {
        await filling.drain();
        if (underWay.size === 0) return;
        await Promise.all(underWay);
      }
    },
    async stop() {
      stopping.abort();
      await filling.stop();
      await Promise.all(underWay);
    },
  };
}
