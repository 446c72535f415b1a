import { addMs, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import type { ChatFullInfo } from "grammy/types";
import type { App } from "../../../app.ts";
import { tell } from "../../../bot/tell.ts";
import type { Db } from "../../../postgres/database.ts";
import { publish } from "../../../realtime/events.store.ts";
import { type GroupRow, groupById } from "../group.view.ts";
import { lockToldState, saveMembersCanAdd, takeFaultNotice } from "./entry-rules.store.ts";
import { entryRulesMessage } from "./entry-rules-message.ts";

export const READ_EVERY_MS = HOUR_MS;
/** Groups linked together are not asked about together for ever. */
const SPREAD_MS = 5 * MINUTE_MS;

/** What Telegram's default permissions say; null for a channel, where only administrators add. */
export function membersCanAdd(chat: ChatFullInfo): boolean | null {
  if (chat.type !== "supergroup" || !chat.permissions) return null;
  return chat.permissions.can_invite_users === true;
}

/** Writes whether members may add members, and tells the seller of the fault once. */
export async function noteMembersCanAdd(
  app: App,
  groupId: bigint,
  canAdd: boolean | null,
): Promise<void> {
  const now = app.clock.now();
  const spreadMs = Number(groupId % 60n) * (SPREAD_MS / 60);
  const dueAt = addMs(now, READ_EVERY_MS - spreadMs);
  await app.db.transaction().execute(async (tx) => {
    const told = await lockToldState(tx, groupId);
    if (!told) return;
    const isNews = await saveMembersCanAdd(tx, { groupId, membersCanAdd: canAdd, dueAt });
    const group = isNews || canAdd === true ? await groupById(tx, groupId) : null;
    if (!group) return;
    if (isNews) {
      const room = `person:${group.seller_id}`;
      await publish(tx, [{ room, name: "chatadd", body: {} }]);
    }
    // The message that says "linked" names the fault itself.
    const hasLinked = told.state === "connected" || told.state === "over_quota";
    if (canAdd === true && hasLinked) await notifyFault(tx, group, now);
  });
}

async function notifyFault(tx: Db, group: GroupRow, now: Date): Promise<void> {
  if (!(await takeFaultNotice(tx, group.id, now))) return;
  const message = await entryRulesMessage(tx, group);
  await tell(tx, [{ bot: "seller", personId: group.seller_id, message }], now);
}
