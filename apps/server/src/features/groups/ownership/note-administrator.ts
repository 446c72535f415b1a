import type { ChatMemberUpdated } from "grammy/types";
import type { App } from "../../../app.ts";
import { announceChange, recheckLater } from "../announce.ts";
import { groupByChat, sellerOfTelegram } from "../group.view.ts";
import { type Administrator, administratorOf, ownerStanding } from "./administrators.ts";
import { pauseSales, saveAdministrator } from "./administrators.store.ts";
import { linkWaitingChat } from "./link-pending.ts";

/**
 * The creator and the administrators of a chat, as they change (decisions 80, 110). A seller who
 * loses what linking needs sells no more from this moment; what they regain is asked of Telegram.
 */
export async function noteAdministrator(app: App, event: ChatMemberUpdated): Promise<void> {
  const { user } = event.new_chat_member;
  if (user.is_bot) return;
  const was = administratorOf(event.old_chat_member);
  const is = administratorOf(event.new_chat_member);
  if (isSame(was, is)) return;
  const chatId = BigInt(event.chat.id);
  const telegramId = BigInt(user.id);
  const group = await groupByChat(app.db, chatId);
  if (!group) return linkWaitingChat(app, chatId, telegramId);
  const { id: groupId, seller_id: sellerId } = group;
  const isSeller = (await sellerOfTelegram(app.db, telegramId)) === sellerId;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await saveAdministrator(tx, {
      groupId,
      telegramId,
      isAdmin: is !== null,
      isCreator: is?.isCreator ?? false,
    });
    if (!isSeller) return;
    const lost = ownerStanding(is).kind !== "may-own";
    if (lost && (await pauseSales(tx, { groupId, sellerId, now }))) {
      await announceChange(tx, { sellerId, now });
    }
    await recheckLater(tx, groupId, now);
  });
}

function isSame(was: Administrator | null, is: Administrator | null): boolean {
  if (was === null || is === null) return was === is;
  return (
    was.isCreator === is.isCreator &&
    was.rights.invite_users === is.rights.invite_users &&
    was.rights.restrict_members === is.rights.restrict_members
  );
}
