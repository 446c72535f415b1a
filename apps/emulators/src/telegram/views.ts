import { ALL_RIGHTS } from "../wire/state.ts";
import type {
  BotView,
  ButtonView,
  ChatView,
  DialogView,
  MessageView,
  PersonView,
  ServiceView,
  TalkView,
} from "../wire.ts";
import type { InlineKeyboardButton, Message } from "./bot-api.ts";
import { isBanned, isInside, membersInside } from "./members.ts";
import {
  type ChatRecord,
  type Dialog,
  type Person,
  botById,
  type EmulatedTelegram,
  unixNow,
  userById,
  userName,
} from "./state.ts";

export function personView(emulated: EmulatedTelegram, person: Person): PersonView {
  return { ...person, stars: emulated.stars.wallet(person.id) };
}

export function botViews(emulated: EmulatedTelegram): BotView[] {
  return emulated.state.bots.flatMap((bot) => {
    const { id, username, name, description, shortDescription, menuButton, commands } = bot;
    const button =
      menuButton.type === "web_app"
        ? { type: menuButton.type, text: menuButton.text, url: menuButton.web_app.url }
        : { type: menuButton.type };
    const shown = { id, username, name, description, shortDescription, commands };
    return bot.roles.map((role) => ({ role, ...shown, menuButton: button }));
  });
}

export function chatView(emulated: EmulatedTelegram, chat: ChatRecord): ChatView {
  const { id, kind, title, username, migratedTo } = chat;
  const now = unixNow(emulated);
  const nameOf = (userId: number) => userName(userById(emulated, userId));
  return {
    id,
    kind,
    title,
    username,
    migratedTo,
    memberCount: membersInside(chat).length,
    members: [...chat.members.values()]
      .filter((member) => isInside(member) || isBanned(member, now))
      .map(({ userId, status, rights }) => ({
        userId,
        name: nameOf(userId),
        isBot: botById(emulated, userId) !== undefined,
        status,
        rights: status === "creator" ? [...ALL_RIGHTS] : rights,
      })),
    inviteLinks: chat.links.map(({ link, createsJoinRequest, isRevoked }) => {
      return { link, createsJoinRequest, isRevoked };
    }),
    joinRequests: [...chat.requests.keys()].map((userId) => ({ userId, name: nameOf(userId) })),
    messages: chat.messages.map(messageView),
  };
}

export function dialogViews(emulated: EmulatedTelegram, dialog: Dialog): DialogView[] {
  const { botId, ...shown } = dialog;
  const messages = dialog.messages.map(messageView);
  const roles = botById(emulated, botId)?.roles ?? [];
  return roles.map((bot) => ({ ...shown, bot, messages }));
}

export function talkView(key: string, messages: Message[]): TalkView {
  const [first = 0, second = 0] = key.split(":").map(Number);
  return { personIds: [first, second], messages: messages.map(messageView) };
}

function messageView(message: Message): MessageView {
  const sender = message.from;
  const chatTitle = message.sender_chat?.title ?? "";
  const { entities = [] } = message;
  return {
    messageId: message.message_id,
    sentAt: isoOf(message.date),
    edited: message.edit_date !== undefined,
    from: {
      id: sender?.id ?? message.chat.id,
      name: sender === undefined ? chatTitle : userName(sender),
      isBot: sender?.is_bot ?? false,
    },
    text: message.text ?? "",
    entities: entities.map((entity) => ({
      type: entity.type,
      offset: entity.offset,
      length: entity.length,
      ...(entity.type === "text_link" ? { url: entity.url } : {}),
    })),
    buttons: (message.reply_markup?.inline_keyboard ?? []).map((row) => row.map(buttonView)),
    service: serviceView(message),
  };
}

function buttonView(button: InlineKeyboardButton): ButtonView {
  const { text } = button;
  if ("url" in button) return { text, kind: "url", url: button.url };
  if ("web_app" in button) return { text, kind: "web_app", url: button.web_app.url };
  return { text, kind: "callback" };
}

function serviceView(message: Message): ServiceView | null {
  const by = message.from === undefined ? "" : userName(message.from);
  const { new_chat_members: joined, left_chat_member: left, new_chat_title: title } = message;
  const { successful_payment: paid, refunded_payment: refunded } = message;
  if (joined) return { kind: "joined", names: joined.map(userName) };
  if (left) return { kind: "left", names: [userName(left)] };
  if (message.migrate_to_chat_id ?? message.migrate_from_chat_id) {
    return { kind: "upgraded", names: [by] };
  }
  if (message.group_chat_created) return { kind: "created", names: [by] };
  if (title !== undefined) return { kind: "renamed", names: [by, title] };
  if (paid) return { kind: "paid", names: [by], stars: paid.total_amount };
  if (refunded) return { kind: "refunded", names: [by], stars: refunded.total_amount };
  if (message.write_access_allowed) return { kind: "writeAllowed", names: [by] };
  return null;
}

function isoOf(unix: number): string {
  return new Date(unix * 1000).toISOString();
}
