import type { App } from "../../app.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import type { Db } from "../../postgres/database.ts";
import { type AccessLink, chatOfOrder, retireLinks } from "./link.store.ts";

export const REVOKE_LINK = "access.revoke-link";

/** Takes a person's links to a group out of use: here at once, at Telegram by a job. */
export async function revokeLinks(
  tx: Db,
  access: { person_id: bigint; group_id: bigint },
  now: Date,
): Promise<void> {
  await retireAtTelegram(tx, await retireLinks(tx, access, now), now);
}

export async function retireAtTelegram(
  tx: Db,
  links: readonly AccessLink[],
  now: Date,
): Promise<void> {
  await enqueue(
    tx,
    links.map((link) => ({
      topic: REVOKE_LINK,
      ref: link.order_id,
      payload: { invite_link: link.invite_link },
      priority: 3,
      dueAt: now,
    })),
  );
}

export async function revokeLink(app: App, job: Job): Promise<JobOutcome> {
  const chatId = await chatOfOrder(app.db, job.ref);
  const link = job.payload["invite_link"];
  if (chatId === null || typeof link !== "string") return DONE;
  // Whatever Telegram says, the link lets nobody in: who enters is decided by person.
  await app.telegram.gatewayOf("seller").call("revokeChatInviteLink", {
    chat_id: Number(chatId),
    invite_link: link,
  });
  return DONE;
}
