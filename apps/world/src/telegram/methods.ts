import { DAY_MS, HOUR_MS, MINUTE_MS, secretToken, textOf } from "@sesame/kernel";
import type { ApiMethods, BotCommand, MenuButton } from "grammy/types";
import { ApiError, badRequest } from "./api-error.ts";
import {
  type ChatFullInfo,
  type ChatMember,
  DEFAULT_UPDATE_TYPES,
  type Message,
  type Update,
} from "./bot-api.ts";
import {
  type Arguments,
  type Call,
  type Target,
  checkMayWrite,
  requireRight,
  resolveChat,
  resolveTarget,
} from "./call.ts";
import { leaveChat, permissionsOf, readPermissions } from "./chats.ts";
import { type FormattedText, formatText } from "./entities.ts";
import {
  type LinkTerms,
  answerRequest,
  checkedTerms,
  createLink,
  inviteHash,
  renewPrimary,
} from "./invite-links.ts";
import { isLocalAddress, readKeyboard } from "./keyboards.ts";
import {
  asChatMember,
  asInviteLink,
  changeMember,
  hasRight,
  isAdmin,
  isBanned,
  isInside,
  memberOf,
  membersInside,
} from "./members.ts";
import { type Content, announceLeave, postFromBot, postInChat } from "./messages.ts";
import { readPhoto } from "./photos.ts";
import { type Polling, readAllowedUpdates } from "./polling.ts";
import { balanceOf, invoiceLink, readInvoice, transactionsOf } from "./stars.ts";
import type { Bot, ChatRecord, InviteLink, PreparedMessage, Webhook } from "./state.ts";
import {
  type Town,
  asChat,
  botAsUser,
  botById,
  personAsUser,
  privateChat,
  unixNow,
} from "./town.ts";
import type { WebhookSender } from "./webhooks.ts";

type Named = { [M in keyof ApiMethods]: ReturnType<ApiMethods[M]> };

/** What each method answers: grammY's types, at 10.1, with one type for all messages. */
type Answers = {
  [M in keyof Named]: M extends "getUpdates"
    ? Update[]
    : M extends "getChatMember"
      ? ChatMember
      : M extends "getChatAdministrators"
        ? ChatMember[]
        : Named[M] extends Message.ServiceMessage
          ? Message
          : true extends Named[M]
            ? Message | true
            : Named[M];
};

/** Some answers come with a sentence beside the result. */
export class Described {
  readonly result: unknown;
  readonly description: string;

  constructor(result: unknown, description: string) {
    this.result = result;
    this.description = description;
  }
}

export type MethodTable = {
  [M in keyof Answers]?: (
    town: Town,
    call: Call,
  ) => Answers[M] | Described | Promise<Answers[M] | Described>;
};

export type Method = (town: Town, call: Call) => unknown;

const NAME_MAX_CHARS = 64;
const DESCRIPTION_MAX_CHARS = 512;
const SHORT_DESCRIPTION_MAX_CHARS = 120;
const COMMANDS_MAX = 100;

export const profileMethods: MethodTable = {
  getMe: (_town, { bot }) => ({
    ...botAsUser(bot),
    is_bot: true,
    username: bot.username,
    can_join_groups: true,
    can_read_all_group_messages: false,
    supports_guest_queries: false,
    supports_inline_queries: true,
    can_connect_to_business: false,
    has_main_web_app: true,
    has_topics_enabled: false,
    allows_users_to_create_topics: false,
    can_manage_bots: false,
    supports_join_request_queries: false,
  }),
  setMyCommands(town, { bot, args }) {
    bot.commands.set(scopeKey(args), readCommands(args.json("commands")));
    town.changed();
    return true;
  },
  getMyCommands: (_town, { bot, args }) => bot.commands.get(scopeKey(args)) ?? [],
  deleteMyCommands(town, { bot, args }) {
    bot.commands.delete(scopeKey(args));
    town.changed();
    return true;
  },
  setMyName(town, { bot, args }) {
    if (args.text("name").length > NAME_MAX_CHARS) throw badRequest("BOT_TITLE_INVALID");
    if (args.text("name") !== "" && args.text("language_code") === "") bot.name = args.text("name");
    town.changed();
    return true;
  },
  getMyName: (_town, { bot }) => ({ name: bot.name }),
  setMyDescription(town, { bot, args }) {
    const text = args.text("description");
    if (text.length > DESCRIPTION_MAX_CHARS) throw badRequest("BOT_DESCRIPTION_INVALID");
    if (args.text("language_code") === "") bot.description = text;
    town.changed();
    return true;
  },
  getMyDescription: (_town, { bot }) => ({ description: bot.description }),
  setMyShortDescription(town, { bot, args }) {
    const text = args.text("short_description");
    if (text.length > SHORT_DESCRIPTION_MAX_CHARS) throw badRequest("BOT_SHORTDESCRIPTION_INVALID");
    if (args.text("language_code") === "") bot.shortDescription = text;
    town.changed();
    return true;
  },
  getMyShortDescription: (_town, { bot }) => ({ short_description: bot.shortDescription }),
  setChatMenuButton(town, { bot, args }) {
    const button = readMenuButton(args.json("menu_button"), town.settings.allowLocalAddresses);
    if (args.has("chat_id")) bot.menuButtons.set(args.integer("chat_id"), button);
    else bot.menuButton = button;
    town.changed();
    return true;
  },
  getChatMenuButton: (_town, { bot, args }) =>
    (args.has("chat_id") ? bot.menuButtons.get(args.integer("chat_id")) : undefined) ??
    bot.menuButton,
};

function scopeKey(args: Arguments): string {
  const scope = args.json("scope");
  return JSON.stringify([scope ?? { type: "default" }, args.text("language_code")]);
}

export const DEFAULT_SCOPE_KEY = JSON.stringify([{ type: "default" }, ""]);

function readCommands(value: unknown): BotCommand[] {
  if (!Array.isArray(value)) throw badRequest("expected an Array of BotCommand");
  if (value.length > COMMANDS_MAX) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  return value.map((each: unknown) => {
    const { command, description } = (each ?? {}) as Partial<BotCommand>;
    const name = String(command ?? "").replace(/^\//, "");
    if (!/^[a-z0-9_]{1,32}$/.test(name)) throw badRequest("BOT_COMMAND_INVALID");
    const text = String(description ?? "");
    if (text === "" || text.length > 256) throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
    return { command: name, description: text };
  });
}

function readMenuButton(value: unknown, allowHttp: boolean): MenuButton {
  if (value === undefined) return { type: "default" };
  const button = value as Partial<Extract<MenuButton, { type: "web_app" }>> | null;
  if (button?.type === "web_app") {
    const url = button.web_app?.url ?? "";
    const fits = URL.canParse(url) && (allowHttp || url.startsWith("https:"));
    if (!fits) throw badRequest("menu button Web App URL is invalid: Only HTTPS links are allowed");
    if (!button.text) throw badRequest("BUTTON_TEXT_INVALID");
    return { type: "web_app", text: button.text, web_app: { url } };
  }
  const { type } = (value ?? {}) as { type?: unknown };
  if (type === "commands" || type === "default") return { type };
  throw badRequest("MenuButton has unsupported type");
}

export const chatMethods: MethodTable = {
  getChat(town, call) {
    const target = resolveTarget(town, call, "read");
    if (target.is === "chat") return fullChat(target.chat, call.bot);
    return {
      ...privateChat(target.person),
      ...EVERY_CHAT,
      ...(target.person.username === null ? {} : { active_usernames: [target.person.username] }),
    };
  },
  setChatPermissions(town, call) {
    const chat = resolveChat(town, call, {
      need: "write",
      inPrivate: "can't change private chat permissions",
    });
    const given = call.args.json("permissions");
    if (typeof given !== "object" || given === null) {
      throw badRequest("can't parse ChatPermissions JSON object");
    }
    if (chat.kind === "channel") throw badRequest("can't change channel chat permissions");
    requireRight(chat, call.bot, {
      right: "restrict_members",
      otherwise: "not enough rights to change chat permissions",
    });
    chat.permissions = readPermissions(
      given as Record<string, unknown>,
      call.args.boolean("use_independent_chat_permissions"),
    );
    town.changed();
    return true;
  },
  leaveChat(town, call) {
    const chat = resolveChat(town, call, {
      need: "write",
      inPrivate: "chat member status can't be changed in private chats",
    });
    leaveChat(town, chat, call.bot.id);
    return true;
  },
};

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

function fullChat(chat: ChatRecord, bot: Bot): ChatFullInfo {
  const primary = chat.links.find(
    (link) => link.isPrimary && !link.isRevoked && link.creatorId === bot.id,
  );
  const invites = hasRight(chat.members.get(bot.id), "invite_users");
  const usernames = chat.username === null ? {} : { active_usernames: [chat.username] };
  const link = primary === undefined || !invites ? {} : { invite_link: primary.link };
  const permissions = permissionsOf(chat);
  const shown = asChat(chat);
  switch (shown.type) {
    case "group":
      return { ...shown, ...EVERY_CHAT, ...link, permissions };
    case "supergroup":
      return { ...shown, ...EVERY_CHAT, ...usernames, ...link, permissions };
    case "channel":
      return { ...shown, ...EVERY_CHAT, ...usernames, ...link };
  }
}

export const memberMethods: MethodTable = {
  getChatMember: (town, call) => {
    const userId = call.args.integer("user_id");
    const target = resolveTarget(town, call, "read");
    if (target.is === "private") {
      if (target.person.id !== userId) throw badRequest("user not found");
      return { status: "member", user: personAsUser(target.person) };
    }
    const { chat } = target;
    checkKnown(town, call, { chat, userId });
    if (chat.kind === "channel" && !isAdmin(chat.members.get(call.bot.id))) {
      throw badRequest("member list is inaccessible");
    }
    return asChatMember(town, { chat, member: memberOf(chat, userId), viewer: call.bot });
  },
  getChatMemberCount(town, call) {
    const target = resolveTarget(town, call, "read");
    return target.is === "private" ? 2 : membersInside(target.chat).length;
  },
  getChatAdministrators(town, call) {
    const chat = resolveChat(town, call, {
      need: "read",
      inPrivate: "there are no administrators in the private chat",
    });
    const withBots = call.args.boolean("return_bots");
    return membersInside(chat)
      .filter(isAdmin)
      .filter(
        ({ userId }) => withBots || userId === call.bot.id || botById(town, userId) === undefined,
      )
      .map((member): ChatMember => asChatMember(town, { chat, member, viewer: call.bot }));
  },
  banChatMember(town, call) {
    const chat = chatToRestrict(town, call);
    const userId = call.args.integer("user_id");
    const wasInside = isInside(chat.members.get(userId));
    // A basic group knows no ban: the person is only removed.
    if (chat.kind === "group" && !wasInside) throw badRequest("USER_NOT_PARTICIPANT");
    changeMember(town, chat, {
      userId,
      byId: call.bot.id,
      status: chat.kind === "group" ? "left" : "kicked",
      untilDate: banEnd(call.args.integer("until_date"), unixNow(town)),
    });
    chat.requests.delete(userId);
    if (wasInside) announceLeave(town, chat, { userId, byId: call.bot.id });
    return true;
  },
  unbanChatMember(town, call) {
    const onlyIfBanned = call.args.boolean("only_if_banned");
    const chat = chatToRestrict(town, call, true);
    const userId = call.args.integer("user_id");
    const wasInside = isInside(chat.members.get(userId));
    const banned = isBanned(chat.members.get(userId), unixNow(town));
    if (onlyIfBanned && !banned) return true;
    if (wasInside) {
      // Without only_if_banned the server bans for a minute and lets go again: the member is out.
      const untilDate = unixNow(town) + 60;
      changeMember(town, chat, { userId, status: "kicked", untilDate, byId: call.bot.id });
      announceLeave(town, chat, { userId, byId: call.bot.id });
    }
    if (wasInside || banned) {
      changeMember(town, chat, { userId, status: "left", byId: call.bot.id });
    }
    return true;
  },
};

const FOREVER_BELOW_S = 30;
const FOREVER_ABOVE_S = 366 * 24 * 60 * 60;

/** Less than 30 s or more than 366 days means for ever, written 0. */
function banEnd(untilDate: number, now: number): number {
  const length = untilDate - now;
  return length < FOREVER_BELOW_S || length > FOREVER_ABOVE_S ? 0 : untilDate;
}

function chatToRestrict(town: Town, call: Call, supergroupOnly = false): ChatRecord {
  const chat = resolveChat(town, call, {
    need: "write",
    inPrivate: "chat member status can't be changed in private chats",
  });
  const userId = call.args.integer("user_id");
  if (userId <= 0) throw badRequest("invalid user_id specified");
  if (supergroupOnly && chat.kind === "group") {
    throw badRequest("method is available for supergroup and channel chats only");
  }
  checkKnown(town, call, { chat, userId });
  if (userId === call.bot.id) throw badRequest("can't restrict self");
  requireRight(chat, call.bot, {
    right: "restrict_members",
    otherwise: "not enough rights to restrict/unrestrict chat member",
  });
  const member = chat.members.get(userId);
  if (member?.status === "creator") throw badRequest("can't remove chat owner");
  if (member?.status === "administrator" && member.promotedBy !== call.bot.id) {
    throw badRequest("user is an administrator of the chat");
  }
  return chat;
}

/** Telegram knows nothing, for a bot, about people it never met. */
function checkKnown(town: Town, call: Call, seen: { chat: ChatRecord; userId: number }): void {
  const { chat, userId } = seen;
  const exists = town.state.persons.has(userId) || botById(town, userId) !== undefined;
  if (!exists) throw badRequest("user not found");
  const met = call.bot.met.has(userId) || userId === call.bot.id;
  if (!met && !chat.members.has(userId)) throw badRequest("PARTICIPANT_ID_INVALID");
}

export const inviteLinkMethods: MethodTable = {
  createChatInviteLink(town, call) {
    const chat = chatToInvite(town, call);
    const link = createLink(town, chat, { creatorId: call.bot.id, terms: readTerms(call) });
    return asInviteLink(town, chat, { link, viewer: call.bot });
  },
  editChatInviteLink(town, call) {
    const chat = chatToInvite(town, call);
    const link = ownLink(chat, call);
    if (link.isPrimary) throw badRequest("CHAT_ADMIN_INVITE_PERMANENT");
    // Whatever is left out is reset: all four terms are always set.
    Object.assign(link, checkedTerms(readTerms(call)));
    town.changed();
    return asInviteLink(town, chat, { link, viewer: call.bot });
  },
  revokeChatInviteLink(town, call) {
    const chat = chatToInvite(town, call);
    const link = ownLink(chat, call);
    link.isRevoked = true;
    if (link.isPrimary) renewPrimary(town, chat, call.bot.id);
    town.changed();
    return asInviteLink(town, chat, { link, viewer: call.bot });
  },
  exportChatInviteLink(town, call) {
    return renewPrimary(town, chatToInvite(town, call), call.bot.id).link;
  },
  approveChatJoinRequest: (town, call) => answer(town, call, true),
  declineChatJoinRequest: (town, call) => answer(town, call, false),
};

function answer(town: Town, call: Call, approve: boolean): true {
  const chat = resolveChat(town, call, { need: "write", inPrivate: "chat not found" });
  requireRight(chat, call.bot, {
    right: "invite_users",
    otherwise: "not enough rights to manage chat join requests",
  });
  const userId = call.args.integer("user_id");
  if (userId <= 0) throw badRequest("invalid user_id specified");
  answerRequest(town, chat, { userId, approve, byId: call.bot.id });
  return true;
}

function chatToInvite(town: Town, call: Call): ChatRecord {
  const chat = resolveChat(town, call, {
    need: "write",
    inPrivate: "can't invite members to a private chat",
  });
  requireRight(chat, call.bot, {
    right: "invite_users",
    otherwise: "not enough rights to manage chat invite link",
  });
  return chat;
}

function readTerms({ args }: Call): LinkTerms {
  return {
    name: args.text("name"),
    expireDate: args.integer("expire_date"),
    memberLimit: args.integer("member_limit"),
    createsJoinRequest: args.boolean("creates_join_request"),
  };
}

/** A bot touches its own links only. */
function ownLink(chat: ChatRecord, { bot, args }: Call): InviteLink {
  const hash = inviteHash(args.text("invite_link"));
  const link = chat.links.find((each) => hash !== null && inviteHash(each.link) === hash);
  if (link === undefined) throw badRequest("INVITE_HASH_INVALID");
  if (link.creatorId !== bot.id) throw badRequest("INVITE_HASH_EXPIRED");
  return link;
}

const TEXT_MAX_CHARS = 4_096;
const CAPTION_MAX_CHARS = 1_024;
/** How long a pressed button waits for its answer. */
const CALLBACK_LIFE_MS = 15 * MINUTE_MS;

export const messageMethods: MethodTable = {
  sendMessage(town, call) {
    const target = writable(town, call);
    const formatted = readText(call, "text");
    if (formatted.text === "") throw badRequest("message text is empty");
    if (formatted.text.length > TEXT_MAX_CHARS) throw badRequest("message is too long");
    return post(town, call, { target, content: withText(formatted) });
  },
  async sendPhoto(town, call) {
    const target = writable(town, call);
    const caption = readCaption(call);
    const photo = await readPhoto(town, call.args);
    return post(town, call, { target, content: { photo, ...caption } });
  },
  getFile(town, { args }) {
    const id = args.text("file_id");
    const file = town.state.files.get(id);
    if (file === undefined) throw badRequest("invalid file_id");
    return {
      file_id: id,
      file_unique_id: `AQAD${id.slice(4, 16)}`,
      file_size: Buffer.byteLength(file.bytes, "base64"),
      file_path: file.path,
    };
  },
  editMessageText(town, call) {
    const { message, target } = ownMessage(town, call);
    if (message.text === undefined) throw badRequest("there is no text in the message to edit");
    const formatted = readText(call, "text");
    if (formatted.text === "") throw badRequest("message text is empty");
    if (formatted.text.length > TEXT_MAX_CHARS) throw badRequest("message is too long");
    return edit(town, call, { target, message, content: withText(formatted) });
  },
  editMessageCaption(town, call) {
    const { message, target } = ownMessage(town, call);
    if (message.photo === undefined) throw badRequest("there is no caption in the message to edit");
    return edit(town, call, { target, message, content: readCaption(call) });
  },
  editMessageReplyMarkup(town, call) {
    const { message, target } = ownMessage(town, call);
    return edit(town, call, { target, message, content: null });
  },
  deleteMessage(town, call) {
    removeMessage(town, call, call.args.integer("message_id"));
    return true;
  },
  deleteMessages(town, call) {
    const ids = call.args.json("message_ids");
    if (!Array.isArray(ids)) throw badRequest("message identifiers are not specified");
    for (const id of ids) {
      // Those that cannot be found or deleted are passed over.
      if (findMessage(resolveTarget(town, call, "write"), Number(id)) !== undefined) {
        removeMessage(town, call, Number(id));
      }
    }
    return true;
  },
  sendChatAction(town, call) {
    writable(town, call);
    if (call.args.text("action") === "") throw badRequest("wrong parameter action in request");
    return true;
  },
  answerCallbackQuery(town, { bot, args }) {
    const query = bot.callbacks.get(args.text("callback_query_id"));
    const oldestMs = town.clock.now().getTime() - CALLBACK_LIFE_MS;
    if (query === undefined || query.askedAtMs < oldestMs) {
      throw badRequest("query is too old and response timeout expired or query ID is invalid");
    }
    const { personId } = query;
    const text = args.text("text");
    if (text.length > 200) throw badRequest("MESSAGE_TOO_LONG");
    if (text !== "") {
      town.show({ type: "toast", personId, text, alert: args.boolean("show_alert") });
    }
    const url = args.text("url");
    if (url !== "") town.show({ type: "openUrl", personId, url });
    return true;
  },
};

function withText({ text, entities }: FormattedText): Content {
  return entities.length === 0 ? { text } : { text, entities };
}

function readText(call: Call, name: string): FormattedText {
  return formatText(call.args.text(name), call.args.text("parse_mode"));
}

function readCaption(call: Call): Content {
  const { text, entities } = readText(call, "caption");
  if (text.length > CAPTION_MAX_CHARS) throw badRequest("message caption is too long");
  if (text === "") return {};
  return { caption: text, ...(entities.length === 0 ? {} : { caption_entities: entities }) };
}

/** The place of a message, where the bot may write now. */
function writable(town: Town, call: Call): Target {
  const target = resolveTarget(town, call, "write");
  if (target.is === "private") {
    checkMayWrite(town, call.bot, target.dialog);
  } else if (
    target.chat.kind === "channel" &&
    !hasRight(target.chat.members.get(call.bot.id), "post_messages")
  ) {
    throw badRequest("need administrator rights in the channel chat");
  }
  return target;
}

function post(town: Town, call: Call, sent: { target: Target; content: Content }): Message {
  const { target } = sent;
  const isPrivate = target.is === "private";
  const keyboard = readKeyboard(town, call.args.json("reply_markup"), { isPrivate });
  const content = {
    ...sent.content,
    ...repliedTo(call, target),
    ...(keyboard === null ? {} : { reply_markup: keyboard }),
    ...(call.args.boolean("protect_content") ? { has_protected_content: true as const } : {}),
  };
  if (target.is === "private") {
    const { dialog } = target;
    const message = postFromBot(town, call.bot, { dialog, content });
    const forced = readForcedReply(call.args.json("reply_markup"));
    if (forced !== null) dialog.asks = { messageId: message.message_id, ...forced };
    return message;
  }
  return postInChat(town, target.chat, { authorId: call.bot.id, content });
}

/** `force_reply`: the phone opens the answer by itself. */
function readForcedReply(markup: unknown): { placeholder: string | null } | null {
  if (typeof markup !== "object" || markup === null || !("force_reply" in markup)) return null;
  if (markup.force_reply !== true) return null;
  const placeholder =
    "input_field_placeholder" in markup ? textOf(markup.input_field_placeholder) : null;
  return { placeholder };
}

function repliedTo(call: Call, target: Target): Pick<Content, "reply_to_message"> {
  const reply = call.args.json("reply_parameters") as { message_id?: number } | undefined;
  const id = reply?.message_id ?? call.args.integer("reply_to_message_id");
  if (id === 0) return {};
  const message = findMessage(target, id);
  const optional = (reply as { allow_sending_without_reply?: boolean } | undefined)
    ?.allow_sending_without_reply;
  if (message === undefined) {
    if (optional === true) return {};
    throw badRequest("message to be replied not found");
  }
  return { reply_to_message: { ...message, reply_to_message: undefined } };
}

function messagesOf(target: Target): Message[] {
  return target.is === "private" ? target.dialog.messages : target.chat.messages;
}

function findMessage(target: Target, id: number): Message | undefined {
  return messagesOf(target).find((message) => message.message_id === id);
}

function ownMessage(town: Town, call: Call): { target: Target; message: Message } {
  const target = resolveTarget(town, call, "write");
  const message = findMessage(target, call.args.integer("message_id"));
  if (message === undefined) throw badRequest("message to edit not found");
  const ownPost = target.is === "chat" && target.chat.kind === "channel";
  const isService = message.text === undefined && message.photo === undefined;
  if ((message.from?.id !== call.bot.id && !ownPost) || isService) {
    throw badRequest("message can't be edited");
  }
  return { target, message };
}

/** The keyboard goes when a call does not bring one: an edit replaces the whole message. */
function edit(
  town: Town,
  call: Call,
  change: { target: Target; message: Message; content: Content | null },
): Message {
  const { message, content } = change;
  const isPrivate = change.target.is === "private";
  const keyboard = readKeyboard(town, call.args.json("reply_markup"), { isPrivate });
  const before = JSON.stringify(editable(message));
  const next: Message = { ...message, ...(content === null ? {} : CLEARED), ...content };
  delete next.reply_markup;
  if (keyboard !== null) next.reply_markup = keyboard;
  if (JSON.stringify(editable(next)) === before) {
    throw new ApiError(
      400,
      "Bad Request: message is not modified: specified new message content and reply markup are " +
        "exactly the same as a current content and reply markup of the message",
    );
  }
  for (const key of Object.keys(message) as (keyof Message)[]) {
    if (next[key] === undefined) delete message[key];
  }
  Object.assign(message, next, { edit_date: unixNow(town) });
  for (const key of Object.keys(message) as (keyof Message)[]) {
    if (message[key] === undefined) delete message[key];
  }
  town.changed();
  return message;
}

const CLEARED = { entities: undefined, caption: undefined, caption_entities: undefined };

function editable(message: Message): unknown {
  const { text, entities, caption, caption_entities, reply_markup } = message;
  return [text, entities ?? [], caption, caption_entities ?? [], reply_markup];
}

function removeMessage(town: Town, call: Call, id: number): void {
  const target = resolveTarget(town, call, "write");
  const message = findMessage(target, id);
  if (message === undefined) throw badRequest("message to delete not found");
  const own = message.from?.id === call.bot.id;
  const old = town.clock.now().getTime() - message.date * 1000 > 2 * DAY_MS;
  const member = target.is === "chat" ? target.chat.members.get(call.bot.id) : undefined;
  const allowed =
    target.is === "private" ? !old : hasRight(member, "delete_messages") || (own && !old);
  if (!allowed || (target.is === "chat" && target.chat.kind === "channel" && !isAdmin(member))) {
    throw badRequest("message can't be deleted");
  }
  const messages = messagesOf(target);
  messages.splice(messages.indexOf(message), 1);
  town.changed();
}

/** Telegram gives no figure; an hour is what a share sheet may reasonably stay open. */
const PREPARED_LIFE_MS = HOUR_MS;

export const preparedMethods: MethodTable = {
  savePreparedInlineMessage(town, { bot, args }) {
    const personId = args.integer("user_id");
    if (!town.state.persons.has(personId)) throw badRequest("user not found");
    const kinds = ["user", "bot", "group", "channel"].filter((kind) =>
      args.boolean(`allow_${kind}_chats`),
    );
    if (kinds.length === 0) throw badRequest("at least one chat type must be allowed");
    const prepared: PreparedMessage = {
      ...readResult(town, args.json("result")),
      id: secretToken(16, town.chance),
      botId: bot.id,
      personId,
      expiresAtMs: town.clock.now().getTime() + PREPARED_LIFE_MS,
    };
    town.state.prepared.set(prepared.id, prepared);
    return { id: prepared.id, expiration_date: Math.floor(prepared.expiresAtMs / 1000) };
  },
};

type InlineResult = {
  type?: unknown;
  id?: unknown;
  title?: unknown;
  photo_url?: unknown;
  caption?: unknown;
  parse_mode?: unknown;
  input_message_content?: { message_text?: unknown; parse_mode?: unknown };
  reply_markup?: unknown;
};

function readResult(town: Town, value: unknown): Pick<PreparedMessage, "content" | "photoUrl"> {
  if (typeof value !== "object" || value === null) {
    throw badRequest("can't parse inline query result");
  }
  const result = value as InlineResult;
  const id = textOf(result.id);
  if (id === "" || Buffer.byteLength(id) > 64) throw badRequest("RESULT_ID_INVALID");
  const keyboard = readKeyboard(town, result.reply_markup, { isPrivate: false });
  const markup = keyboard === null ? {} : { reply_markup: keyboard };
  const text = (from: unknown, mode: unknown) => formatText(textOf(from), textOf(mode));
  if (result.type === "article") {
    const content = result.input_message_content;
    if (typeof result.title !== "string" || result.title === "") {
      throw badRequest("ARTICLE_TITLE_EMPTY");
    }
    const formatted = text(content?.message_text, content?.parse_mode);
    if (formatted.text === "") throw badRequest("message text is empty");
    return { content: { ...formatted, ...markup }, photoUrl: null };
  }
  if (result.type === "photo") {
    const photoUrl = textOf(result.photo_url);
    if (!URL.canParse(photoUrl)) throw badRequest("WEBDOCUMENT_URL_INVALID");
    const { text: caption, entities } = text(result.caption, result.parse_mode);
    return { content: { caption, caption_entities: entities, ...markup }, photoUrl };
  }
  throw badRequest("unsupported inline query result type");
}

const ONE_PAGE = 100;

/** Payments in Stars, and nothing else of Telegram's payments (payment-providers.md §9). */
export const starMethods: MethodTable = {
  createInvoiceLink(town, { bot, args }) {
    const { slug } = town.stars.open({ ...readInvoice(args), botId: bot.id });
    return invoiceLink(slug);
  },
  sendInvoice(town, call) {
    const { bot, args } = call;
    const read = { ...readInvoice(args), subscriptionPeriod: null };
    const target = resolveTarget(town, call, "write");
    if (target.is === "private") checkMayWrite(town, bot, target.dialog);
    const isPrivate = target.is === "private";
    const keyboard = readKeyboard(town, args.json("reply_markup"), { isPrivate, pays: true });
    const { slug } = town.stars.open({ ...read, botId: bot.id });
    const { title, description, amount } = read;
    const pay = { text: `${amount} ⭐`, pay: true as const };
    const content = {
      invoice: {
        title,
        description,
        start_parameter: args.text("start_parameter"),
        currency: "XTR",
        total_amount: amount,
      },
      reply_markup: keyboard ?? { inline_keyboard: [[pay]] },
    };
    const message =
      target.is === "private"
        ? postFromBot(town, bot, { dialog: target.dialog, content })
        : postInChat(town, target.chat, { authorId: bot.id, content });
    town.state.stars.shown.set(`${message.chat.id}:${message.message_id}`, slug);
    return message;
  },
  answerPreCheckoutQuery(town, { bot, args }) {
    const ok = args.boolean("ok");
    const words = args.text("error_message") || null;
    if (!ok && words === null) throw badRequest('parameter "error_message" is required');
    town.stars.answer(bot, { id: args.text("pre_checkout_query_id"), ok, words });
    return true;
  },
  refundStarPayment(town, { bot, args }) {
    const chargeId = args.text("telegram_payment_charge_id");
    if (chargeId === "") throw badRequest("CHARGE_ID_EMPTY");
    town.stars.refund(bot, { personId: args.integer("user_id"), chargeId });
    return true;
  },
  getStarTransactions(town, { bot, args }) {
    const offset = args.integer("offset");
    const limit = args.has("limit") ? args.integer("limit") : ONE_PAGE;
    if (offset < 0) throw badRequest("OFFSET_INVALID");
    if (limit < 1 || limit > ONE_PAGE) throw badRequest("LIMIT_INVALID");
    return { transactions: transactionsOf(town, bot, { offset, limit }) };
  },
  getMyStarBalance: (town, { bot }) => ({ amount: balanceOf(town, bot) }),
};

const PORTS = ["443", "80", "88", "8443"];
const CONNECTIONS_DEFAULT = 40;

export function updateMethods(polling: Polling, webhooks: WebhookSender): MethodTable {
  const drop = (call: Call) => {
    if (call.args.boolean("drop_pending_updates")) call.bot.queue = [];
  };
  const remove = (town: Town, call: Call): Described => {
    drop(call);
    const was = call.bot.webhook;
    call.bot.webhook = null;
    town.changed();
    return new Described(true, was === null ? "Webhook is already deleted" : "Webhook was deleted");
  };
  return {
    getUpdates: (_town, call) => polling.getUpdates(call),
    deleteWebhook: remove,
    setWebhook(town, call) {
      if (call.args.text("url") === "") return remove(town, call);
      checkPace(town, call);
      const webhook = readWebhook(town, call);
      readAllowedUpdates(call);
      drop(call);
      const same = call.bot.webhook?.url === webhook.url;
      polling.endByWebhook(call.bot);
      call.bot.webhook = webhook;
      town.changed();
      webhooks.pump(call.bot);
      return new Described(true, same ? "Webhook is already set" : "Webhook was set");
    },
    getWebhookInfo(_town, { bot }) {
      const { webhook } = bot;
      const filter = isDefault(bot.allowedUpdates) ? {} : { allowed_updates: bot.allowedUpdates };
      const base = {
        url: webhook?.url ?? "",
        has_custom_certificate: false,
        pending_update_count: bot.queue.length,
        ...filter,
      };
      if (webhook === null) return base;
      return {
        ...base,
        max_connections: webhook.maxConnections,
        ...(webhook.ipAddress === null ? {} : { ip_address: webhook.ipAddress }),
        ...(webhook.lastErrorAtMs === null
          ? {}
          : {
              last_error_date: Math.floor(webhook.lastErrorAtMs / 1000),
              last_error_message: webhook.lastErrorMessage ?? "",
            }),
      };
    },
  };
}

/** More than one setWebhook a second is too many. */
function checkPace(town: Town, { bot }: Call): void {
  const sinceMs = town.clock.now().getTime() - (bot.webhook?.setAtMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs >= 0 && sinceMs < 1_000) {
    throw new ApiError(429, "Too Many Requests: retry after 1", { retry_after: 1 });
  }
}

function readWebhook(town: Town, { args }: Call): Webhook {
  const address = args.text("url");
  const bad = (reason: string) => badRequest(`bad webhook: ${reason}`);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw bad("invalid URL specified");
  const local = isLocalAddress(url.hostname) && town.settings.allowLocalAddresses;
  if (!local) {
    if (url.protocol !== "https:") throw bad("An HTTPS URL must be provided for webhook");
    if (url.port !== "" && !PORTS.includes(url.port)) {
      throw bad("Webhook can be set up only on ports 80, 88, 443 or 8443");
    }
    if (isLocalAddress(url.hostname)) {
      throw bad("IP address 127.0.0.1 is reserved");
    }
  }
  const secret = args.text("secret_token");
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (secret !== "" && !/^[\w-]+$/.test(secret)) {
    throw badRequest("secret token contains unallowed characters");
  }
  const connections = args.has("max_connections") ? args.integer("max_connections") : 0;
  return {
    url: address,
    secretToken: secret === "" ? null : secret,
    maxConnections: connections > 0 ? Math.min(100, connections) : CONNECTIONS_DEFAULT,
    ipAddress: args.text("ip_address") === "" ? null : args.text("ip_address"),
    setAtMs: town.clock.now().getTime(),
    lastErrorAtMs: null,
    lastErrorMessage: null,
    goneSinceMs: null,
  };
}

function isDefault(types: readonly string[]): boolean {
  return (
    types.length === DEFAULT_UPDATE_TYPES.length &&
    DEFAULT_UPDATE_TYPES.every((type) => types.includes(type))
  );
}
