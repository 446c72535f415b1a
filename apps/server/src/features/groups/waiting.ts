import { createHmac, timingSafeEqual } from "node:crypto";
import { NEEDED_RIGHTS } from "@sesame/contract/groups";
import { addMs } from "@sesame/kernel";
import type { Message, Update, User } from "grammy/types";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Html, messageArguments, notify } from "../../bot/message.ts";
import { meetPerson, telegramIdOf } from "../../people/people.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { type Db, many, maybe } from "../../postgres/database.ts";
import * as groups from "./groups.ts";
import {
  ANONYMOUS_ADMIN,
  BUTTONS,
  finishInApp,
  lacksRights,
  notAdmin,
  wrongBot,
} from "./messages.fr.ts";

/** A chat that is not linked, and a person who may get it: only a hint, which Telegram must confirm. */
type PendingGroup = {
  readonly chat_id: bigint;
  readonly telegram_id: bigint | null;
  readonly kind: "group" | "supergroup" | "channel";
  readonly title: string;
  readonly public_username: string | null;
  /** The last message about the chat. */
  readonly notified_state: string | null;
};

/**
 * Stores a chat that is not linked. It stays with its person until `replaces` gives a better hint.
 */
export async function savePendingGroup(
  { db, clock }: App,
  facts: groups.ChatFacts,
  { telegramId, replaces }: { telegramId: bigint | null; replaces: boolean },
) {
  const { rights } = facts.standing;
  const first = replaces ? sql`excluded` : sql`old`;
  const second = replaces ? sql`old` : sql`excluded`;
  const person = sql`coalesce(${first}.telegram_id, ${second}.telegram_id)`;
  await sql`
    INSERT INTO pending_groups AS old (chat_id, telegram_id, kind, title, public_username, can_manage,
      can_invite, can_restrict, created_at)
    VALUES (${facts.chatId}, ${telegramId}, ${facts.kind}, ${facts.title}, ${facts.publicUsername},
      ${rights.manage_chat}, ${rights.invite_users}, ${rights.restrict_members}, ${clock.now()})
    ON CONFLICT (chat_id) DO UPDATE SET
      notified_state = CASE WHEN old.telegram_id IS NOT DISTINCT FROM ${person} THEN old.notified_state END,
      telegram_id = ${person},
      kind = excluded.kind, title = excluded.title, public_username = excluded.public_username,
      can_manage = excluded.can_manage, can_invite = excluded.can_invite,
      can_restrict = excluded.can_restrict
  `.execute(db);
}

async function findPendingGroup(db: Db, chatId: bigint): Promise<PendingGroup | null> {
  return maybe<PendingGroup>(db)`SELECT * FROM pending_groups WHERE chat_id = ${chatId}`;
}

export async function dropPendingGroup(tx: Db, chatId: bigint): Promise<void> {
  await sql`DELETE FROM pending_groups WHERE chat_id = ${chatId}`.execute(tx);
}

/** Marks a message about the chat as sent. False: it was sent already. */
async function markPendingNotified(db: Db, chatId: bigint, state: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE pending_groups SET notified_state = ${state}
    WHERE chat_id = ${chatId} AND notified_state IS DISTINCT FROM ${state}
  `.execute(db);
  return numAffectedRows === 1n;
}

async function isNotified(app: App, { chatId }: groups.ChatFacts, state: string): Promise<boolean> {
  return (await findPendingGroup(app.db, chatId))?.notified_state === state;
}

/** Telegram's stand-in for an anonymous administrator. */
const ANONYMOUS_BOT_ID = 1_087_968_824;

/** The person of an update; null for a bot and for an anonymous administrator. */
export function actorOf(from: User): bigint | null {
  return from.is_bot || from.id === ANONYMOUS_BOT_ID ? null : BigInt(from.id);
}

/**
 * The bot is in a chat that is not linked. It is linked to the person that Telegram confirms now:
 * the person who acts, else the one who acted before (decision 110). Throws an Outage when Telegram
 * does not answer: nothing is linked, and the update is retried.
 */
export async function linkNewChat(app: App, facts: groups.ChatFacts, from: User): Promise<void> {
  const { chatId } = facts;
  const now = app.clock.now();
  const actor = actorOf(from);
  await savePendingGroup(app, facts, { telegramId: actor, replaces: false });
  const before = (await findPendingGroup(app.db, chatId))?.telegram_id ?? null;
  const people = [...new Set([actor, before])].filter((id) => id !== null);
  const administrators = await groups.askAdministrators(app, chatId, people);
  if (!administrators) return;
  const proven = people.find((id) => groups.mayOwn(administrators.find(id)));
  if (proven !== undefined) {
    const sellerId = await groups.sellerOfTelegram(app.db, proven);
    if (sellerId !== null) return linkTo(app, facts, sellerId);
    await savePendingGroup(app, facts, { telegramId: proven, replaces: true });
    if (BigInt(from.id) === proven) await inviteToApp(app, facts, from);
    return;
  }
  if (from.id === ANONYMOUS_BOT_ID) {
    return notifyChat(app, facts, "anonymous", ANONYMOUS_ADMIN);
  }
  if (actor === null) return;
  await savePendingGroup(app, facts, { telegramId: actor, replaces: true });
  const missing = administrators.find(actor)?.missing;
  const state = missing ? `lacks:${missing.join()}:${actor}` : `not-admin:${actor}`;
  const text = missing ? lacksRights(facts, missing) : notAdmin(facts);
  await app.db.transaction().execute(async (tx) => {
    if (!(await markPendingNotified(tx, chatId, state))) return;
    const personId = await meetPerson(tx, from, now);
    await notify(tx, [{ bot: "seller", personId, message: { text } }], now);
  });
}

/** Links a chat to a seller whom Telegram has just confirmed, unless it is linked (decision 81). */
async function linkTo(app: App, facts: groups.ChatFacts, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  const { rights, present } = facts.standing;
  await app.db.transaction().execute(async (tx) => {
    await groups.lockChats(tx, [facts.chatId]);
    const group = await maybe<{ id: bigint }>(tx)`
      INSERT INTO groups (chat_id, kind, title, public_username, seller_id, bot_present,
        can_manage, can_invite, can_restrict, linked_at, checked_at, recheck_due_at, last_event,
        last_event_at)
      VALUES (${facts.chatId}, ${facts.kind}, ${facts.title}, ${facts.publicUsername}, ${sellerId},
        ${present}, ${rights.manage_chat}, ${rights.invite_users}, ${rights.restrict_members},
        ${now}, ${now}, ${addMs(now, groups.RECHECK_EVERY_MS)}, 'linked', ${now})
      ON CONFLICT (chat_id) DO NOTHING
      RETURNING id
    `;
    await dropPendingGroup(tx, facts.chatId);
    if (!group) return;
    await groups.announceChange(tx, { sellerId, now });
    await groups.recheckLater(tx, group.id, now);
  });
}

/** Links pending chats to a seller if Telegram confirms it. `ref` is the seller. */
export const LINK_PENDING = "groups.link-pending";

/**
 * Chats to which the person added the bot before becoming a seller, in the transaction that makes
 * them one. Nothing is linked here: a job reads Telegram first, and retries until it answers.
 */
export async function linkWaiting(tx: Db, who: { sellerId: bigint; now: Date }): Promise<void> {
  await enqueue(tx, [{ topic: LINK_PENDING, ref: who.sellerId, priority: 1, dueAt: who.now }]);
}

/**
 * Pending supergroups and channels with this seller as hint: each is linked only if Telegram
 * confirms it now. Others stay pending. Throws an Outage.
 */
export async function linkPendingOf(app: App, sellerId: bigint): Promise<void> {
  const telegramId = await telegramIdOf(app.db, sellerId);
  if (telegramId === null) return;
  const pendingGroups = await many<PendingGroup>(app.db)`
    SELECT * FROM pending_groups WHERE telegram_id = ${telegramId} AND kind <> 'group'
    ORDER BY created_at, chat_id LIMIT 50
  `;
  for (const pendingGroup of pendingGroups)
    await linkIfProven(app, pendingGroup, { sellerId, telegramId });
}

/** A person's rights changed in a pending chat: if the person is its hint, and a seller, it is linked. */
export async function linkWaitingChat(app: App, chatId: bigint, telegramId: bigint): Promise<void> {
  const pendingGroup = await findPendingGroup(app.db, chatId);
  if (!pendingGroup || pendingGroup.telegram_id !== telegramId) return;
  const sellerId = await groups.sellerOfTelegram(app.db, telegramId);
  if (sellerId !== null) await linkIfProven(app, pendingGroup, { sellerId, telegramId });
}

/**
 * `/start@bot v12_…` comes into a group with the seller's own add link: it names the seller when the
 * person who added the bot is anonymous (decision 81). It is a hint like any other: a person who taps
 * somebody else's link would give them the group, so Telegram must confirm the named seller.
 */
export async function linkByPayload(app: App, message: Message): Promise<void> {
  const payload = /^\/start(?:@\w+)?\s+(\S+)$/.exec(message.text ?? "")?.[1];
  const sellerId = payload ? sellerOfPayload(app, payload) : null;
  if (sellerId === null) return;
  const chatId = BigInt(message.chat.id);
  const pendingGroup = await findPendingGroup(app.db, chatId);
  if (!pendingGroup || (await groups.groupByChat(app.db, chatId))) return;
  const telegramId = await telegramIdOf(app.db, sellerId);
  const anonymous = message.sender_chat?.id === message.chat.id;
  if (telegramId === null || !(anonymous || BigInt(message.from?.id ?? 0) === telegramId)) return;
  await linkIfProven(app, pendingGroup, { sellerId, telegramId });
}

async function linkIfProven(
  app: App,
  { chat_id: chatId, kind, title, public_username: publicUsername }: PendingGroup,
  { sellerId, telegramId }: { sellerId: bigint; telegramId: bigint },
): Promise<void> {
  if (kind === "group") return;
  const administrators = await groups.askAdministrators(app, chatId, [telegramId]);
  if (!groups.mayOwn(administrators?.find(telegramId))) return;
  const member = await app.telegram
    .gatewayOf("seller")
    .askMember(chatId, app.telegram.names.idOf("seller"));
  const standing = member.ok ? groups.standingOf(member.value) : groups.ABSENT;
  if (!standing.present) return dropPendingGroup(app.db, chatId);
  await linkTo(app, { chatId, kind, title, publicUsername, standing }, sellerId);
}

/** Writes to the chat, once. If the bot may not write there, the app shows the reason. */
export async function notifyChat(app: App, facts: groups.ChatFacts, state: string, text: Html) {
  if (await isNotified(app, facts, state)) return;
  await sendInChat(app, facts, text);
  await markPendingNotified(app.db, facts.chatId, state);
}

/** Invites a confirmed person who is no seller yet to open the app: in private if possible, else there. */
async function inviteToApp(app: App, facts: groups.ChatFacts, from: User): Promise<void> {
  const state = `invited:${from.id}`;
  if (await isNotified(app, facts, state)) return;
  const text = finishInApp(facts);
  const sent = await app.telegram.gatewayOf("seller").call("sendMessage", {
    chat_id: from.id,
    ...messageArguments({ text, buttons: [app.appButton(BUTTONS.openApp, "/")] }),
  });
  if (!sent.ok) await sendInChat(app, facts, text);
  await markPendingNotified(app.db, facts.chatId, state);
}

/**
 * The buyers' bot has been added to a chat, which only the sellers' bot links: the person who added it reads so, in
 * private if possible, else there.
 */
export const buyersBotUpdates = (app: App) => async (update: Update) => {
  const right = app.telegram.names.seller();
  if (!update.my_chat_member || right === null || app.config.oneBot) return;
  const { chat, from, old_chat_member: before, new_chat_member: after } = update.my_chat_member;
  const isAdded = groups.standingOf(after).present && !groups.standingOf(before).present;
  if (chat.type === "private" || !isAdded) return;
  const known = await groups.groupByChat(app.db, BigInt(chat.id));
  if (known?.facts.botPresent || (await findPendingGroup(app.db, BigInt(chat.id)))) return;
  const place = chat.type === "channel" ? "channel" : "group";
  const url = `https://t.me/${right}?start${place}&admin=${ADMIN}`;
  const text = wrongBot({ title: chat.title ?? "" }, right);
  const said = messageArguments({ text, buttons: [{ text: BUTTONS.addRightBot, url }] });
  for (const chat_id of place === "channel" ? [from.id] : [from.id, chat.id]) {
    const sent = await app.telegram.gatewayOf("buyer").call("sendMessage", { chat_id, ...said });
    if (sent.ok) return;
  }
};

async function sendInChat(app: App, facts: groups.ChatFacts, text: Html): Promise<void> {
  if (facts.kind === "channel") return;
  const bot = app.telegram.names.seller();
  const buttons = bot ? [{ text: BUTTONS.openApp, url: `https://t.me/${bot}?start=relier` }] : [];
  await app.telegram.gatewayOf("seller").call("sendMessage", {
    chat_id: Number(facts.chatId),
    ...messageArguments({ text, buttons }),
  });
}

const ADMIN = NEEDED_RIGHTS.join("+");

/** Telegram's lists of chats to choose from, with the requested rights. */
export function addLinks({ config }: App, bot: string, sellerId: bigint) {
  const payload = `v${sellerId}_${macBy(config.secretsKey, sellerId)}`;
  return {
    group: `https://t.me/${bot}?startgroup=${payload}&admin=${ADMIN}`,
    // A channel's link can carry no parameter.
    channel: `https://t.me/${bot}?startchannel&admin=${ADMIN}`,
  };
}

/**
 * The payload of an add link names the seller in a group with an anonymous admin. It is signed with
 * the newest secret; signatures of earlier secrets stay valid.
 */
function sellerOfPayload({ config }: App, payload: string): bigint | null {
  const match = /^v(\d{1,18})_([\w-]{22})$/.exec(payload);
  if (!match?.[1] || !match[2]) return null;
  const sellerId = BigInt(match[1]);
  const given = Buffer.from(match[2]);
  const isOurs = [config.secretsKey, ...config.previousSecretsKeys].some((key) =>
    timingSafeEqual(Buffer.from(macBy(key, sellerId)), given),
  );
  return isOurs ? sellerId : null;
}

const MAC_CHARS = 22;

function macBy(key: Uint8Array, sellerId: bigint): string {
  const mac = createHmac("sha256", key).update(`groups.link:${sellerId}`).digest("base64url");
  return mac.slice(0, MAC_CHARS);
}
