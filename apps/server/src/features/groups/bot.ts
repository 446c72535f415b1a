import { stateOfGroup } from "@sesame/contract/groups";
import type { CallbackQuery, Message, Update } from "grammy/types";
import type { App } from "../../app.ts";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { announceChange } from "./announce.ts";
import { CHECKED } from "./messages.fr.ts";
import { answerEntryRules } from "./entry-rules/bot.ts";
import { recordEvent, renameGroup } from "./group.store.ts";
import { groupById, groupFacts, sellerOfTelegram } from "./group.view.ts";
import { followMigration, noteBotMembership } from "./link-group.ts";
import { linkByPayload } from "./ownership/link-pending.ts";
import { noteAdministrator } from "./ownership/note-administrator.ts";
import { recheckGroup } from "./recheck-group.ts";

/** What the seller's bot does about chats: links them, follows them, answers "Vérifier". */
export function groupUpdates(app: App): UpdateHandler {
  return async (update: Update) => {
    if (update.my_chat_member) return noteBotMembership(app, update.my_chat_member);
    if (update.chat_member) return noteAdministrator(app, update.chat_member);
    if (update.message) return noteMessage(app, update.message);
    if (update.callback_query) {
      await answerCheck(app, update.callback_query);
      await answerEntryRules(app, update.callback_query);
    }
  };
}

async function noteMessage(app: App, message: Message): Promise<void> {
  const { chat } = message;
  const here = BigInt(chat.id);
  if (message.migrate_to_chat_id !== undefined) {
    return followMigration(app, { from: here, to: BigInt(message.migrate_to_chat_id) });
  }
  if (message.migrate_from_chat_id !== undefined) {
    return followMigration(app, { from: BigInt(message.migrate_from_chat_id), to: here });
  }
  if (message.new_chat_title !== undefined) return rename(app, here, message.new_chat_title);
  if (chat.type === "supergroup") await linkByPayload(app, message);
}

async function rename(app: App, chatId: bigint, title: string): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const group = await renameGroup(tx, { chatId, title });
    if (!group) return;
    await recordEvent(tx, { groupId: group.id, event: "title_changed", now });
    await announceChange(tx, { sellerId: group.seller_id, now });
  });
}

async function answerCheck(app: App, query: CallbackQuery): Promise<void> {
  const match = /^group:check:(\d{1,18})$/.exec(query.data ?? "");
  if (!match?.[1]) return;
  const groupId = BigInt(match[1]);
  const sellerId = await sellerOfTelegram(app.db, query.from.id);
  const group = await groupById(app.db, groupId);
  if (!group || group.seller_id !== sellerId) return;
  await recheckGroup(app, groupId);
  const after = await groupById(app.db, groupId);
  if (!after) return;
  await app.telegram.gatewayOf("seller").call("answerCallbackQuery", {
    callback_query_id: query.id,
    text: CHECKED[stateOfGroup(groupFacts(after))],
  });
}
