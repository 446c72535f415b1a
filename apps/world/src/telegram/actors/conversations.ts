import { secretToken } from "@sesame/kernel";
import type { BotRole, OpenedLink, PhoneId, Place, PressedButton } from "../../wire.ts";
import { NotPossible } from "../api-error.ts";
import type { InlineKeyboardButton, Message } from "../bot-api.ts";
import { formatText } from "../entities.ts";
import { chatInstance } from "../launch.ts";
import { hasRight, isInside } from "../members.ts";
import { postInChat, postInTalk, postToBot } from "../messages.ts";
import type { Bot, ChatRecord } from "../state.ts";
import {
  botById,
  botOfRole,
  chatById,
  dialogOf,
  personAsUser,
  personById,
  type Town,
  talkKey,
} from "../town.ts";
import type { Actors } from "./actors.ts";
import { invoiceView } from "./stars.ts";

/** Opens addresses and mini apps on the phone of a person. */
export type Opener = {
  link(personId: number, url: string, phone?: PhoneId): OpenedLink;
  webApp(personId: number, app: { bot: BotRole; url: string; phone?: PhoneId }): PressedButton;
};

/** What people write and tap. */
export function conversationActors(town: Town, opener: Opener) {
  return {
    sendMessage({ personId, to, text, replyTo }) {
      const formatted = formatText(text, "");
      if (formatted.text === "") throw new NotPossible("an empty message is not sent");
      const content = formatted.entities.length === 0 ? { text: formatted.text } : { ...formatted };
      if ("personId" in to) {
        const talk = { fromId: personId, toId: to.personId };
        return { messageId: postInTalk(town, talk, content).message_id };
      }
      if ("chatId" in to) {
        const chat = chatById(town, to.chatId);
        checkMayPost(chat, personId);
        return { messageId: postInChat(town, chat, { authorId: personId, content }).message_id };
      }
      const dialog = dialogOf(town, personId, botOfRole(town, to.bot));
      if (dialog.blocked) throw new NotPossible("the bot is blocked: unblock it first");
      dialog.started = true;
      const asked = dialog.messages.find((message) => message.message_id === replyTo);
      dialog.asks = null;
      const reply = asked && { reply_to_message: { ...asked, reply_to_message: undefined } };
      return { messageId: postToBot(town, dialog, { ...content, ...reply }).message_id };
    },
    pressButton(input) {
      const { personId, phone } = input;
      const { message, bot } = findMessage(town, personId, input);
      const button = message.reply_markup?.inline_keyboard[input.row]?.[input.column];
      if (button === undefined) throw new NotPossible("there is no such button");
      return press(town, { personId, message, button, bot, opener, ...(phone && { phone }) });
    },
    sendPreparedMessage({ personId, bot: role, id, to }) {
      const prepared = town.state.prepared.get(id);
      const bot = botOfRole(town, role);
      const nowMs = town.clock.now().getTime();
      if (
        prepared === undefined ||
        prepared.expiresAtMs <= nowMs ||
        prepared.botId !== bot.id ||
        prepared.personId !== personId
      ) {
        return { error: "MESSAGE_EXPIRED" as const };
      }
      const via_bot = { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username };
      const { caption, caption_entities, ...rest } = prepared.content;
      // A picture by address is shown as its caption: phones of the demo load nothing from outside.
      const text = caption === undefined ? {} : { text: caption, entities: caption_entities ?? [] };
      const content = { ...rest, ...text, via_bot };
      if ("personId" in to) postInTalk(town, { fromId: personId, toId: to.personId }, content);
      else if ("chatId" in to) {
        const chat = chatById(town, to.chatId);
        checkMayPost(chat, personId);
        postInChat(town, chat, { authorId: personId, content });
      } else postToBot(town, dialogOf(town, personId, botOfRole(town, to.bot)), content);
      return { sent: true as const };
    },
  } satisfies Partial<Actors>;
}

function checkMayPost(chat: ChatRecord, personId: number): void {
  const member = chat.members.get(personId);
  const allowed = chat.kind === "channel" ? hasRight(member, "post_messages") : isInside(member);
  if (!allowed || chat.migratedTo !== null) throw new NotPossible("may not write here");
}

function findMessage(
  town: Town,
  personId: number,
  at: { in: Place; messageId: number },
): { message: Message; bot: Bot | undefined } {
  const place = at.in;
  const messages =
    "bot" in place
      ? dialogOf(town, personId, botOfRole(town, place.bot)).messages
      : "chatId" in place
        ? chatById(town, place.chatId).messages
        : (town.state.talks.get(talkKey(personId, place.personId)) ?? []);
  const message = messages.find((each) => each.message_id === at.messageId);
  if (message === undefined) throw new NotPossible("there is no such message");
  const author = message.via_bot ?? message.from;
  const own = author === undefined ? undefined : botById(town, author.id);
  return {
    message,
    bot: "bot" in place ? botOfRole(town, place.bot) : (own ?? adminBot(town, place)),
  };
}

/** A channel's posts carry no author: the bot that administers it gets what is pressed. */
function adminBot(town: Town, place: Place): Bot | undefined {
  if (!("chatId" in place)) return undefined;
  const { members } = chatById(town, place.chatId);
  return town.state.bots.find((bot) => members.get(bot.id)?.status === "administrator");
}

/** Queries nobody will answer any more. */
const KEPT_CALLBACKS = 500;

function forgetOldest(callbacks: Bot["callbacks"]): void {
  const oldest = callbacks.keys().next();
  if (callbacks.size >= KEPT_CALLBACKS && !oldest.done) callbacks.delete(oldest.value);
}

type Press = {
  personId: number;
  message: Message;
  button: InlineKeyboardButton;
  bot: Bot | undefined;
  opener: Opener;
  phone?: PhoneId;
};

function press(town: Town, pressed: Press): PressedButton {
  const { button, personId, bot, message, opener, phone } = pressed;
  if ("url" in button) return { kind: "link", opened: opener.link(personId, button.url, phone) };
  if ("copy_text" in button) return { kind: "copy", text: button.copy_text.text };
  if (bot === undefined) return { kind: "none" };
  if ("web_app" in button) {
    const role = bot.roles[0] ?? "seller";
    return opener.webApp(personId, { bot: role, url: button.web_app.url, ...(phone && { phone }) });
  }
  if ("pay" in button) {
    const slug = town.state.stars.shown.get(`${message.chat.id}:${message.message_id}`) ?? "";
    return { kind: "invoice", invoice: invoiceView(town, personId, slug) };
  }
  if (!("callback_data" in button)) return { kind: "none" };
  const id = secretToken(12, town.chance);
  forgetOldest(bot.callbacks);
  bot.callbacks.set(id, { personId, askedAtMs: town.clock.now().getTime() });
  town.updates.add(bot, {
    type: "callback_query",
    content: {
      id,
      from: personAsUser(personById(town, personId)),
      message,
      chat_instance: chatInstance(message.chat.id, bot.id),
      data: button.callback_data,
    },
  });
  return { kind: "callback" };
}
