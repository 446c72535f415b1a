import type { App } from "../../app.ts";
import { DONE, type JobOutcome } from "../../jobs/outbox.ts";
import { enqueue, type Job } from "../../jobs/outbox.store.ts";
import { type Db, many, maybe, one } from "../../postgres/database.ts";

export const REVOKE_LINK = "access.revoke-link";

type AccessLink = { readonly order_id: bigint; readonly invite_link: string };

/** Takes a person's links to a group out of use: here at once, at Telegram by a job. */
export async function revokeLinks(
  tx: Db,
  access: { person_id: bigint; group_id: bigint },
  now: Date,
): Promise<void> {
  const links = await many<AccessLink>(tx)`
    UPDATE access_links l SET revoked_at = ${now} FROM orders o
    WHERE o.id = l.order_id AND o.buyer_id = ${access.person_id}
      AND l.group_id = ${access.group_id} AND l.revoked_at IS NULL
    RETURNING l.order_id, l.invite_link
  `;
  await retireAtTelegram(tx, links, now);
}

/** The links of one order serve no more. */
export async function revokeOrderLinks(tx: Db, orderId: bigint, now: Date): Promise<void> {
  const links = await many<AccessLink>(tx)`
    UPDATE access_links SET revoked_at = ${now}
    WHERE order_id = ${orderId} AND revoked_at IS NULL
    RETURNING order_id, invite_link
  `;
  await retireAtTelegram(tx, links, now);
}

async function retireAtTelegram(tx: Db, links: readonly AccessLink[], now: Date): Promise<void> {
  await enqueue(
    tx,
    links.map(({ order_id: ref, invite_link }) => ({
      topic: REVOKE_LINK,
      ref,
      payload: { invite_link },
      priority: 3,
      dueAt: now,
    })),
  );
}

export async function revokeLink(app: App, job: Job): Promise<JobOutcome> {
  const chat = await maybe<{ id: bigint }>(app.db)`
    SELECT g.chat_id AS id FROM orders o JOIN groups g ON g.id = o.group_id WHERE o.id = ${job.ref}
  `;
  const link = job.payload["invite_link"];
  if (!chat || typeof link !== "string") return DONE;
  // Whatever Telegram says, the link lets nobody in: who enters is decided by person.
  await app.telegram.gatewayOf("seller").call("revokeChatInviteLink", {
    chat_id: Number(chat.id),
    invite_link: link,
  });
  return DONE;
}

export async function hasLiveLink(db: Db, orderId: bigint): Promise<boolean> {
  const { yes } = await one<{ yes: boolean }>(db)`
    SELECT EXISTS (
      SELECT FROM access_links WHERE order_id = ${orderId} AND revoked_at IS NULL
    ) AS yes
  `;
  return yes;
}
