import { isRunning } from "@sesame/contract/access";
import { Outage } from "@sesame/kernel";
import type { ChatJoinRequest } from "grammy/types";
import type { App } from "../../app.ts";
import { type BotMessage, messageArguments } from "../../bot/message.ts";
import { followMigration, recheckGroup } from "../groups/index.ts";
import { accessInChat, type Membership, productOfChat, productOfLink } from "./access.view.ts";
import { admit } from "./admit.ts";
import {
  BUTTONS,
  bannedThere,
  endedDeclined,
  strangerDeclined,
  tooManyChats,
} from "./messages.fr.ts";
import { whereIs } from "./whereabouts.ts";

/**
 * Somebody asks to enter. Whoever has paid time left is let in, by whichever link; anybody else who
 * came by a link of ours is told why, then declined. Requests by the admins' own links are theirs.
 */
export async function answerJoinRequest(app: App, request: ChatJoinRequest): Promise<void> {
  const chatId = BigInt(request.chat.id);
  const access = await accessInChat(app.db, { chatId, telegramId: BigInt(request.from.id) });
  const now = app.clock.now();
  if (access && isRunning({ status: access.status, endsAt: access.ends_at }, now)) {
    return approve(app, request, access);
  }
  const inviteLink = request.invite_link?.invite_link;
  // Telegram names an administrator's link: a request that names none is not theirs to judge.
  const product = inviteLink
    ? await productOfLink(app.db, { chatId, inviteLink })
    : await productOfChat(app.db, chatId);
  if (!product) return;
  const see = { text: BUTTONS.see, url: app.telegram.names.shareLink(product.reference) };
  if (!access) {
    return decline(app, request, { text: strangerDeclined(product), buttons: [see] });
  }
  if (access.status === "banned") {
    return decline(app, request, { text: bannedThere(access) });
  }
  const again =
    access.reference === null
      ? see
      : { text: BUTTONS.renew, url: app.telegram.names.shareLink(access.reference) };
  const text = endedDeclined(access, app.sayInstant);
  return decline(app, request, { text, buttons: [again] });
}

/** Lets a payer in. Throws an Outage while Telegram or a missing right stands in the way. */
export async function approve(
  app: App,
  request: Pick<ChatJoinRequest, "chat" | "from" | "user_chat_id">,
  access: Membership,
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
      const where = await whereIs(app, access);
      if (where.ok && where.value === "inside") await admit(app, access);
      return;
    }
    case "too-many-chats":
      return decline(app, request, { text: tooManyChats(access) });
    case "migrated":
      // The request went with the old chat; the payer gets a link of the new one.
      return followMigration(app, { from: access.chat_id, to: refusal.to });
    default:
      await recheckGroup(app, access.group_id).catch(() => {
        // The request stays open and comes back with the update.
      });
      throw new Outage(`cannot approve: ${refusal.said}`, { party: "telegram", retryable: true });
  }
}

/**
 * Telegram lets the bot write to whoever asks, until the request is answered: first the reason. That
 * it cannot be said keeps nobody waiting: a Telegram that is out declines nothing either, and the
 * update comes back.
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
