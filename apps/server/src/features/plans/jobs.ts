import { type Plan, planToWire } from "@sesame/contract/plans";
import type { App } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import { DONE, type JobHandler } from "../../jobs/outbox.ts";
import { takeJob } from "../../jobs/outbox.store.ts";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import { announceChange } from "../groups/index.ts";
import { bought } from "./messages.fr.ts";
import { viewBought } from "./plans.view.ts";

/** Realtime, to the seller: his screens read the user anew; product pages too, where it is heard. */
const PLAN_CHANGED = "plan:changed";

export function planChanged(change: {
  sellerId: bigint;
  plan: Plan;
  until: Date | null;
}): RealtimeEvent {
  const { sellerId, plan, until } = change;
  const body = { type_plan: planToWire(plan), premium_until: until?.toISOString() ?? null };
  return { room: `person:${sellerId}`, name: PLAN_CHANGED, body };
}

/** Written where a plan is settled (settle_plan_payments). */
const TELL_BOUGHT = "plans.tell-bought";

/** Premium begins or goes on: his screens refresh, his groups and pages open, the bot says so. */
export function plansJobs(app: App): JobHandler[] {
  return [
    {
      topic: TELL_BOUGHT,
      batch: 20,
      concurrency: 1,
      maxAttempts: 10,
      async run(job) {
        const order = await viewBought(app.db, job.ref);
        // Refunded meanwhile.
        if (!order) return DONE;
        const { buyer_id: sellerId, access_until: until, price, is_renewal: renewal } = order;
        const now = app.clock.now();
        const text = bought({ until: app.sayInstant(until), price, renewal });
        await app.db.transaction().execute(async (tx) => {
          if (!(await takeJob(tx, job.id))) return;
          await publish(tx, [planChanged({ sellerId, plan: "premium", until })]);
          await announceChange(tx, { sellerId, now });
          await tell(tx, [{ bot: "seller", personId: sellerId, message: { text } }], now);
        });
        return DONE;
      },
    },
  ];
}
