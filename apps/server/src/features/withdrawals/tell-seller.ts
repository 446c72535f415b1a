import { assert, textOf, unreachable } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Html } from "../../bot/html.ts";
import { tell } from "../../bot/tell.ts";
import { DONE, type JobHandler } from "../../jobs/outbox.ts";
import { enqueue, type Job, takeJob } from "../../jobs/outbox.store.ts";
import { noteOutgoing } from "../../outgoing/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { changedEvents } from "./announce.ts";
import { noteAutomaticEnd } from "./automatic-notes.ts";
import { approved, BUTTONS, late, paid, rejected, returned } from "./messages.fr.ts";
import { viewAnyWithdrawal, type WithdrawalRow } from "./withdrawals.view.ts";

const TELL_SELLER = "withdrawals.tell-seller";

/**
 * What happened to a request. `approved`: the francs are on their way. `paid`: the operator or the
 * provider confirmed that the money was received. `returned`: it failed after approval, the francs
 * are back on his balance (decision 86). `late`: it was received after all, and he owes them.
 */
export type SellerNews = "approved" | "paid" | "rejected" | "returned" | "late";

/** Shows what the row says already on the seller's screens and at the desk, and has him told. */
export async function noteNews(
  tx: Db,
  id: bigint,
  { news, reason = null, now }: { news: SellerNews; reason?: string | null; now: Date },
): Promise<void> {
  const row = await viewAnyWithdrawal(tx, id);
  assert(row, `no withdrawal ${id}`);
  const { seller_id: sellerId, status, paid_at } = row;
  await publish(tx, changedEvents({ id, sellerId, status, paid: paid_at !== null }));
  if (news !== "approved" && news !== "late")
    await noteAutomaticEnd(tx, row, news === "paid" ? "paid" : "rejected");
  if (news === "paid") {
    await noteOutgoing(tx, [{ sellerId, type: "withdrawal.paid", subject: id }], now);
  }
  await enqueue(tx, [{ topic: TELL_SELLER, ref: id, payload: { news, reason }, dueAt: now }]);
}

export function withdrawalsJobs(app: App): JobHandler[] {
  const run = (job: Job) => tellSeller(app, job);
  return [{ topic: TELL_SELLER, batch: 50, concurrency: 1, maxAttempts: 10, run }];
}

async function tellSeller({ db, clock, appButton }: App, job: Job) {
  const row = await viewAnyWithdrawal(db, job.ref);
  assert(row, `no withdrawal ${job.ref}`);
  const news = job.payload["news"] as SellerNews;
  // Paid or returned meanwhile: that is told by a job of its own.
  const stale = news === "approved" && (row.status !== "approved" || row.paid_at !== null);
  if (stale) return DONE;
  const text = say(row, news, textOf(job.payload["reason"]));
  const buttons = [appButton(BUTTONS.history, "/HistoriqueRetraits")];
  const telling = { bot: "seller", personId: row.seller_id, message: { text, buttons } } as const;
  await db.transaction().execute(async (tx) => {
    if (await takeJob(tx, job.id)) await tell(tx, [telling], clock.now());
  });
  return DONE;
}

function say(row: WithdrawalRow, news: SellerNews, reason: string): Html {
  switch (news) {
    case "approved":
      return approved(row);
    case "paid":
      return paid(row);
    case "rejected":
      return rejected(row, reason);
    case "returned":
      return returned(row, reason);
    case "late":
      return late(row);
    default:
      return unreachable(news);
  }
}
