import type { App } from "../../../app.ts";
import { tell } from "../../../bot/tell.ts";
import { DONE, type JobOutcome } from "../../../jobs/outbox.ts";
import type { Job } from "../../../jobs/outbox.store.ts";
import { lastReport, takeUnreported } from "./entries.store.ts";
import { reportMessage } from "./entry-card.ts";

export const REPORT_ENTRIES = "access.report-entries";

/** The first is reported at once; those of the next minute together. */
const GROUPING_MS = 60_000;

/** Tells a group's seller who came in without paid time. Nobody is reported twice. */
export async function reportEntries(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Promise<JobOutcome> => {
    const last = await lastReport(tx, job.ref);
    const sinceMs = last ? now.getTime() - last.getTime() : GROUPING_MS;
    if (sinceMs >= 0 && sinceMs < GROUPING_MS) {
      return {
        kind: "later",
        afterMs: GROUPING_MS - sinceMs,
        reason: "notified with the next ones",
      };
    }
    const entries = await takeUnreported(tx, job.ref, now);
    const [first] = entries;
    // None: another entry's job has just notified of them all.
    if (!first) return DONE;
    const message = reportMessage(entries);
    await tell(tx, [{ bot: "seller", personId: first.seller_id, message }], now);
    return DONE;
  });
}
