import type { CallbackQuery } from "grammy/types";
import type { App } from "../app.ts";
import { type BotMessage, messageArguments } from "./message.ts";

/** Telegram takes 200 characters. */
const TOAST_CHARS = 190;

/** Ends a press; what is longer than a glance stays until it is closed. */
export async function toast(app: App, { id }: CallbackQuery, text: string | null): Promise<void> {
  await app.telegram.gatewayOf("seller").call("answerCallbackQuery", {
    callback_query_id: id,
    ...(text === null ? {} : { text: text.slice(0, TOAST_CHARS), show_alert: text.length > 60 }),
  });
}

/** Shows what holds now in place of what was pressed. */
export async function showInstead(app: App, query: CallbackQuery, said: BotMessage): Promise<void> {
  if (!query.message) return;
  await app.telegram.gatewayOf("seller").call("editMessageText", {
    chat_id: query.from.id,
    message_id: query.message.message_id,
    ...messageArguments(said),
  });
}
