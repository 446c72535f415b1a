import type { ChatPermissions } from "./bot-api.ts";
import { hasRight, isInside } from "./members.ts";
import type { ChatRecord } from "./state.ts";

/** Every permission of Bot API 10.1, in the order Telegram answers them. */
export const PERMISSION_NAMES = [
  "can_send_messages",
  "can_send_audios",
  "can_send_documents",
  "can_send_photos",
  "can_send_videos",
  "can_send_video_notes",
  "can_send_voice_notes",
  "can_send_polls",
  "can_send_other_messages",
  "can_add_web_page_previews",
  "can_react_to_messages",
  "can_change_info",
  "can_invite_users",
  "can_edit_tag",
  "can_pin_messages",
  "can_manage_topics",
] as const satisfies readonly (keyof ChatPermissions)[];

/** What a new group allows its members: to write, and to add others. */
const OF_A_NEW_GROUP: readonly string[] = PERMISSION_NAMES.filter(
  (name) => !["can_change_info", "can_pin_messages", "can_manage_topics"].includes(name),
);

export function permissionsOf(chat: ChatRecord): ChatPermissions {
  return (
    chat.permissions ??
    Object.fromEntries(PERMISSION_NAMES.map((name) => [name, OF_A_NEW_GROUP.includes(name)]))
  );
}

/** In a channel only administrators add people. */
export function membersMayAdd(chat: ChatRecord): boolean {
  return chat.kind !== "channel" && permissionsOf(chat).can_invite_users === true;
}

/** Whether a person of the chat may add others by hand. */
export function mayAdd(chat: ChatRecord, personId: number): boolean {
  const member = chat.members.get(personId);
  if (hasRight(member, "invite_users")) return true;
  return isInside(member) && membersMayAdd(chat);
}

const SENDING = PERMISSION_NAMES.slice(0, 7);

/**
 * Permissions as `setChatPermissions` reads them: what is not named is taken away, and unless they
 * are independent, some imply others.
 */
export function readPermissions(
  given: Readonly<Record<string, unknown>>,
  independent: boolean,
): ChatPermissions {
  const has = (name: string) => given[name] === true;
  const read = Object.fromEntries(PERMISSION_NAMES.map((name) => [name, has(name)])) as Record<
    (typeof PERMISSION_NAMES)[number],
    boolean
  >;
  if (given["can_manage_topics"] === undefined) read.can_manage_topics = read.can_pin_messages;
  if (given["can_edit_tag"] === undefined) read.can_edit_tag = read.can_pin_messages;
  if (given["can_react_to_messages"] === undefined) {
    read.can_react_to_messages = read.can_send_messages;
  }
  if (independent) return read;
  if (read.can_send_other_messages || read.can_add_web_page_previews) {
    for (const name of SENDING) read[name] = true;
  }
  if (read.can_send_polls) read.can_send_messages = true;
  return read;
}
