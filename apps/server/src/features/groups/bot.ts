import { stateOfGroup } from "@sesame/contract/groups";
import type { CallbackQuery, Message, Update } from "grammy/types";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { announceChange } from "./announce.ts";
import { CHECKED } from "./messages.fr.ts";
import type { GroupsDeps } from "./deps.ts";
import { answerEntryRules } from "./entry-rules/bot.ts";
import { recordEvent, renameGroup } from "./group.store.ts";
import { groupById, groupFacts, sellerOfTelegram } from "./group.view.ts";
import { noteBotMembership } from "./link-group.ts";
import { migrateGroup } from "./migrate-group.ts";
import { linkByPayload } from "./ownership/link-by-payload.ts";
import { noteAdministrator } from "./ownership/note-administrator.ts";
import { refreshGroup } from "./refresh-group.ts";

/** What the seller's bot does about chats: links them, follows them, answers "Vérifier". */
export function groupUpdates(deps: GroupsDeps): UpdateHandler {
  return async (update: Update) => {
    if (update.my_chat_member) return noteBotMembership(deps, update.my_chat_member);
    if (update.chat_member) return noteAdministrator(deps, update.chat_member);
    if (update.message) return noteMessage(deps, update.message);
    if (update.callback_query) {
      await answerCheck(deps, update.callback_query);
      await answerEntryRules(deps, update.callback_query);
    }
  };
}

async function noteMessage(deps: GroupsDeps, message: Message): Promise<void> {
  const { chat } = message;
  const here = BigInt(chat.id);
  if (message.migrate_to_chat_id !== undefined) {
    return migrateGroup(deps, { from: here, to: BigInt(message.migrate_to_chat_id) });
  }
  if (message.migrate_from_chat_id !== undefined) {
    return migrateGroup(deps, { from: BigInt(message.migrate_from_chat_id), to: here });
  }
  if (message.new_chat_title !== undefined) return rename(deps, here, message.new_chat_title);
  if (chat.type === "supergroup") await linkByPayload(deps, message);
}

async function rename(deps: GroupsDeps, chatId: bigint, title: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const group = await renameGroup(tx, { chatId, title });
    if (!group) return;
    await recordEvent(tx, { groupId: group.id, event: "title_changed", now });
    await announceChange(tx, { sellerId: group.seller_id, now });
  });
}

async function answerCheck(deps: GroupsDeps, query: CallbackQuery): Promise<void> {
  const match = /^group:check:(\d{1,18})$/.exec(query.data ?? "");
  if (!match?.[1]) return;
  const groupId = BigInt(match[1]);
  const sellerId = await sellerOfTelegram(deps.db, BigInt(query.from.id));
  const group = await groupById(deps.db, groupId);
  if (!group || group.seller_id !== sellerId) return;
  await refreshGroup(deps, groupId);
  const after = await groupById(deps.db, groupId);
  if (!after) return;
  await deps.telegram.gatewayOf("seller").call("answerCallbackQuery", {
    callback_query_id: query.id,
    text: CHECKED[stateOfGroup(groupFacts(after))],
  });
}
