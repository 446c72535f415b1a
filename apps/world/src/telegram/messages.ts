import type { Message, NewUpdate, User } from "./bot-api.ts";
import { ANONYMOUS_BOT, isAdmin, isInside } from "./members.ts";
import type { Bot, ChatRecord, Dialog } from "./state.ts";
import {
  type Town,
  asChat,
  botAsUser,
  botById,
  personAsUser,
  personById,
  privateChat,
  talkKey,
  unixNow,
  userById,
} from "./town.ts";

/** A message without what its place gives it. */
export type Content = Omit<Message, "message_id" | "date" | "chat">;

/** A phone shows no more, and a file need not keep more. */
const KEPT_MESSAGES = 200;

/** Posts in a group or channel for a person or a bot, and tells the bots that may read. */
export function postInChat(
  town: Town,
  chat: ChatRecord,
  post: { authorId: number; content: Content },
): Message {
  const { authorId, content } = post;
  const anonymous = chat.members.get(authorId)?.anonymous === true;
  const from = anonymous ? ANONYMOUS_BOT : userById(town, authorId);
  const author = chat.kind === "channel" ? { sender_chat: asChat(chat) } : { from };
  const message = add(town, chat.messages, {
    ...content,
    ...author,
    ...(anonymous ? { sender_chat: asChat(chat) } : {}),
    message_id: nextIdIn(town, chat),
    date: unixNow(town),
    chat: asChat(chat),
  });
  for (const bot of town.state.bots) {
    if (bot.id !== authorId && !botById(town, authorId) && reads(bot, chat, message)) {
      town.updates.add(bot, chatMessageUpdate(chat, message));
    }
  }
  return message;
}

/** "X joined", "X left": every bot inside hears it, also the one that caused it. */
export function postService(
  town: Town,
  chat: ChatRecord,
  content: Content & { from: User },
): Message {
  const message = add(town, chat.messages, {
    ...content,
    message_id: nextIdIn(town, chat),
    date: unixNow(town),
    chat: asChat(chat),
  });
  for (const bot of town.state.bots) {
    if (isInside(chat.members.get(bot.id))) town.updates.add(bot, chatMessageUpdate(chat, message));
  }
  return message;
}

/** A person writes to a bot; the bot reads all of it. */
export function postToBot(town: Town, dialog: Dialog, content: Content): Message {
  const person = personById(town, dialog.personId);
  const bot = botById(town, dialog.botId);
  const from = personAsUser(person);
  const message = add(town, dialog.messages, {
    ...content,
    from,
    message_id: town.state.nextMessageId++,
    date: unixNow(town),
    chat: privateChat(person),
  });
  if (bot !== undefined) {
    const update = { ...message, from, chat: privateChat(person) };
    town.updates.add(bot, { type: "message", content: update });
  }
  return message;
}

/** A bot writes to a person. Whether it may is checked before. */
export function postFromBot(
  town: Town,
  bot: Bot,
  to: { dialog: Dialog; content: Content },
): Message {
  return add(town, to.dialog.messages, {
    ...to.content,
    from: botAsUser(bot),
    message_id: town.state.nextMessageId++,
    date: unixNow(town),
    chat: privateChat(personById(town, to.dialog.personId)),
  });
}

/** What happened in a private chat by the bot's own doing: it hears of it, under its own name. */
export function postServiceFromBot(
  town: Town,
  bot: Bot,
  to: { dialog: Dialog; content: Content },
): Message {
  const message = postFromBot(town, bot, to);
  tellAgain(town, bot, message);
  return message;
}

/** The same message of a private chat, as an update of its own. */
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
  return add(town, messages, {
    ...content,
    from: userById(town, talk.fromId),
    message_id: town.state.nextMessageId++,
    date: unixNow(town),
    chat: privateChat(personById(town, talk.toId)),
  });
}

function add(town: Town, messages: Message[], message: Message): Message {
  messages.push(message);
  if (messages.length > KEPT_MESSAGES) messages.shift();
  town.changed();
  return message;
}

function nextIdIn(town: Town, chat: ChatRecord): number {
  return chat.kind === "group" ? town.state.nextMessageId++ : chat.nextMessageId++;
}

function chatMessageUpdate(chat: ChatRecord, message: Message): NewUpdate {
  if (chat.kind === "channel") {
    return {
      type: "channel_post",
      content: { ...message, chat: { id: chat.id, type: "channel", title: chat.title } },
    };
  }
  const inside = asChat(chat);
  if (inside.type === "channel") throw new Error("a channel has posts, not messages");
  return {
    type: "message",
    content: { ...message, from: message.from ?? ANONYMOUS_BOT, chat: inside },
  };
}

/** Privacy mode: a plain member hears commands and answers to itself; an administrator, all. */
function reads(bot: Bot, chat: ChatRecord, message: Message): boolean {
  const member = chat.members.get(bot.id);
  if (!isInside(member)) return false;
  if (isAdmin(member)) return true;
  if (message.reply_to_message?.from?.id === bot.id) return true;
  const text = message.text ?? "";
  if (!text.startsWith("/")) return text.includes(`@${bot.username}`);
  const addressee = /^\/\w+@(\w+)/.exec(text)?.[1];
  return addressee === undefined || addressee.toLowerCase() === bot.username.toLowerCase();
}

/** Channels say nothing when someone comes or goes. */
export function announceJoin(
  town: Town,
  chat: ChatRecord,
  who: { userId: number; byId: number },
): void {
  if (chat.kind === "channel") return;
  const from = userById(town, who.byId);
  postService(town, chat, { from, new_chat_members: [userById(town, who.userId)] });
}

/** "X left" or "Y removed X"; channels say nothing. */
export function announceLeave(
  town: Town,
  chat: ChatRecord,
  who: { userId: number; byId: number },
): void {
  if (chat.kind === "channel") return;
  postService(town, chat, {
    from: userById(town, who.byId),
    left_chat_member: userById(town, who.userId),
  });
}
