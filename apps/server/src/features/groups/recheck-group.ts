import { Outage } from "@sesame/kernel";
import type { Chat, ChatFullInfo } from "grammy/types";
import type { App } from "../../app.ts";
import { telegramIdOf } from "../../bot/people.store.ts";
import type { TelegramRefusal } from "../../bot/telegram-errors.ts";
import { announceChange } from "./announce.ts";
import { membersCanAdd, noteMembersCanAdd } from "./entry-rules/default-permissions.ts";
import { setMemberCount } from "./group.store.ts";
import { type GroupRow, groupById } from "./group.view.ts";
import { applyFacts, followMigration } from "./link-group.ts";
import { askAdministrators } from "./ownership/administrators.ts";
import {
  pauseSales,
  replaceAdministrators,
  resumeSales,
} from "./ownership/administrators.store.ts";
import { factsOf, type Standing, standingOf } from "./standing.ts";

const ABSENT: Standing = {
  present: false,
  administrator: false,
  rights: { manage_chat: false, restrict_members: false, invite_users: false },
};

/** Asks Telegram about a linked chat anew: rights, title, members, admins (decision 28). */
export async function recheckGroup(app: App, groupId: bigint): Promise<void> {
  const group = await groupById(app.db, groupId);
  if (!group) return;
  const moved = await refreshAt(app, group);
  if (moved === null) return;
  // Asked under its old id, Telegram named the new one: once more there.
  await followMigration(app, { from: group.chat_id, to: moved });
  const after = await groupById(app.db, groupId);
  if (after && after.chat_id === moved) await refreshAt(app, after);
}

/** → the id the chat has moved to, or null when it has been refreshed. */
async function refreshAt(app: App, group: GroupRow): Promise<bigint | null> {
  const telegram = app.telegram.gatewayOf("seller");
  const chat_id = Number(group.chat_id);
  const chat = await telegram.call("getChat", { chat_id });
  if (!chat.ok) return noteRefusal(app, group, chat.refusal);
  const bot = Number(app.telegram.names.idOf("seller"));
  const member = await telegram.call("getChatMember", { chat_id, user_id: bot });
  if (!member.ok) return noteRefusal(app, group, member.refusal);
  if (!isGroupChat(chat.value)) return null;
  await applyFacts(app, factsOf(chat.value, standingOf(member.value)));
  await noteMembersCanAdd(app, group.id, membersCanAdd(chat.value));
  const count = await telegram.call("getChatMemberCount", { chat_id });
  if (count.ok) await setMemberCount(app.db, group.id, count.value);
  await recheckAdministrators(app, group);
  return null;
}

/**
 * Asks who administers a linked chat now, and whether its seller may still own it: sales pause, or
 * heal by themselves (decision 110). An answer that proves nothing changes nothing.
 */
async function recheckAdministrators(app: App, group: GroupRow): Promise<void> {
  const { id: groupId, seller_id: sellerId, chat_id: chatId } = group;
  const askedAt = app.clock.now();
  const telegramId = await telegramIdOf(app.db, sellerId);
  const people = telegramId === null ? [] : [telegramId];
  const administrators = await askAdministrators(app, chatId, people);
  if (!administrators) return;
  const standing = telegramId === null ? null : administrators.standingOf(telegramId);
  const mayOwn = standing?.kind === "may-own";
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (administrators.complete) await replaceAdministrators(tx, groupId, administrators.all);
    const changed = mayOwn
      ? await resumeSales(tx, { groupId, sellerId, askedAt })
      : await pauseSales(tx, { groupId, sellerId, now });
    if (changed) await announceChange(tx, { sellerId, now });
  });
}

async function noteRefusal(
  app: App,
  group: GroupRow,
  refusal: TelegramRefusal,
): Promise<bigint | null> {
  if (refusal.kind === "migrated") return refusal.to;
  // A chat that answers, and does not find the bot in it: what the last update said still stands.
  if (refusal.kind === "user-unknown") return null;
  if (refusal.kind === "chat-gone") {
    await applyFacts(app, {
      chatId: group.chat_id,
      kind: group.kind,
      title: group.title,
      publicUsername: group.public_username,
      standing: ABSENT,
    });
    return null;
  }
  throw new Outage(`telegram: ${refusal.said}`, { party: "telegram", retryable: true });
}

function isGroupChat(
  chat: ChatFullInfo,
): chat is ChatFullInfo & (Chat.SupergroupChat | Chat.ChannelChat) {
  return chat.type === "supergroup" || chat.type === "channel";
}

const AT_ONCE = 5;

/** Every chat of a seller. Throws only when Telegram answered for none of them. */
export async function recheckGroups(app: App, groups: readonly GroupRow[]): Promise<void> {
  const waiting = [...groups];
  const failures: unknown[] = [];
  const lane = async () => {
    for (let group = waiting.shift(); group; group = waiting.shift()) {
      await recheckGroup(app, group.id).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const [first] = failures;
  if (failures.length > 0 && failures.length === groups.length) throw first;
}
