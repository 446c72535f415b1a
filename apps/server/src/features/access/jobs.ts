import type { App } from "../../app.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import { RENEW_LINKS, RESUME_ACCESS } from "../groups/index.ts";
import { CLOSE_ACCESS, closeAccess } from "./close-access.ts";
import { decideEntry } from "./entries/decide-entry.ts";
import { DECIDE_ENTRY } from "./entries/note-entry.ts";
import { REMOVE_ENTRY, removeEntry } from "./entries/remove-entry.ts";
import { REPORT_ENTRIES, reportEntries } from "./entries/report-entries.ts";
import { OPEN_ACCESS, openAccess, reopening } from "./open-access.ts";
import { REVOKE_LINK, revokeLink } from "./revoke-links.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { wakeJobsOf } from "./access.store.ts";
import { waitingIn } from "./access.view.ts";
import { admit } from "./admit.ts";
import { markGroupLinksRevoked } from "./link.store.ts";
import { tell } from "../../bot/tell.ts";
import { noteOrders } from "../../outgoing/events.store.ts";
import { BUTTONS, saySales } from "./messages.fr.ts";
import { lockTelling, takeUntold } from "./sales.store.ts";

/** The first sale is told at once; those of the next seconds together (decision 100). */
const GROUPING_MS = 15_000;

async function tellSales(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx): Promise<JobOutcome> => {
    // Here and not where money is settled, so that a sale costs no more for it (QUALITY P1).
    await noteOrders(tx, { type: "order.paid", ids: [job.ref] }, now);
    const turn = await lockTelling(tx, { orderId: job.ref, now });
    if (!turn) return DONE;
    const sinceMs = turn.told_at ? now.getTime() - turn.told_at.getTime() : GROUPING_MS;
    if (sinceMs < GROUPING_MS) {
      return { kind: "later", afterMs: GROUPING_MS - sinceMs, reason: "told with the next ones" };
    }
    const sales = await takeUntold(tx, { sellerId: turn.seller_id, now });
    // None: another sale's job has just told them all.
    if (sales.length === 0) return DONE;
    const ids = sales.map(({ order_id: id }) => id);
    await noteOrders(tx, { type: "order.paid", ids }, now);
    const message = {
      text: saySales(sales),
      buttons: [app.appButton(BUTTONS.balance, "/IndexEspace")],
    };
    await tell(tx, [{ bot: "seller", personId: turn.seller_id, message }], now);
    return DONE;
  });
}

/**
 * The bot can work in a group again: what waited for it is done now. Requests made meanwhile are
 * still open at Telegram, and nobody tells us of them twice.
 */
async function resumeGroup(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  await wakeJobsOf(app.db, job.ref, now);
  for (const access of await waitingIn(app.db, job.ref, now)) {
    const approved = await app.telegram.gatewayOf("seller").call("approveChatJoinRequest", {
      chat_id: Number(access.chat_id),
      user_id: Number(access.telegram_id),
    });
    if (approved.ok || approved.refusal.kind === "already-participant") await admit(app, access);
  }
  return DONE;
}

/** The chat has another id, its links are dead: whoever waits gets one of the new chat. */
async function renewLinks(app: App, job: Job): Promise<JobOutcome> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await markGroupLinksRevoked(tx, job.ref, now);
    const waiting = await waitingIn(tx, job.ref, now);
    await enqueue(
      tx,
      waiting.flatMap((access) =>
        reopening(access, { why: access.status === "left" ? "left" : "again", now }),
      ),
    );
  });
  return DONE;
}

/** While Telegram is out, access is tried for days: a job is not given up, the desk decides. */
const FOR_DAYS = 1_000;

export function accessJobs(app: App): JobHandler[] {
  const access = { batch: 20, concurrency: 10, maxAttempts: FOR_DAYS };
  const group = { batch: 5, concurrency: 1, maxAttempts: FOR_DAYS };
  return [
    { ...access, topic: OPEN_ACCESS, run: (job) => openAccess(app, job) },
    { ...access, topic: CLOSE_ACCESS, run: (job) => closeAccess(app, job) },
    { ...access, topic: DECIDE_ENTRY, run: (job) => decideEntry(app, job) },
    { ...access, topic: REMOVE_ENTRY, run: (job) => removeEntry(app, job) },
    { ...group, topic: REPORT_ENTRIES, run: (job) => reportEntries(app, job) },
    { ...access, topic: REVOKE_LINK, maxAttempts: 10, run: (job) => revokeLink(app, job) },
    { ...group, topic: RESUME_ACCESS, run: (job) => resumeGroup(app, job) },
    { ...group, topic: RENEW_LINKS, run: (job) => renewLinks(app, job) },
    {
      topic: "sales.tell-seller",
      batch: 100,
      concurrency: 1,
      maxAttempts: 10,
      run: (job) => tellSales(app, job),
    },
  ];
}
