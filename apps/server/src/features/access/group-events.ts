import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { wakeJobsOf } from "./access.store.ts";
import { waitingIn } from "./access.view.ts";
import { admit } from "./admit.ts";
import type { AccessDeps } from "./deps.ts";
import { markGroupLinksRevoked } from "./link.store.ts";
import { reopening } from "./open-access.ts";

/**
 * The bot can work in a group again: what waited for it is done now. Requests made meanwhile are
 * still open at Telegram, and nobody tells us of them twice.
 */
export async function resumeGroup(deps: AccessDeps, job: Job): Promise<JobOutcome> {
  const now = deps.clock.now();
  await wakeJobsOf(deps.db, job.ref, now);
  for (const access of await waitingIn(deps.db, job.ref, now)) {
    const approved = await deps.telegram.gatewayOf("seller").call("approveChatJoinRequest", {
      chat_id: Number(access.chat_id),
      user_id: Number(access.telegram_id),
    });
    if (approved.ok || approved.refusal.kind === "already-participant") await admit(deps, access);
  }
  return DONE;
}

/** The chat has another id, its links are dead: whoever waits gets one of the new chat. */
export async function renewLinks(deps: AccessDeps, job: Job): Promise<JobOutcome> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
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
