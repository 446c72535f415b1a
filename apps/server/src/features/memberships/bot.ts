import type { AccessStatus } from "@sesame/contract/memberships";
import { Outage } from "@sesame/kernel";
import type { ChatJoinRequest, ChatMemberUpdated } from "grammy/types";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type BotMessage, messageArguments, notify } from "../../bot/message.ts";
import type { UpdateHandler } from "../../bot/update-loop.ts";
import { enqueue } from "../../jobs/outbox.store.ts";
import { maybe } from "../../postgres/database.ts";
import * as groups from "../groups/index.ts";
import * as accesses from "./accesses.ts";
import { admit, CLOSE_ACCESS, reopening } from "./telegram-access.ts";
import { answerEntryPress } from "./entry-presses.ts";
import * as messages from "./messages.fr.ts";
import { noteEntry, noteExit } from "./entries.ts";

/** The sellers' bot's reactions when people enter and leave groups. */
export function membershipUpdates(app: App): UpdateHandler {
  return async (update) => {
    if (update.chat_join_request) await answerJoinRequest(app, update.chat_join_request);
    if (update.chat_member) await noteMember(app, update.chat_member);
    if (update.callback_query) await answerEntryPress(app, update.callback_query);
  };
}

/**
 * A join request. A person with paid time is approved, by whichever link; anybody else with a link
 * of ours gets the reason, then is declined. Requests by the admins' own links are left to them.
 */
async function answerJoinRequest(app: App, request: ChatJoinRequest): Promise<void> {
  const chatId = BigInt(request.chat.id);
  const who = { chat_id: chatId, telegram_id: BigInt(request.from.id) };
  const access = await accesses.accessInChat(app.db, who);
  const now = app.clock.now();
  if (access && accesses.isRunning({ status: access.status, endsAt: access.ends_at }, now)) {
    return approve(app, request, access);
  }
  const inviteLink = request.invite_link?.invite_link;
  // Telegram names the link only for administrators' links: a request without one is ours to decide,
  // about the chat's newest product; else about the product of the link, if it is ours.
  const product = await maybe<{ title: string; reference: string }>(app.db)`${
    inviteLink
      ? sql`
          SELECT p.title, p.reference
          FROM access_links l
          JOIN groups g ON g.id = l.group_id AND g.chat_id = ${chatId}
          JOIN orders o ON o.id = l.order_id
          JOIN products p ON p.id = o.product_id
          WHERE l.invite_link = ${inviteLink}
        `
      : sql`
          SELECT p.title, p.reference FROM products p
          JOIN groups g ON g.id = p.group_id AND g.seller_id = p.seller_id
          WHERE g.chat_id = ${chatId} AND p.archived_at IS NULL
          ORDER BY p.id DESC LIMIT 1
        `
  }`;
  if (!product) return;
  const see = { text: messages.BUTTONS.see, url: app.telegram.names.shareLink(product.reference) };
  if (!access) {
    return decline(app, request, { text: messages.strangerDeclined(product), buttons: [see] });
  }
  if (access.status === "banned") {
    return decline(app, request, { text: messages.bannedThere(access) });
  }
  const again =
    access.renew_reference === null
      ? see
      : { text: messages.BUTTONS.renew, url: app.telegram.names.shareLink(access.renew_reference) };
  const text = messages.endedDeclined(access, app.sayInstant);
  return decline(app, request, { text, buttons: [again] });
}

/** Approves a buyer. Throws an Outage while Telegram or a missing right prevents it. */
async function approve(
  app: App,
  request: Pick<ChatJoinRequest, "chat" | "from" | "user_chat_id">,
  access: accesses.Membership,
): Promise<void> {
  const answer = await app.telegram.gatewayOf("seller").call("approveChatJoinRequest", {
    chat_id: request.chat.id,
    user_id: request.from.id,
  });
  if (answer.ok) return admit(app, access);
  const { refusal } = answer;
  switch (refusal.kind) {
    case "already-participant":
      return admit(app, access);
    case "request-missing":
    case "user-unknown": {
      // Another admin may have answered, or the person withdrawn: only Telegram knows.
      const where = await accesses.whereIs(app, access);
      if (where.ok && where.value === "inside") await admit(app, access);
      return;
    }
    case "too-many-chats":
      return decline(app, request, { text: messages.tooManyChats(access) });
    case "migrated":
      // The request is gone with the old chat; the buyer gets a link of the new one.
      return groups.followMigration(app, { from: access.chat_id, to: refusal.to });
    default:
      await groups.recheckGroup(app, access.group_id).catch(() => {
        // The request stays open; the update is retried.
      });
      throw new Outage(`cannot approve: ${refusal.said}`, { party: "telegram", retryable: true });
  }
}

/**
 * Telegram allows the bot to write to the person until the request is answered: so the reason comes
 * first. A message that cannot be sent delays nothing; in an outage of Telegram the decline fails
 * too, and the update is retried.
 */
async function decline(
  app: App,
  request: Pick<ChatJoinRequest, "chat" | "from" | "user_chat_id">,
  message: BotMessage,
): Promise<void> {
  const telegram = app.telegram.gatewayOf("seller");
  await telegram
    .call(
      "sendMessage",
      { chat_id: request.user_chat_id ?? request.from.id, ...messageArguments(message) },
      { priority: 0 },
    )
    .catch((error: unknown) => {
      if (!(error instanceof Outage)) throw error;
    });
  await telegram.call("declineChatJoinRequest", {
    chat_id: request.chat.id,
    user_id: request.from.id,
  });
}

/** A person came, left, was banned or unbanned (`chat_member`). */
async function noteMember(app: App, event: ChatMemberUpdated): Promise<void> {
  const { user } = event.new_chat_member;
  if (user.is_bot) return;
  const chatId = BigInt(event.chat.id);
  const group = await groups.groupByChat(app.db, chatId);
  if (!group) return;
  const now = app.clock.now();
  const was = accesses.placeOf(event.old_chat_member, now) === "inside";
  const is = accesses.placeOf(event.new_chat_member, now) === "inside";
  if (was !== is) await countMember(app, group, is);
  const access = await accesses.accessInChat(app.db, {
    chat_id: chatId,
    telegram_id: BigInt(user.id),
  });
  const runs = access !== null && access.ends_at > now;
  if (is && runs) return admit(app, access, ["waiting", "left", "banned"]);
  if (is && !was) return noteEntry(app, event, group, access);
  if (is) {
    // A former administrator, whom the bot could not remove, without time left.
    if (access?.status !== "ended") return;
    const job = { topic: CLOSE_ACCESS, ref: access.access_id, priority: 0, dueAt: now } as const;
    return app.db.transaction().execute((tx) => enqueue(tx, [job]));
  }
  await noteExit(app, event, group);
  // The bot's own acts are recorded where they are decided.
  const byUs = BigInt(event.from.id) === app.telegram.names.idOf("seller");
  if (byUs || !runs) return;
  if (event.new_chat_member.status === "kicked") return noteBan(app, access);
  if (was) return noteGone(app, access, "inside");
  if (event.old_chat_member.status === "kicked") return noteGone(app, access, "banned");
}

async function countMember(app: App, group: groups.GroupRow, came: boolean): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    await groups.addMembers(tx, group.id, came ? 1 : -1);
    await groups.recordEvent(tx, group.id, came ? "member_joined" : "member_left", now);
    await accesses.publishMember(
      tx,
      { group_id: group.id, seller_id: group.seller_id },
      came ? "user:joined" : "user:left",
    );
  });
}

/** An admin's ban stays: paid time runs on, the membership stays closed. */
async function noteBan(app: App, access: accesses.Membership): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const from = ["waiting", "inside", "left"] as const;
    if (!(await accesses.changeStatus(tx, access, { to: "banned", from, now }))) return;
    await accesses.publishStatus(tx, access, "banned");
    const message = { text: messages.bannedThere(access) };
    await notify(tx, [{ bot: "buyer", personId: access.person_id, message }], now);
  });
}

/** Left, or unbanned by an admin, with time left: a link allows the person to return. */
async function noteGone(app: App, access: accesses.Membership, from: AccessStatus): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await accesses.changeStatus(tx, access, { to: "left", from: [from], now }))) return;
    await accesses.publishStatus(tx, access, "left");
    await enqueue(tx, reopening(access, { why: "left", now }));
  });
}
