import type { App } from "../../app.ts";
import type { TelegramRefusal } from "../../bot/telegram-errors.ts";
import { backOffMs, type JobOutcome } from "../../jobs/outbox.ts";
import type { Job } from "../../jobs/outbox.store.ts";
import { followMigration, recheckGroup } from "../groups/index.ts";
import { type AccessAlert, raiseAlert } from "./alert.store.ts";
import type { Membership } from "./access.view.ts";

export type Trouble = {
  readonly kind: AccessAlert;
  readonly order: Membership;
  readonly refusal: TelegramRefusal;
  readonly job: Job;
};

/** From then on a refusal nobody foresaw is the desk's alone. */
const UNFORESEEN_ATTEMPTS = 10;

/**
 * Telegram refuses what access needs in a chat. A moved chat is followed; missing rights are told to
 * the seller (by a re-check of the chat) and to the desk, and we keep trying, more and more slowly:
 * the return of the rights wakes the job.
 */
export async function meetTrouble(app: App, trouble: Trouble): Promise<JobOutcome> {
  const { order, refusal, job } = trouble;
  const reason = refusal.said;
  if (refusal.kind === "migrated") {
    await followMigration(app, { from: order.chat_id, to: refusal.to });
    return { kind: "later", afterMs: 0, reason };
  }
  await raiseAlert(app.db, {
    kind: trouble.kind,
    subject: `access:${order.access_id}`,
    details: {
      order_id: String(order.order_id ?? ""),
      chat_id: String(order.chat_id),
      said: reason,
    },
    now: app.clock.now(),
  });
  await recheckGroup(app, order.group_id).catch(() => {
    // The job comes back anyway; the re-check with it.
  });
  if (refusal.kind === "unknown" && job.attempts >= UNFORESEEN_ATTEMPTS) {
    return { kind: "failed", reason };
  }
  return { kind: "later", afterMs: backOffMs(job.attempts), reason };
}
