import { forgetPayoutNotices } from "../payouts/index.ts";
import { forgetPaymentNotices } from "../checkout/index.ts";
import { MINUTE_MS } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { backOffMs, DONE, type JobHandler } from "../../jobs/outbox.ts";
import { redactUpdates } from "../../bot/updates.store.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import type { Db } from "../../postgres/database.ts";

const FORGET_NOTICES = "support.forget-notices";

/** Soon, and not in the call: every stored webhook and update is looked at. */
export function forgetNoticesSoon(tx: Db, personId: bigint, now: Date): Promise<void> {
  return enqueue(tx, [{ topic: FORGET_NOTICES, ref: personId, priority: 3, dueAt: now }]);
}

export function forgetNoticesJob({ db }: App): JobHandler {
  return {
    topic: FORGET_NOTICES,
    batch: 1,
    concurrency: 1,
    maxAttempts: 20,
    run: async ({ ref, attempts }) => {
      await forgetPaymentNotices(db, ref);
      await forgetPayoutNotices(db, ref);
      if (!(await redactUpdates(db, ref))) return DONE;
      return {
        kind: "later",
        afterMs: Math.max(MINUTE_MS, backOffMs(attempts)),
        reason: "an update waits to be handled",
      };
    },
  };
}
