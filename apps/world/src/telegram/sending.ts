import { textOf } from "@sesame/kernel";
import type { ForceReply } from "grammy/types";
import { badRequest } from "./api-error.ts";
import type { Message } from "./bot-api.ts";
import { type Call, json, text } from "./call.ts";
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

export function caption(call: Call, name: string): Content {
  const { text: words, entities } = formatText(text(call, name), text(call, "parse_mode"));
  if (words.length > 1_024) throw badRequest("message caption is too long");
  if (words === "") return {};
  return { caption: words, ...(entities.length > 0 && { caption_entities: entities }) };
}

/** A message to share: of the inline results, the article alone. */
export function inlineArticle(call: Call, name: string): Content {
  const result = json(call, name) as InlineArticle | null | undefined;
  if (typeof result !== "object" || result === null) {
    throw badRequest("can't parse inline query result");
  }
  const id = textOf(result.id);
  if (id === "" || Buffer.byteLength(id) > 64) throw badRequest("RESULT_ID_INVALID");
  const keyboard = readKeyboard(call.town, result.reply_markup, { isPrivate: false });
  if (result.type !== "article") throw badRequest("unsupported inline query result type");
  if (textOf(result.title) === "") throw badRequest("ARTICLE_TITLE_EMPTY");
  const { message_text, parse_mode } = result.input_message_content ?? {};
  const formatted = formatText(textOf(message_text), textOf(parse_mode));
  if (formatted.text === "") throw badRequest("message text is empty");
  return { ...formatted, ...(keyboard && { reply_markup: keyboard }) };
}

type InlineArticle = {
  type?: unknown;
  id?: unknown;
  title?: unknown;
  input_message_content?: { message_text?: unknown; parse_mode?: unknown };
  reply_markup?: unknown;
};

type Sending = Call & { params: { reply_markup: unknown } };

export function send({ town, bot, params }: Sending, place: Place, said: Content): Message {
  const markup = params.reply_markup;
  const keyboard = readKeyboard(town, markup, { isPrivate: place.dialog !== undefined });
  const content = { ...said, ...(keyboard && { reply_markup: keyboard }) };
  const message = postFromBot(town, bot, { place, content });
  // The phone opens the answer by itself.
  const { force_reply, input_field_placeholder } = (markup ?? {}) as Partial<ForceReply>;
  if (place.dialog && force_reply === true) {
    const placeholder = input_field_placeholder ?? null;
    place.dialog.asks = { messageId: message.message_id, placeholder };
  }
  return message;
}

type OnMessage = Sending & { params: { chat_id: Place; message_id: number } };

export function ownMessage({ bot, params: { chat_id: place, message_id } }: OnMessage): Message {
  const { messages } = place.chat ?? place.dialog;
  const message = messages.find((each) => each.message_id === message_id);
  if (message === undefined) throw badRequest("message to edit not found");
  const own = message.from?.id === bot.id || place.chat?.kind === "channel";
  const isService = message.text === undefined && message.photo === undefined;
  if (!own || isService) throw badRequest("message can't be edited");
  return message;
}

/** The keyboard goes when a call does not bring one: an edit replaces the whole message. */
export function edit({ town, params }: OnMessage, message: Message, change: object): Message {
  const isPrivate = params.chat_id.dialog !== undefined;
  const reply_markup = readKeyboard(town, params.reply_markup, { isPrivate }) ?? undefined;
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
