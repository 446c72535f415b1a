import type { AdminRight, ChatKind } from "../wire.ts";
import {
  NotPossible,
  type ChatRecord,
  asChat,
  type Telegram,
  newChat,
  newMember,
} from "./state.ts";
import type { Chat, ChatFullInfo, ChatPermissions } from "grammy/types";
import { hasRight, isInside } from "./members.ts";
import { changeMember, postService } from "./messages.ts";

const CHANNEL_ID_BASE = 1_000_000_000_000;

/** `ownerId` becomes the creator. A username makes it public. */
export type NewChat = { ownerId: number; kind: ChatKind; title: string; username?: string };

export function createChat(
  emulated: Telegram,
  { ownerId, kind, title, username }: NewChat,
): ChatRecord {
  emulated.userById(ownerId);
  if (kind === "group" && username !== undefined) {
    throw new NotPossible("a basic group has no public name");
  }
  const chat = emptyChat(emulated, { kind, title, username: username ?? null });
  chat.members.set(ownerId, newMember(ownerId, "creator"));
  if (kind === "group") {
    postService(emulated, chat, { from: emulated.userById(ownerId), group_chat_created: true });
  }
  emulated.changed();
  return chat;
}

function emptyChat(emulated: Telegram, shape: Parameters<typeof newChat>[1]): ChatRecord {
  const id =
    shape.kind === "group"
      ? -emulated.state.nextGroupId++
      : -(CHANNEL_ID_BASE + emulated.state.nextChannelId++);
  const chat = newChat(id, shape);
  emulated.state.chats.set(id, chat);
  return chat;
}

/** A basic group becomes a supergroup: new id, same people, old invite links dead. */
export function migrateChat(
  emulated: Telegram,
  chat: ChatRecord,
  { byId, quietly = false }: { byId: number; quietly?: boolean },
): ChatRecord {
  if (chat.kind !== "group" || chat.migratedTo !== null) {
    throw new NotPossible("only a basic group can become a supergroup");
  }
  const { title } = chat;
  const next = emptyChat(emulated, { kind: "supergroup", title, username: null });
  next.permissions = chat.permissions;
  const bots = [...chat.members.values()].filter(
    (member) => emulated.botById(member.userId) !== undefined && isInside(member),
  );
  for (const member of chat.members.values()) {
    if (!bots.includes(member)) next.members.set(member.userId, { ...member, viaLink: null });
  }
  for (const bot of bots) {
    const { userId, status, rights } = bot;
    if (quietly) next.members.set(userId, { ...bot });
    else changeMember(emulated, next, { userId, status, rights, byId, announcedBy: null });
  }
  const from = emulated.userById(byId);
  // Sent while the bots still count as members of the old chat.
  postService(emulated, chat, { from, migrate_to_chat_id: next.id });
  postService(emulated, next, { from, migrate_from_chat_id: chat.id });
  for (const { userId } of bots) {
    if (quietly) chat.members.set(userId, newMember(userId, "left"));
    else changeMember(emulated, chat, { userId, status: "left", byId, announcedBy: null });
  }
  chat.migratedTo = next.id;
  for (const link of chat.links) link.isRevoked = true;
  emulated.changed();
  return next;
}

/** Throws unless the person administers the chat with this right. */
export function requireAdmin(chat: ChatRecord, personId: number, right: AdminRight): void {
  if (chat.migratedTo !== null) throw new NotPossible("the group has become a supergroup");
  if (!hasRight(chat.members.get(personId), right)) {
    throw new NotPossible(`${personId} may not do that in ${chat.title}: ${right}`);
  }
}

/** Every permission of Bot API 10.1, in the order Telegram answers them. */
const PERMISSION_NAMES = [
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

/** A permission that is left out has the value of another one. */
const LIKE: Partial<Record<string, string>> = {
  can_manage_topics: "can_pin_messages",
  can_edit_tag: "can_pin_messages",
  can_react_to_messages: "can_send_messages",
};

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
  const read = Object.fromEntries(
    PERMISSION_NAMES.map((name) => [
      name,
      has(given[name] === undefined ? (LIKE[name] ?? name) : name),
    ]),
  );
  if (independent) return read;
  if (has("can_send_other_messages") || has("can_add_web_page_previews")) {
    for (const name of SENDING) read[name] = true;
  }
  if (has("can_send_polls")) read.can_send_messages = true;
  return read;
}

const EVERY_CHAT = {
  accent_color_id: 3,
  max_reaction_count: 11,
  accepted_gift_types: {
    unlimited_gifts: true,
    limited_gifts: true,
    unique_gifts: true,
    premium_subscription: true,
    gifts_from_channels: true,
  },
};

/** All that a bot may know of a chat. */
export function fullChat(chat: ChatRecord | Chat.PrivateChat): ChatFullInfo {
  const { username } = chat;
  const names = username ? { active_usernames: [username] } : {};
  if (!("members" in chat)) return { ...chat, ...EVERY_CHAT, ...names };
  const permissions = chat.kind === "channel" ? {} : { permissions: permissionsOf(chat) };
  const shown = { ...asChat(chat), ...EVERY_CHAT, ...names, ...permissions };
  return shown as ChatFullInfo;
}
