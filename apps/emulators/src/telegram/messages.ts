import { type AdminRight, type MemberStatus, ALL_RIGHTS } from "../wire.ts";
import type { ChatMemberUpdated, Message, User } from "grammy/types";
import {
  ANONYMOUS_BOT,
  asChatMember,
  asInviteLink,
  isAdmin,
  isInside,
  memberOf,
} from "./members.ts";
import {
  type Bot,
  type ChatRecord,
  type Dialog,
  type InviteLink,
  type Member,
  type NewUpdate,
  asChat,
  botAsUser,
  personAsUser,
  privateChat,
  talkKey,
  type Telegram,
} from "./state.ts";

/** A message without what its place gives it. */
export type Content = Omit<Message, "message_id" | "date" | "chat">;

/** Where messages stand for a bot: a chat, or its private chat with a person. */
export type Place = { chat: ChatRecord; dialog?: never } | { chat?: never; dialog: Dialog };

/** A phone shows no more, and a file need not keep more. */
const KEPT_MESSAGES = 200;

/** Posts in a group or channel as a person or a bot, and delivers it to the bots that may read. */
export function postInChat(
  emulated: Telegram,
  chat: ChatRecord,
  { authorId, content }: { authorId: number; content: Content },
): Message {
  const anonymous = chat.members.get(authorId)?.anonymous === true;
  const from = anonymous ? ANONYMOUS_BOT : emulated.userById(authorId);
  const sender = anonymous || chat.kind === "channel" ? { sender_chat: asChat(chat) } : {};
  const author = chat.kind === "channel" ? sender : { from, ...sender };
  const message = addToChat(emulated, chat, { ...content, ...author });
  if (emulated.botById(authorId) === undefined) {
    notifyBots(emulated, { chat, message, receives: (bot) => reads(bot, chat, message) });
  }
  return message;
}

/** A service message of the group: every bot inside receives it, also the one that caused it. */
export function postService(
  emulated: Telegram,
  chat: ChatRecord,
  content: Content & { from: User },
): void {
  const message = addToChat(emulated, chat, content);
  notifyBots(emulated, { chat, message, receives: (bot) => isInside(chat.members.get(bot.id)) });
}

type MemberChange = {
  userId: number;
  status: MemberStatus;
  rights?: AdminRight[];
  untilDate?: number;
  viaLink?: InviteLink;
  /** Who made the change: the person, a bot, or the member himself. */
  byId: number;
  /** Whom the group's message names for it, when that is another; null: there is none. */
  announcedBy?: number | null;
};

/**
 * Changes a membership, and notifies the bot concerned and the bots that administer the chat. A
 * group then reads that someone came or went, and who did it; a channel does not.
 */
export function changeMember(emulated: Telegram, chat: ChatRecord, change: MemberChange): void {
  const before = { ...memberOf(chat, change.userId) };
  const administers = change.status === "administrator";
  const after: Member = {
    ...before,
    status: change.status,
    // Whoever administers may always see what administrators see.
    rights: ALL_RIGHTS.filter(
      (right) => administers && (right === "manage_chat" || change.rights?.includes(right)),
    ),
    untilDate: change.status === "kicked" ? (change.untilDate ?? 0) : 0,
    promotedBy: administers ? change.byId : null,
    viaLink: change.viaLink?.link ?? (isInside(change) ? before.viaLink : null),
  };
  chat.members.set(change.userId, after);
  emulated.changed();
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  for (const bot of emulated.state.bots) {
    const concerned = bot.id === change.userId;
    if (!concerned && !isAdmin(chat.members.get(bot.id))) continue;
    const hidden = chat.members.get(change.byId)?.anonymous === true;
    const content: ChatMemberUpdated = {
      chat: asChat(chat),
      from: hidden ? ANONYMOUS_BOT : emulated.userById(change.byId),
      date: emulated.unixNow(),
      old_chat_member: asChatMember(emulated, { chat, member: before, viewer: bot }),
      new_chat_member: asChatMember(emulated, { chat, member: after, viewer: bot }),
      ...(change.viaLink && {
        invite_link: asInviteLink(emulated, chat, { link: change.viaLink, viewer: bot }),
      }),
    };
    emulated.updates.add(bot, { type: concerned ? "my_chat_member" : "chat_member", content });
  }
  const { announcedBy = change.byId } = change;
  if (announcedBy === null || chat.kind === "channel" || isInside(before) === isInside(after))
    return;
  const [from, user] = [emulated.userById(announcedBy), emulated.userById(change.userId)];
  const news = isInside(after) ? { new_chat_members: [user] } : { left_chat_member: user };
  postService(emulated, chat, { from, ...news });
}

/** A person writes to a bot; the bot reads all of it. */
export function postToBot(emulated: Telegram, dialog: Dialog, content: Content): Message {
  const from = personAsUser(emulated.personById(dialog.personId));
  const message = addToDialog(emulated, dialog, { ...content, from });
  const bot = emulated.botById(dialog.botId);
  if (bot !== undefined) notifyBot(emulated, bot, message);
  return message;
}

/** A bot writes. Whether it may is checked before. */
export function postFromBot(
  emulated: Telegram,
  bot: Bot,
  { place, content }: { place: Place; content: Content },
): Message {
  return place.dialog
    ? addToDialog(emulated, place.dialog, { ...content, from: botAsUser(bot) })
    : postInChat(emulated, place.chat, { authorId: bot.id, content });
}

/** A message of a private chat, as an update. */
export function notifyBot(emulated: Telegram, bot: Bot, message: Message): void {
  const { chat, from = botAsUser(bot) } = message;
  if (chat.type !== "private") return;
  emulated.updates.add(bot, { type: "message", content: { ...message, from, chat } });
}

/** A message between two people: no bot receives it. */
export function postInTalk(
  emulated: Telegram,
  talk: { fromId: number; toId: number },
  content: Content,
): Message {
  const key = talkKey(talk.fromId, talk.toId);
  const messages = emulated.state.talks.get(key) ?? [];
  emulated.state.talks.set(key, messages);
  const chat = privateChat(emulated.personById(talk.toId));
  const from = emulated.userById(talk.fromId);
  const message_id = emulated.state.nextMessageId++;
  return add(emulated, messages, { ...content, from, chat, message_id });
}

function addToDialog(
  emulated: Telegram,
  { personId, messages }: Dialog,
  content: Content,
): Message {
  const chat = privateChat(emulated.personById(personId));
  return add(emulated, messages, { ...content, chat, message_id: emulated.state.nextMessageId++ });
}

function addToChat(emulated: Telegram, chat: ChatRecord, content: Content): Message {
  const message_id = chat.kind === "group" ? emulated.state.nextMessageId++ : chat.nextMessageId++;
  return add(emulated, chat.messages, { ...content, chat: asChat(chat), message_id });
}

function add(emulated: Telegram, messages: Message[], content: Omit<Message, "date">): Message {
  const message: Message = { ...content, date: emulated.unixNow() };
  messages.push(message);
  if (messages.length > KEPT_MESSAGES) messages.shift();
  emulated.changed();
  return message;
}

function notifyBots(
  emulated: Telegram,
  sent: { chat: ChatRecord; message: Message; receives: (bot: Bot) => boolean },
): void {
  const { message } = sent;
  const chat = asChat(sent.chat);
  const from = message.from ?? ANONYMOUS_BOT;
  const update: NewUpdate =
    chat.type === "channel"
      ? { type: "channel_post", content: { ...message, chat } }
      : { type: "message", content: { ...message, from, chat } };
  for (const bot of emulated.state.bots) if (sent.receives(bot)) emulated.updates.add(bot, update);
}

/** Privacy mode: a plain member receives what is addressed to it; an administrator, everything. */
function reads(bot: Bot, chat: ChatRecord, message: Message): boolean {
  const member = chat.members.get(bot.id);
  if (!isInside(member)) return false;
  if (isAdmin(member)) return true;
  const text = message.text ?? "";
  if (!text.startsWith("/")) return text.includes(`@${bot.username}`);
  const addressee = /^\/\w+@(\w+)/.exec(text)?.[1];
  return addressee === undefined || addressee.toLowerCase() === bot.username.toLowerCase();
}
