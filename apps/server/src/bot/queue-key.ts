import type { Update } from "grammy/types";

/**
 * Updates with one key are handled in order. Like Telegram's own queues for webhooks
 * (`reference/telegram.md` §3.2): what a person does by person, what happens to a chat by chat.
 */
export function queueKeyOf(update: Update): string {
  try {
    // Telegram's ids are short; an index refuses what is not.
    return keyOf(update)?.slice(0, LONGEST_KEY) ?? `update:${update.update_id}`;
  } catch {
    // Not of Telegram's shape: its handler will say so, those behind it are stored all the same.
    return `update:${update.update_id}`;
  }
}

const LONGEST_KEY = 64;

function keyOf(update: Update): string | null {
  const person =
    update.chat_member?.new_chat_member.user.id ??
    update.chat_join_request?.from.id ??
    update.callback_query?.from.id ??
    update.pre_checkout_query?.from.id;
  if (person !== undefined) return `person:${person}`;
  const chat = update.my_chat_member?.chat ?? update.message?.chat;
  if (chat === undefined) return null;
  return chat.type === "private" ? `person:${chat.id}` : `chat:${chat.id}`;
}

/**
 * An administrator bot is sent every word said in its groups. They are none of our business: only
 * commands and the service messages we act on are kept.
 */
export function isWanted(update: Update): boolean {
  const { message } = update;
  if (!message?.chat || message.chat.type === "private") return true;
  return (
    message.migrate_to_chat_id !== undefined ||
    message.migrate_from_chat_id !== undefined ||
    message.new_chat_title !== undefined ||
    (message.text?.startsWith("/start") ?? false)
  );
}
