import type { InlineKeyboardButton } from "grammy/types";
import type { Html } from "./html.ts";

export type MessageButton =
  | { readonly text: string; readonly url: string }
  /** Opens the mini app; private chats only. */
  | { readonly text: string; readonly webApp: string }
  | { readonly text: string; readonly callback: string };

/** What a bot says: short French, and what to do next as buttons, one per row. */
export type BotMessage = {
  readonly text: Html;
  readonly buttons?: readonly MessageButton[];
};

/** Arguments of sendMessage and editMessageText. */
export function messageArguments(message: BotMessage) {
  const keyboard = (message.buttons ?? []).map((button) => [keyboardButton(button)]);
  return {
    text: message.text,
    parse_mode: "HTML" as const,
    link_preview_options: { is_disabled: true },
    ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard } }),
  };
}

function keyboardButton(button: MessageButton): InlineKeyboardButton {
  const { text } = button;
  if ("url" in button) return { text, url: button.url };
  if ("webApp" in button) return { text, web_app: { url: button.webApp } };
  return { text, callback_data: button.callback };
}
