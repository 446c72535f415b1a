import { badRequest, type Telegram } from "./state.ts";
import type { Message, InlineKeyboardButton, InlineKeyboardMarkup } from "grammy/types";
import { type Call, text } from "./call.ts";
import { formatText } from "./entities.ts";
import { type Content, type Place, postFromBot } from "./messages.ts";
import { textOf } from "@sesame/kernel";

/** A text with its entities, as a message carries it. */
export function messageText(call: Call, name: string): Content {
  const formatted = formatText(text(call, name), text(call, "parse_mode"));
  if (formatted.text === "") throw badRequest("message text is empty");
  if (formatted.text.length > 4_096) throw badRequest("message is too long");
  return formatted.entities.length === 0 ? { text: formatted.text } : formatted;
}

type Sending = Call & { params: { reply_markup: unknown } };

export function send({ emulated, bot, params }: Sending, place: Place, said: Content): Message {
  const isPrivate = place.dialog !== undefined;
  const keyboard = readKeyboard(emulated, params.reply_markup, isPrivate);
  const content = { ...said, ...(keyboard && { reply_markup: keyboard }) };
  return postFromBot(emulated, bot, { place, content });
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
export function edit({ emulated, params }: OnMessage, message: Message, change: object): Message {
  const isPrivate = params.chat_id.dialog !== undefined;
  const reply_markup = readKeyboard(emulated, params.reply_markup, isPrivate) ?? undefined;
  const next = { ...message, ...change, reply_markup };
  const shown = (each: Pick<Message, "text" | "entities"> & { reply_markup?: unknown }) =>
    JSON.stringify([each.text, each.entities ?? [], each.reply_markup]);
  if (shown(next) === shown(message)) {
    throw badRequest(
      "message is not modified: specified new message content and reply markup are " +
        "exactly the same as a current content and reply markup of the message",
    );
  }
  Object.assign(message, next, { edit_date: emulated.unixNow() });
  emulated.changed();
  return message;
}

const CALLBACK_DATA_MAX_BYTES = 64;

/**
 * The inline keyboard of a message, checked as Telegram does. Null when there is none, or when the
 * markup is one that messages do not carry (reply keyboards).
 */
function readKeyboard(
  emulated: Telegram,
  markup: unknown,
  isPrivate: boolean,
): InlineKeyboardMarkup | null {
  if (markup === undefined || markup === null) return null;
  if (typeof markup !== "object") throw badRequest("can't parse reply keyboard markup JSON object");
  if (!("inline_keyboard" in markup)) return null;
  const rows = markup.inline_keyboard;
  if (!Array.isArray(rows)) throw badRequest('field "inline_keyboard" must be of type Array');
  const keyboard = rows.map((row: unknown) => {
    if (!Array.isArray(row)) {
      throw badRequest('field "inline_keyboard" must be an Array of Arrays');
    }
    return row.map((button: unknown) => readButton(emulated, button, isPrivate));
  });
  const filled = keyboard.filter((row) => row.length > 0);
  return filled.length === 0 ? null : { inline_keyboard: filled };
}

function readButton(emulated: Telegram, button: unknown, isPrivate: boolean): InlineKeyboardButton {
  if (typeof button !== "object" || button === null) {
    throw badRequest("can't parse inline keyboard button: InlineKeyboardButton must be an Object");
  }
  const text = "text" in button ? button.text : "";
  if (typeof text !== "string" || text.trim() === "") {
    throw badRequest('can\'t parse inline keyboard button: Field "text" must be of type String');
  }
  const styled = button as InlineKeyboardButton.UrlButton;
  const base = { text, ...(styled.style === undefined ? {} : { style: styled.style }) };
  if ("url" in button) return { ...base, url: readUrl(emulated, button.url) };
  if ("callback_data" in button) {
    const callback_data = textOf(button.callback_data);
    if (callback_data === "" || Buffer.byteLength(callback_data) > CALLBACK_DATA_MAX_BYTES) {
      throw badRequest("BUTTON_DATA_INVALID");
    }
    return { ...base, callback_data };
  }
  if ("web_app" in button) {
    if (!isPrivate) throw badRequest("BUTTON_TYPE_INVALID");
    return { ...base, web_app: { url: readWebAppUrl(emulated, button.web_app) } };
  }
  throw badRequest(
    "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
  );
}

function readUrl(emulated: Telegram, value: unknown): string {
  const address = textOf(value);
  const url = parseUrl(address);
  const local = url !== null && isLocalAddress(url.hostname);
  const reachable =
    url?.protocol === "tg:" ||
    (local ? emulated.settings.allowLocalAddresses : url?.hostname.includes("."));
  if (!url || !reachable || !["http:", "https:", "tg:", "ton:"].includes(url.protocol)) {
    throw badRequest(`inline keyboard button URL '${address}' is invalid: Wrong HTTP URL`);
  }
  return /^[a-z]+:/i.test(address) ? url.href : `http://${address}`;
}

function readWebAppUrl(emulated: Telegram, value: unknown): string {
  const address = textOf((value as { url?: unknown } | null)?.url);
  const url = parseUrl(address);
  const local =
    url !== null && isLocalAddress(url.hostname) && emulated.settings.allowLocalAddresses;
  if (url === null || (url.protocol !== "https:" && !local)) {
    throw badRequest(
      `inline keyboard button Web App URL '${address}' is invalid: Only HTTPS links are allowed`,
    );
  }
  return url.href;
}

/** Addresses without a scheme are taken for http, as Telegram does. */
function parseUrl(text: string): URL | null {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return text !== "" && URL.canParse(address) ? new URL(address) : null;
}

/** This machine or a private network: out of reach for Telegram's servers. */
export function isLocalAddress(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "[::1]" ||
    /^(?:0|10|127)\./.test(host) ||
    /^192\.168\./.test(host) ||
    /^169\.254\./.test(host) ||
    /^172\.(?:1[6-9]|2\d|3[01])\./.test(host)
  );
}
