import { DONE, type JobHandler } from "../../jobs/outbox.ts";
import { takeJob } from "../../jobs/outbox.store.ts";
import { tell } from "../../bot/tell.ts";
import { publish } from "../../realtime/events.store.ts";
import { bought } from "./messages.fr.ts";
import type { PlansDeps } from "./deps.ts";
import { planChanged } from "./plan-changed.ts";
import { viewBought } from "./plans.view.ts";

/** Written where a plan is settled (settle_plan_payments). */
const TELL_BOUGHT = "plans.tell-bought";

/** Premium begins or goes on: his screens refresh, his groups and pages open, the bot says so. */
export function plansJobs(deps: PlansDeps): JobHandler[] {
  return [
    {
      topic: TELL_BOUGHT,
      batch: 20,
      concurrency: 1,
      maxAttempts: 10,
      async run(job) {
        const order = await viewBought(deps.db, job.ref);
        // Refunded meanwhile.
        if (!order) return DONE;
        const { buyer_id: sellerId, access_until: until, price, is_renewal: renewal } = order;
        const now = deps.clock.now();
        const text = bought({ until: deps.sayInstant(until), price, renewal });
        await deps.db.transaction().execute(async (tx) => {
          if (!(await takeJob(tx, job.id))) return;
          await publish(tx, [planChanged({ sellerId, plan: "premium", until })]);
          await deps.groups.announceChange(tx, { sellerId, now });
          await tell(tx, [{ bot: "seller", personId: sellerId, message: { text } }], now);
        });
        return DONE;
      },
    },
  ];
}
