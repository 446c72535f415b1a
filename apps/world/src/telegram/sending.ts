import { badRequest } from "./api-error.ts";
import type { Message } from "./bot-api.ts";
import { type Call, text } from "./call.ts";
import { formatText } from "./entities.ts";
import { readKeyboard } from "./keyboards.ts";
import { type Content, type Place, postFromBot } from "./messages.ts";
import { unixNow } from "./town.ts";

/** A text with its entities, as a message carries it. */
export function messageText(call: Call, name: string): Content {
  const formatted = formatText(text(call, name), text(call, "parse_mode"));
  if (formatted.text === "") throw badRequest("message text is empty");
  if (formatted.text.length > 4_096) throw badRequest("message is too long");
  return formatted.entities.length === 0 ? { text: formatted.text } : formatted;
}

type Sending = Call & { params: { reply_markup: unknown } };

export function send({ town, bot, params }: Sending, place: Place, said: Content): Message {
  const isPrivate = place.dialog !== undefined;
  const keyboard = readKeyboard(town, params.reply_markup, isPrivate);
  const content = { ...said, ...(keyboard && { reply_markup: keyboard }) };
  return postFromBot(town, bot, { place, content });
}

type OnMessage = Sending & { params: { chat_id: Place; message_id: number } };

export function ownMessage({ bot, params: { chat_id: place, message_id } }: OnMessage): Message {
  const { messages } = place.chat ?? place.dialog;
  const message = messages.find((each) => each.message_id === message_id);
  if (message === undefined) throw badRequest("message to edit not found");
  const own = message.from?.id === bot.id || place.chat?.kind === "channel";
  if (!own || message.text === undefined) throw badRequest("message can't be edited");
  return message;
}

/** The keyboard goes when a call does not bring one: an edit replaces the whole message. */
export function edit({ town, params }: OnMessage, message: Message, change: object): Message {
  const isPrivate = params.chat_id.dialog !== undefined;
  const reply_markup = readKeyboard(town, params.reply_markup, isPrivate) ?? undefined;
  const next = { ...message, ...change, reply_markup };
  const shown = (each: Pick<Message, "text" | "entities"> & { reply_markup?: unknown }) =>
    JSON.stringify([each.text, each.entities ?? [], each.reply_markup]);
  if (shown(next) === shown(message)) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are " +
        "exactly the same as a current content and reply markup of the message",
    );
  }
  Object.assign(message, next, { edit_date: unixNow(town) });
  town.changed();
  return message;
}
