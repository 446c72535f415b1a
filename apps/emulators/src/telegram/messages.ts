import type { Message, NewUpdate, User } from "./bot-api.ts";
import { ANONYMOUS_BOT, isAdmin, isInside } from "./members.ts";
import type { Bot, ChatRecord, Dialog } from "./state.ts";
import {
  asChat,
  botAsUser,
  botById,
  personAsUser,
  personById,
  privateChat,
  talkKey,
  type Town,
  unixNow,
  userById,
} from "./town.ts";

/** A message without what its place gives it. */
export type Content = Omit<Message, "message_id" | "date" | "chat">;

/** Where messages stand for a bot: a chat, or its private chat with a person. */
export type Place = { chat: ChatRecord; dialog?: never } | { chat?: never; dialog: Dialog };

/** A phone shows no more, and a file need not keep more. */
const KEPT_MESSAGES = 200;

/** Posts in a group or channel for a person or a bot, and tells the bots that may read. */
export function postInChat(
  town: Town,
  chat: ChatRecord,
  { authorId, content }: { authorId: number; content: Content },
): Message {
  const anonymous = chat.members.get(authorId)?.anonymous === true;
  const from = anonymous ? ANONYMOUS_BOT : userById(town, authorId);
  const sender = anonymous || chat.kind === "channel" ? { sender_chat: asChat(chat) } : {};
  const author = chat.kind === "channel" ? sender : { from, ...sender };
  const message = addToChat(town, chat, { ...content, ...author });
  if (botById(town, authorId) === undefined) {
    tellBots(town, { chat, message, hears: (bot) => reads(bot, chat, message) });
  }
  return message;
}

/** What the group says of itself: every bot inside hears it, also the one that caused it. */
export function postService(town: Town, chat: ChatRecord, content: Content & { from: User }): void {
  const message = addToChat(town, chat, content);
  tellBots(town, { chat, message, hears: (bot) => isInside(chat.members.get(bot.id)) });
}

/** "X joined"; channels say nothing when someone comes or goes. */
export function announceJoin(
  town: Town,
  chat: ChatRecord,
  who: { userId: number; byId: number },
): void {
  if (chat.kind === "channel") return;
  const from = userById(town, who.byId);
  postService(town, chat, { from, new_chat_members: [userById(town, who.userId)] });
}

/** "X left" or "Y removed X". */
export function announceLeave(
  town: Town,
  chat: ChatRecord,
  who: { userId: number; byId: number },
): void {
  if (chat.kind === "channel") return;
  const from = userById(town, who.byId);
  postService(town, chat, { from, left_chat_member: userById(town, who.userId) });
}

/** A person writes to a bot; the bot reads all of it. */
export function postToBot(town: Town, dialog: Dialog, content: Content): Message {
  const from = personAsUser(personById(town, dialog.personId));
  const message = addToDialog(town, dialog, { ...content, from });
  const bot = botById(town, dialog.botId);
  if (bot !== undefined) tellAgain(town, bot, message);
  return message;
}

/** A bot writes. Whether it may is checked before. */
export function postFromBot(
  town: Town,
  bot: Bot,
  { place, content }: { place: Place; content: Content },
): Message {
  return place.dialog
    ? addToDialog(town, place.dialog, { ...content, from: botAsUser(bot) })
    : postInChat(town, place.chat, { authorId: bot.id, content });
}

/** A message of a private chat, as an update. */
export function tellAgain(town: Town, bot: Bot, message: Message): void {
  const { chat, from = botAsUser(bot) } = message;
  if (chat.type !== "private") return;
  town.updates.add(bot, { type: "message", content: { ...message, from, chat } });
}

/** Two persons talk: no bot hears it. */
export function postInTalk(
  town: Town,
  talk: { fromId: number; toId: number },
  content: Content,
): Message {
  const key = talkKey(talk.fromId, talk.toId);
  const messages = town.state.talks.get(key) ?? [];
  town.state.talks.set(key, messages);
  const chat = privateChat(personById(town, talk.toId));
  const from = userById(town, talk.fromId);
  return add(town, messages, { ...content, from, chat, message_id: town.state.nextMessageId++ });
}

function addToDialog(town: Town, { personId, messages }: Dialog, content: Content): Message {
  const chat = privateChat(personById(town, personId));
  return add(town, messages, { ...content, chat, message_id: town.state.nextMessageId++ });
}

function addToChat(town: Town, chat: ChatRecord, content: Content): Message {
  const message_id = chat.kind === "group" ? town.state.nextMessageId++ : chat.nextMessageId++;
  return add(town, chat.messages, { ...content, chat: asChat(chat), message_id });
}

function add(town: Town, messages: Message[], content: Omit<Message, "date">): Message {
  const message: Message = { ...content, date: unixNow(town) };
  messages.push(message);
  if (messages.length > KEPT_MESSAGES) messages.shift();
  town.changed();
  return message;
}

function tellBots(
  town: Town,
  told: { chat: ChatRecord; message: Message; hears: (bot: Bot) => boolean },
): void {
  const { message } = told;
  const chat = asChat(told.chat);
  const from = message.from ?? ANONYMOUS_BOT;
  const update: NewUpdate =
    chat.type === "channel"
      ? { type: "channel_post", content: { ...message, chat } }
      : { type: "message", content: { ...message, from, chat } };
  for (const bot of town.state.bots) if (told.hears(bot)) town.updates.add(bot, update);
}

/** Privacy mode: a plain member hears what is addressed to it; an administrator, all. */
function reads(bot: Bot, chat: ChatRecord, message: Message): boolean {
  const member = chat.members.get(bot.id);
  if (!isInside(member)) return false;
  if (isAdmin(member)) return true;
  const text = message.text ?? "";
  if (!text.startsWith("/")) return text.includes(`@${bot.username}`);
  const addressee = /^\/\w+@(\w+)/.exec(text)?.[1];
  return addressee === undefined || addressee.toLowerCase() === bot.username.toLowerCase();
}
