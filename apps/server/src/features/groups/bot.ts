import { stateOfGroup } from "@sesame/contract/groups";
import type { CallbackQuery, ChatMemberUpdated, Message, Update } from "grammy/types";
import type { UpdateHandler } from "../../bot/update-desk.ts";
import { announceChange } from "./announce.ts";
import { CHECKED } from "./bot-texts.fr.ts";
import { dropClaim, findClaim } from "./claim.store.ts";
import type { GroupsDeps } from "./deps.ts";
import { answerEntryRules } from "./entry-rules/bot.ts";
import { recordEvent, renameGroup, setAdmin } from "./group.store.ts";
import { groupByChat, groupById, groupFacts, sellerOfTelegram } from "./group.view.ts";
import { isAdminNow, linkTo, noteBotMembership } from "./link-group.ts";
import { migrateGroup } from "./migrate-group.ts";
import { refreshGroup } from "./refresh-group.ts";
import { type ChatFacts, type GroupChat, standingOf } from "./standing.ts";

/** What the seller's bot does about chats: links them, follows them, answers "Vérifier". */
export function groupUpdates(deps: GroupsDeps): UpdateHandler {
  return async (update: Update) => {
    if (update.my_chat_member) return noteBotMembership(deps, update.my_chat_member);
    if (update.chat_member) return noteAdmins(deps, update.chat_member);
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
  if (chat.type === "supergroup") await linkByPayload(deps, message, chat);
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

/**
 * `/start@bot v12_…` comes into a group with the add link: it names the seller where the one who
 * added the bot acts anonymously (decision 81). Only an administrator's word counts.
 */
async function linkByPayload(deps: GroupsDeps, message: Message, chat: GroupChat): Promise<void> {
  const payload = /^\/start(?:@\w+)?\s+(\S+)$/.exec(message.text ?? "")?.[1];
  const sellerId = payload ? deps.payloads.sellerOf(payload) : null;
  if (sellerId === null || !message.from) return;
  const chatId = BigInt(chat.id);
  const claim = await findClaim(deps.db, chatId);
  if ((await groupByChat(deps.db, chatId)) || !claim || claim.kind === "group") return;
  const anonymous = message.sender_chat?.id === chat.id;
  if (!anonymous && !(await isAdminNow(deps, { chatId }, BigInt(message.from.id)))) return;
  const facts: ChatFacts = {
    chatId,
    kind: claim.kind,
    title: claim.title,
    publicUsername: claim.public_username,
    standing: await standingNow(deps, chatId),
  };
  if (facts.standing.present) await linkTo(deps, facts, sellerId);
  else await dropClaim(deps.db, chatId);
}

async function standingNow(deps: GroupsDeps, chatId: bigint): Promise<ChatFacts["standing"]> {
  const bot = Number(deps.telegram.names.idOf("seller"));
  const member = await deps.telegram
    .gatewayOf("seller")
    .call("getChatMember", { chat_id: Number(chatId), user_id: bot });
  const nobody = { status: "left", user: { id: bot, is_bot: true, first_name: "" } } as const;
  return standingOf(member.ok ? member.value : nobody);
}

/** The owner and the admins of a linked chat, as they change (decision 80). */
async function noteAdmins(deps: GroupsDeps, event: ChatMemberUpdated): Promise<void> {
  const was = administers(event.old_chat_member.status);
  const is = administers(event.new_chat_member.status);
  if (was === is || event.new_chat_member.user.is_bot) return;
  const group = await groupByChat(deps.db, BigInt(event.chat.id));
  if (!group) return;
  const telegramId = event.new_chat_member.user.id;
  await setAdmin(deps.db, { groupId: group.id, telegramId, isAdmin: is });
}

function administers(status: ChatMemberUpdated["new_chat_member"]["status"]): boolean {
  return status === "creator" || status === "administrator";
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
