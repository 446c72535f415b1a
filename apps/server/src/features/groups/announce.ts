import { addMs } from "@sesame/kernel";
import { enqueue } from "../../jobs/outbox.store.ts";
import type { Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";
import { groupsOfSeller } from "./group.view.ts";

export const TELL_STATE = "groups.tell-state";
export const RECHECK = "groups.recheck";
/** Chats that wait for a seller are given, if Telegram proves it. `ref` is the seller. */
export const LINK_PENDING = "groups.link-pending";
/** Access works again in a group, or its chat has another id: what waited is done now. */
export const RESUME_ACCESS = "access.resume-group";
export const RENEW_LINKS = "access.renew-links";

/** Several changes come together when a bot is added: the seller is told where they end. */
const SETTLE_MS = 1_000;

/** The seller's screens, at once; the seller's chat, once the state has settled. */
export async function announceChange(
  tx: Db,
  change: { sellerId: bigint; now: Date },
): Promise<void> {
  const { sellerId, now } = change;
  await publish(tx, [{ room: `person:${sellerId}`, name: "chatadd", body: {} }]);
  // One chat more or less moves the others in or out of the quota.
  const groups = await groupsOfSeller(tx, sellerId);
  const dueAt = addMs(now, SETTLE_MS);
  await enqueue(
    tx,
    groups.map((group) => ({ topic: TELL_STATE, ref: group.id, dueAt })),
  );
}

/**
 * Chats the person added the bot to before being a seller, in the transaction that makes them one.
 * Nothing is given here: a job asks Telegram first, and again until it answers.
 */
export async function linkWaiting(tx: Db, who: { sellerId: bigint; now: Date }): Promise<void> {
  await enqueue(tx, [{ topic: LINK_PENDING, ref: who.sellerId, priority: 1, dueAt: who.now }]);
}

export async function recheckLater(tx: Db, groupId: bigint, now: Date): Promise<void> {
  await enqueue(tx, [{ topic: RECHECK, ref: groupId, dueAt: now }]);
}
