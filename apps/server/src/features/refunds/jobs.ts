import type { App } from "../../app.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import { GIVE_BACK } from "./ask-refund.ts";
import { giveBack } from "./give-back.ts";
import { giveSurplusBack } from "./surplus.ts";

/** A provider that is away is asked for days: the desk decides, no job gives up. */
const FOR_DAYS = 1_000;

export function refundsJobs(app: App): JobHandler[] {
  const shared = { batch: 10, maxAttempts: FOR_DAYS };
  return [
    { ...shared, topic: GIVE_BACK, concurrency: 4, run: (job) => giveBack(app, job) },
    {
      ...shared,
      topic: "refunds.surplus",
      concurrency: 1,
      run: (job) => giveSurplusBack(app, job),
    },
  ];
}
