import type { Message, User } from "grammy/types";
import type { App } from "../../../app.ts";
import { telegramIdOf } from "../../../bot/people.store.ts";
import { ANONYMOUS_ADMIN, lacksRights, notAdmin } from "../messages.fr.ts";
import { sellerOfPayload } from "../add-links.ts";
import { type Claim, dropClaim, findClaim, listClaimsOf, saveClaim } from "../claim.store.ts";
import { groupByChat, sellerOfTelegram } from "../group.view.ts";
import { type ChatFacts, standingOf } from "../standing.ts";
import { type Administrators, askAdministrators, type OwnerStanding } from "./administrators.ts";
import { inviteToApp, notifyChat, notifyPerson, type PendingNotice } from "./notify-pending.ts";
import { announceChange, recheckLater } from "../announce.ts";
import { insertGroup } from "../group.store.ts";

/**
 * Links a chat to a seller whom Telegram has just proven, unless somebody has it. True when it is
 * theirs.
 */
async function linkTo(app: App, facts: ChatFacts, sellerId: bigint): Promise<boolean> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    const groupId = await insertGroup(tx, { facts, sellerId, now });
    await dropClaim(tx, facts.chatId);
    if (groupId === null) return false;
    await announceChange(tx, { sellerId, now });
    await recheckLater(tx, groupId, now);
    return true;
  });
}

/** Telegram's stand-in for an administrator who acts anonymously. */
const ANONYMOUS_BOT_ID = 1_087_968_824;

/**
 * The bot is in a chat that nobody has linked. It is given to whom Telegram proves now: the person
 * who acts, else the one who acted before (decision 110). Throws an Outage when Telegram does not
 * answer: nothing is given, and the update comes again.
 */
export async function linkNewChat(app: App, facts: ChatFacts, from: User): Promise<void> {
  const now = app.clock.now();
  const actor = actorOf(from);
  await saveClaim(app.db, { facts, telegramId: actor, replaces: false, now });
  const before = (await findClaim(app.db, facts.chatId))?.telegram_id ?? null;
  const people = [...new Set([actor, before])].filter((id) => id !== null);
  const administrators = await askAdministrators(app, facts.chatId, people);
  if (!administrators) return;
  const proven = people.find((id) => administrators.standingOf(id).kind === "may-own");
  if (proven !== undefined) return giveTo(app, facts, { telegramId: proven, from });
  if (from.id === ANONYMOUS_BOT_ID) {
    return notifyChat(app, facts, { state: "anonymous", text: ANONYMOUS_ADMIN });
  }
  if (actor === null) return;
  await saveClaim(app.db, { facts, telegramId: actor, replaces: true, now });
  const refused = explain(facts, actor, administrators.standingOf(actor));
  if (refused) await notifyPerson(app, facts, { ...refused, to: from });
}

/** Who is named by an update; null for a bot and for who acts anonymously. */
export function actorOf(from: User): bigint | null {
  return from.is_bot || from.id === ANONYMOUS_BOT_ID ? null : BigInt(from.id);
}

async function giveTo(
  app: App,
  facts: ChatFacts,
  person: { telegramId: bigint; from: User },
): Promise<void> {
  const { telegramId, from } = person;
  const sellerId = await sellerOfTelegram(app.db, telegramId);
  if (sellerId !== null) {
    await linkTo(app, facts, sellerId);
    return;
  }
  await saveClaim(app.db, { facts, telegramId, replaces: true, now: app.clock.now() });
  if (BigInt(from.id) === telegramId) await inviteToApp(app, facts, from);
}

function explain(
  facts: ChatFacts,
  telegramId: bigint,
  standing: OwnerStanding,
): PendingNotice | null {
  switch (standing.kind) {
    case "may-own":
      return null;
    case "lacks-rights": {
      const state = `lacks:${standing.missing.join()}:${telegramId}`;
      return { state, message: { text: lacksRights(facts, standing.missing) } };
    }
    case "not-admin":
      return { state: `not-admin:${telegramId}`, message: { text: notAdmin(facts) } };
  }
}

/**
 * The chats that wait and of which this seller is the hint: each is given only if Telegram proves it
 * now. What is not proven waits on. Throws an Outage.
 */
export async function linkPendingOf(app: App, sellerId: bigint): Promise<void> {
  const telegramId = await telegramIdOf(app.db, sellerId);
  if (telegramId === null) return;
  for (const claim of await listClaimsOf(app.db, telegramId)) {
    await linkIfProven(app, claim, { sellerId, telegramId });
  }
}

/** Somebody's rights changed in a chat that waits: if they are its hint, and a seller, it is theirs. */
export async function linkWaitingChat(app: App, chatId: bigint, telegramId: bigint): Promise<void> {
  const claim = await findClaim(app.db, chatId);
  if (!claim || claim.telegram_id !== telegramId) return;
  const sellerId = await sellerOfTelegram(app.db, telegramId);
  if (sellerId !== null) await linkIfProven(app, claim, { sellerId, telegramId });
}

/**
 * `/start@bot v12_…` comes into a group with the seller's own add link: it names the seller where
 * the one who added the bot acts anonymously (decision 81). It is a hint like any other: who taps
 * another person's link would give them the group, so Telegram is asked about the seller it names.
 */
export async function linkByPayload(app: App, message: Message): Promise<void> {
  const payload = /^\/start(?:@\w+)?\s+(\S+)$/.exec(message.text ?? "")?.[1];
  const sellerId = payload ? sellerOfPayload(app, payload) : null;
  if (sellerId === null) return;
  const chatId = BigInt(message.chat.id);
  const claim = await findClaim(app.db, chatId);
  if (!claim || (await groupByChat(app.db, chatId))) return;
  const telegramId = await telegramIdOf(app.db, sellerId);
  const anonymous = message.sender_chat?.id === message.chat.id;
  if (telegramId === null || !(anonymous || BigInt(message.from?.id ?? 0) === telegramId)) return;
  await linkIfProven(app, claim, { sellerId, telegramId });
}

/** True when the chat is the seller's now. */
async function linkIfProven(
  app: App,
  claim: Claim,
  seller: { sellerId: bigint; telegramId: bigint },
): Promise<boolean> {
  if (claim.kind === "group") return false;
  const administrators = await askAdministrators(app, claim.chat_id, [seller.telegramId]);
  if (!mayOwn(administrators, seller.telegramId)) return false;
  const facts = await currentFacts(app, { ...claim, kind: claim.kind });
  if (!facts.standing.present) {
    await dropClaim(app.db, claim.chat_id);
    return false;
  }
  return linkTo(app, facts, seller.sellerId);
}

function mayOwn(administrators: Administrators | null, telegramId: bigint): boolean {
  return administrators?.standingOf(telegramId).kind === "may-own";
}

async function currentFacts(app: App, claim: Claim): Promise<ChatFacts> {
  const bot = Number(app.telegram.names.idOf("seller"));
  const member = await app.telegram
    .gatewayOf("seller")
    .call("getChatMember", { chat_id: Number(claim.chat_id), user_id: bot });
  const absent = { status: "left", user: { id: bot, is_bot: true, first_name: "" } } as const;
  return {
    chatId: claim.chat_id,
    kind: claim.kind,
    title: claim.title,
    publicUsername: claim.public_username,
    standing: standingOf(member.ok ? member.value : absent),
  };
}
