import type { InlineKeyboardButton, Message } from "./bot-api.ts";
import { membersMayAdd } from "./chats.ts";
import { ALL_RIGHTS, isBanned, isInside, joinedBy, membersInside, pendingOf } from "./members.ts";
import { DEFAULT_SCOPE_KEY } from "./methods.ts";
import type { Bot, ChatRecord, Dialog, Member, Person } from "./state.ts";
import { type Town, botById, unixNow, userById, userName } from "./town.ts";
import type {
  BotView,
  ButtonView,
  ChatView,
  DialogView,
  MemberView,
  MessageView,
  PersonView,
  ServiceView,
  TalkView,
} from "../wire.ts";

export function personView(town: Town, person: Person): PersonView {
  const { id, firstName, lastName, username, languageCode } = person;
  return { id, firstName, lastName, username, languageCode, stars: town.stars.wallet(id) };
}

export function botViews(town: Town): BotView[] {
  return town.state.bots.flatMap((bot) => bot.roles.map((role) => botView(bot, role)));
}

function botView(bot: Bot, role: BotView["role"]): BotView {
  const { id, username, name, description, shortDescription, menuButton } = bot;
  return {
    role,
    id,
    username,
    name,
    description,
    shortDescription,
    commands: bot.commands.get(DEFAULT_SCOPE_KEY) ?? [],
    menuButton:
      menuButton.type === "web_app"
        ? { type: "web_app", text: menuButton.text, url: menuButton.web_app.url }
        : { type: menuButton.type },
  };
}

export function chatView(town: Town, chat: ChatRecord): ChatView {
  const { id, kind, title, username, migratedTo } = chat;
  const now = unixNow(town);
  const shown = [...chat.members.values()].filter(
    (member) => isInside(member) || isBanned(member, now),
  );
  return {
    id,
    kind,
    title,
    username,
    migratedTo,
    memberCount: membersInside(chat).length,
    membersCanAdd: membersMayAdd(chat),
    members: shown.map((member) => memberView(town, member)),
    inviteLinks: chat.links.map((link) => ({
      link: link.link,
      name: link.name,
      createdBy: link.creatorId,
      createsJoinRequest: link.createsJoinRequest,
      isRevoked: link.isRevoked,
      isPrimary: link.isPrimary,
      expiresAt: link.expireDate === null ? null : isoOf(link.expireDate),
      memberLimit: link.memberLimit,
      joined: joinedBy(chat, link),
      pending: pendingOf(chat, link),
    })),
    joinRequests: [...chat.requests.values()].map((request) => ({
      userId: request.userId,
      name: userName(userById(town, request.userId)),
      link: request.link,
      askedAt: isoOf(request.date),
    })),
    messages: chat.messages.map((message) => messageView(message)),
  };
}

function memberView(town: Town, member: Member): MemberView {
  return {
    userId: member.userId,
    name: userName(userById(town, member.userId)),
    isBot: botById(town, member.userId) !== undefined,
    status: member.status,
    rights: member.status === "creator" ? [...ALL_RIGHTS] : member.rights,
  };
}

export function dialogViews(town: Town, dialog: Dialog): DialogView[] {
  const { personId, started, blocked, writeAccess, asks = null } = dialog;
  const roles = botById(town, dialog.botId)?.roles ?? [];
  const messages = dialog.messages.map((message) => messageView(message));
  return roles.map((bot) => ({
    personId,
    bot,
    started,
    blocked,
    writeAccess,
    asks,
    messages,
  }));
}

export function talkView(key: string, messages: Message[]): TalkView {
  const [first = 0, second = 0] = key.split(":").map(Number);
  return {
    personIds: [first, second],
    messages: messages.map((message) => messageView(message)),
  };
}

function messageView(message: Message): MessageView {
  const sender = message.from;
  const chatTitle = message.sender_chat?.title ?? "";
  const photo = message.photo?.at(-1);
  const entities = message.entities ?? message.caption_entities ?? [];
  return {
    messageId: message.message_id,
    sentAt: isoOf(message.date),
    edited: message.edit_date !== undefined,
    from: {
      id: sender?.id ?? message.chat.id,
      name: sender === undefined ? chatTitle : userName(sender),
      isBot: sender?.is_bot ?? false,
    },
    text: message.text ?? message.caption ?? invoiceText(message),
    entities: entities.map((entity) => ({
      type: entity.type,
      offset: entity.offset,
      length: entity.length,
      ...(entity.type === "text_link" ? { url: entity.url } : {}),
    })),
    photoUrl: photo === undefined ? null : `/world/files/${photo.file_id}`,
    buttons: (message.reply_markup?.inline_keyboard ?? []).map((row) => row.map(buttonView)),
    service: serviceView(message),
  };
}

function invoiceText({ invoice }: Message): string {
  return invoice === undefined ? "" : `${invoice.title}\n${invoice.description}`;
}

function buttonView(button: InlineKeyboardButton): ButtonView {
  const { text } = button;
  if ("callback_data" in button) return { text, kind: "callback" };
  if ("url" in button) return { text, kind: "url", url: button.url };
  if ("web_app" in button) return { text, kind: "web_app", url: button.web_app.url };
  if ("copy_text" in button) return { text, kind: "copy" };
  if ("pay" in button) return { text, kind: "pay" };
  if ("switch_inline_query" in button) return { text, kind: "share" };
  return { text, kind: "other" };
}

function serviceView(message: Message): ServiceView | null {
  const by = message.from === undefined ? "" : userName(message.from);
  if (message.new_chat_members !== undefined) {
    return { kind: "joined", names: message.new_chat_members.map(userName) };
  }
  if (message.left_chat_member !== undefined) {
    return { kind: "left", names: [userName(message.left_chat_member)] };
  }
  if (message.migrate_to_chat_id !== undefined || message.migrate_from_chat_id !== undefined) {
    return { kind: "upgraded", names: [by] };
  }
  if (message.group_chat_created === true) return { kind: "created", names: [by] };
  if (message.new_chat_title !== undefined) {
    return { kind: "renamed", names: [by, message.new_chat_title] };
  }
  const { successful_payment: paid, refunded_payment: refunded } = message;
  if (paid !== undefined) return { kind: "paid", names: [by], stars: paid.total_amount };
  if (refunded !== undefined) {
    return { kind: "refunded", names: [by], stars: refunded.total_amount };
  }
  if (message.write_access_allowed !== undefined) return { kind: "writeAllowed", names: [by] };
  return null;
}

function isoOf(unix: number): string {
  return new Date(unix * 1000).toISOString();
}
