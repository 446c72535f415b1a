import { GRACE_DAYS } from "@sesame/contract/plans";
import { addMs, DAY_MS, MINUTE_MS } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { PlansDeps } from "./deps.ts";
import { endPremium } from "./end-premium.ts";
import { viewEnded } from "./plans.view.ts";
import { remind } from "./remind.ts";

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
