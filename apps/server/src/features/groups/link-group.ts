import type { ChatMemberUpdated, User } from "grammy/types";
import { enqueue } from "../../jobs/outbox.store.ts";
import type { Html } from "../../bot/html.ts";
import { messageArguments } from "../../bot/message.ts";
import { meetPerson } from "../../bot/people.store.ts";
import { tell } from "../../bot/tell.ts";
import { announceChange, recheckLater, RESUME_ACCESS } from "./announce.ts";
import {
  ANONYMOUS_ADMIN,
  BASIC_GROUP,
  BUTTONS,
  finishInApp,
  notAdmin,
  notYours,
} from "./bot-texts.fr.ts";
import { dropClaim, findClaim, saveClaim } from "./claim.store.ts";
import type { GroupsDeps } from "./deps.ts";
import { insertGroup, recordEvent, updateStanding } from "./group.store.ts";
import { groupByChat, sellerOfTelegram } from "./group.view.ts";
import { type ChatFacts, factsOf, standingOf } from "./standing.ts";

/** Telegram's stand-in for an administrator who acts anonymously. */
const ANONYMOUS_BOT_ID = 1_087_968_824;

/** The bot's own membership of a chat has changed (`my_chat_member`). */
export async function noteBotMembership(deps: GroupsDeps, event: ChatMemberUpdated): Promise<void> {
  const { chat, from } = event;
  if (chat.type === "private") return;
  const facts = factsOf(chat, standingOf(event.new_chat_member));
  if (facts.kind === "group") return meetBasicGroup(deps, facts, from);
  const before = await groupByChat(deps.db, facts.chatId);
  if (before) {
    await applyFacts(deps, facts);
    const cameBack = !before.bot_present && facts.standing.present;
    const linker = await sellerOfTelegram(deps.db, BigInt(from.id));
    if (cameBack && linker !== before.seller_id && !from.is_bot) {
      await say(deps, from, { text: notYours(facts) });
    }
    return;
  }
  if (!facts.standing.present) return dropClaim(deps.db, facts.chatId);
  await linkNewChat(deps, facts, from);
}

/** Writes what Telegram says of a linked chat, and tells whoever it concerns. */
export async function applyFacts(deps: GroupsDeps, facts: ChatFacts): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const change = await updateStanding(tx, facts, now);
    if (!change?.changed) return;
    const { id: groupId } = change;
    if (change.was_present && !change.is_present) {
      await recordEvent(tx, { groupId, event: "bot_removed", now });
    } else if (!change.was_present) {
      await recordEvent(tx, { groupId, event: "linked", now });
    } else if (change.was_able !== change.is_able) {
      await recordEvent(tx, { groupId, event: "rights_changed", now });
    } else if (change.renamed) {
      await recordEvent(tx, { groupId, event: "title_changed", now });
    }
    const works = change.is_present && change.is_able;
    if (works && !(change.was_present && change.was_able)) {
      await enqueue(tx, [{ topic: RESUME_ACCESS, ref: groupId, priority: 0, dueAt: now }]);
    }
    await announceChange(tx, { sellerId: change.seller_id, now });
  });
}

async function meetBasicGroup(deps: GroupsDeps, facts: ChatFacts, from: User): Promise<void> {
  if (!facts.standing.present) return dropClaim(deps.db, facts.chatId);
  const telegramId = from.id === ANONYMOUS_BOT_ID ? null : BigInt(from.id);
  // Kept, so that the chat is linked to whoever added the bot once it is a supergroup.
  const isNew = await saveClaim(deps.db, { facts, telegramId, now: deps.clock.now() });
  if (isNew) await sayInChat(deps, facts, { text: BASIC_GROUP });
}

async function linkNewChat(deps: GroupsDeps, facts: ChatFacts, from: User): Promise<void> {
  const now = deps.clock.now();
  const claim = await findClaim(deps.db, facts.chatId);
  const anonymous = from.id === ANONYMOUS_BOT_ID;
  const telegramId = claim?.telegram_id ?? (anonymous || from.is_bot ? null : BigInt(from.id));
  if (telegramId === null) {
    const isNew = await saveClaim(deps.db, { facts, telegramId: null, now });
    if (isNew && anonymous) await sayInChat(deps, facts, { text: ANONYMOUS_ADMIN });
    return;
  }
  // Who names an administrator is one; whoever merely adds a member may be anybody.
  const trusted = facts.standing.administrator || (await isAdminNow(deps, facts, telegramId));
  if (!trusted) return say(deps, from, { text: notAdmin(facts) });
  const sellerId = await sellerOfTelegram(deps.db, telegramId);
  if (sellerId !== null) {
    await linkTo(deps, facts, sellerId);
    return;
  }
  const isNew = await saveClaim(deps.db, { facts, telegramId, now });
  if (isNew) await inviteToApp(deps, facts, from);
}

/** Links a chat to a seller, unless somebody has it. True when it is his. */
export async function linkTo(
  deps: GroupsDeps,
  facts: ChatFacts,
  sellerId: bigint,
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (tx) => {
    const groupId = await insertGroup(tx, { facts, sellerId, now });
    await dropClaim(tx, facts.chatId);
    if (groupId === null) return false;
    await announceChange(tx, { sellerId, now });
    await recheckLater(tx, groupId, now);
    return true;
  });
}

/** Whether a person administers a chat now; no when Telegram will not tell. */
export async function isAdminNow(
  deps: GroupsDeps,
  facts: Pick<ChatFacts, "chatId">,
  telegramId: bigint,
): Promise<boolean> {
  const admins = await deps.telegram
    .gatewayOf("seller")
    .call("getChatAdministrators", { chat_id: Number(facts.chatId) });
  return admins.ok && admins.value.some((admin) => BigInt(admin.user.id) === telegramId);
}

type Words = { readonly text: Html };

async function say(deps: GroupsDeps, to: User, words: Words): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const personId = await meetPerson(tx, to, now);
    await tell(tx, [{ bot: "seller", personId, message: words }], now);
  });
}

/** A chat where the bot may not speak says nothing: the person finds the reason in the app. */
async function sayInChat(deps: GroupsDeps, facts: ChatFacts, words: Words): Promise<void> {
  if (facts.kind === "channel") return;
  const bot = deps.telegram.names.seller();
  const buttons = bot ? [{ text: BUTTONS.openApp, url: `https://t.me/${bot}?start=relier` }] : [];
  await deps.telegram.gatewayOf("seller").call("sendMessage", {
    chat_id: Number(facts.chatId),
    ...messageArguments({ ...words, buttons }),
  });
}

/** In private when he may be written to, else in the chat. */
async function inviteToApp(deps: GroupsDeps, facts: ChatFacts, from: User): Promise<void> {
  const message = {
    text: finishInApp(facts),
    buttons: [deps.appButton(BUTTONS.openApp, "/")],
  };
  const sent = await deps.telegram
    .gatewayOf("seller")
    .call("sendMessage", { chat_id: from.id, ...messageArguments(message) });
  if (!sent.ok) await sayInChat(deps, facts, { text: message.text });
}
