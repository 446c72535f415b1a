import { MINUTE_MS, textOf } from "@sesame/kernel";
import type { ApiMethods, BotCommand, MenuButton } from "grammy/types";
import {
  badRequest,
  type Bot,
  type ChatRecord,
  type InviteLink,
  botAsUser,
  personAsUser,
  privateChat,
} from "./state.ts";
import {
  boolean,
  type Call,
  changed,
  chatTo,
  chatWhere,
  integer,
  integerOr,
  json,
  placeTo,
  type Reader,
  requireRight,
  takes,
  text,
  textUpTo,
  userId,
  writable,
} from "./call.ts";
import { fullChat, readPermissions } from "./chats.ts";
import { answerRequest, createLink, inviteHash } from "./invite-links.ts";
import {
  asChatMember,
  asInviteLink,
  isAdmin,
  isBanned,
  isInside,
  memberOf,
  membersInside,
} from "./members.ts";
import { changeMember } from "./messages.ts";
import { edit, messageText, ownMessage, send } from "./sending.ts";
import { balanceOf, invoiceLink, readInvoice, transactionsOf } from "./stars.ts";
import { readWebhook } from "./updates.ts";

/** What each answers is checked against the Bot API's schema (`testing/schema-check.ts`). */
type MethodTable = { [M in keyof ApiMethods]?: (call: Call) => unknown };

/** How long a pressed button waits for its answer. */
const CALLBACK_LIFE_MS = 15 * MINUTE_MS;
const TRANSACTIONS_MAX = 100;

const OF_STATUS = "chat member status can't be changed in private chats";
const TERMS = {
  name: text,
  expire_date: integer,
  member_limit: integer,
  creates_join_request: boolean,
};
const OF_A_MESSAGE = { chat_id: placeTo("write"), message_id: integer };
const chatToInvite = chatWhere("invite_users", {
  inPrivate: "can't invite members to a private chat",
  without: "not enough rights to manage chat invite link",
});

/** Every method the emulators have: its parameters in the order they are checked, and what it does. */
export const METHODS: MethodTable = {
  getMe: ({ bot }) => ({
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
  setMyCommands: setsOfBot("commands", "commands", commands),
  setMyDescription: setsOfBot(
    "description",
    "description",
    textUpTo(512, "BOT_DESCRIPTION_INVALID"),
  ),
  setMyShortDescription: setsOfBot(
    "shortDescription",
    "short_description",
    textUpTo(120, "BOT_SHORTDESCRIPTION_INVALID"),
  ),
  setChatMenuButton: setsOfBot("menuButton", "menu_button", menuButton),

  getChat: takes({ chat_id: placeTo("read") }, ({ emulated, params: { chat_id: place } }) =>
    fullChat(place.chat ?? privateChat(emulated.personById(place.dialog.personId))),
  ),
  setChatPermissions: takes(
    {
      chat_id: chatWhere("restrict_members", {
        inPrivate: "can't change private chat permissions",
        without: "not enough rights to change chat permissions",
      }),
      permissions: json,
      use_independent_chat_permissions: boolean,
    },
    ({ emulated, params }) => {
      const { chat_id: chat, permissions: given } = params;
      if (typeof given !== "object" || given === null) {
        throw badRequest("can't parse ChatPermissions JSON object");
      }
      if (chat.kind === "channel") throw badRequest("can't change channel chat permissions");
      chat.permissions = readPermissions({ ...given }, params.use_independent_chat_permissions);
      return changed(emulated);
    },
  ),
  getChatMember: takes({ chat_id: placeTo("read"), user_id: integer }, (call) => {
    const { emulated, bot } = call;
    const { chat_id: place, user_id } = call.params;
    if (place.dialog) {
      if (place.dialog.personId !== user_id) throw badRequest("user not found");
      return { status: "member", user: personAsUser(emulated.personById(user_id)) };
    }
    checkKnown(call, place.chat, user_id);
    if (place.chat.kind === "channel" && !isAdmin(place.chat.members.get(bot.id))) {
      throw badRequest("member list is inaccessible");
    }
    const member = memberOf(place.chat, user_id);
    return asChatMember(emulated, { chat: place.chat, member, viewer: bot });
  }),
  getChatMemberCount: takes({ chat_id: placeTo("read") }, ({ params: { chat_id: place } }) =>
    place.chat ? membersInside(place.chat).length : 2,
  ),
  getChatAdministrators: takes(
    {
      chat_id: chatTo("read", "there are no administrators in the private chat"),
      return_bots: boolean,
    },
    ({ emulated, bot, params: { chat_id: chat, return_bots } }) =>
      membersInside(chat)
        .filter(isAdmin)
        .filter(({ userId: id }) => return_bots || id === bot.id || !emulated.botById(id))
        .map((member) => asChatMember(emulated, { chat, member, viewer: bot })),
  ),
  banChatMember: takes(
    { chat_id: chatTo("write", OF_STATUS), user_id: userId, until_date: integer },
    (call) => {
      const { emulated, bot, params } = call;
      const { chat_id: chat, user_id } = params;
      checkRestricts(call, chat, user_id);
      const wasInside = isInside(chat.members.get(user_id));
      // A basic group knows no ban: the person is only removed.
      const status = chat.kind === "group" ? "left" : "kicked";
      if (status === "left" && !wasInside) throw badRequest("USER_NOT_PARTICIPANT");
      const untilDate = banEnd(params.until_date, emulated.unixNow());
      changeMember(emulated, chat, { userId: user_id, byId: bot.id, status, untilDate });
      chat.requests.delete(user_id);
      return true;
    },
  ),
  unbanChatMember: takes(
    { chat_id: chatTo("write", OF_STATUS), user_id: userId, only_if_banned: boolean },
    (call) => {
      const { emulated, bot, params } = call;
      const { chat_id: chat, user_id } = params;
      if (chat.kind === "group") {
        throw badRequest("method is available for supergroup and channel chats only");
      }
      checkRestricts(call, chat, user_id);
      const of = { userId: user_id, byId: bot.id };
      const wasInside = isInside(chat.members.get(user_id));
      const banned = isBanned(chat.members.get(user_id), emulated.unixNow());
      if (params.only_if_banned && !banned) return true;
      if (wasInside) {
        // Without only_if_banned the server bans for a minute and lets go again: the member is out.
        changeMember(emulated, chat, {
          ...of,
          status: "kicked",
          untilDate: emulated.unixNow() + 60,
        });
      }
      if (wasInside || banned) changeMember(emulated, chat, { ...of, status: "left" });
      return true;
    },
  ),

  createChatInviteLink: takes(
    { chat_id: chatToInvite, ...TERMS },
    ({ emulated, bot, params: { chat_id: chat, ...terms } }) => {
      const link = createLink(emulated, chat, { creatorId: bot.id, terms });
      return asInviteLink(emulated, chat, { link, viewer: bot });
    },
  ),
  revokeChatInviteLink: takes(
    { chat_id: chatToInvite, invite_link: text },
    ({ emulated, bot, params: { chat_id: chat, invite_link } }) => {
      const link = ownLink(chat, bot.id, invite_link);
      link.isRevoked = true;
      emulated.changed();
      return asInviteLink(emulated, chat, { link, viewer: bot });
    },
  ),
  approveChatJoinRequest: answersRequest(true),
  declineChatJoinRequest: answersRequest(false),

  sendMessage: takes({ chat_id: writable, text: messageText, reply_markup: json }, (call) =>
    send(call, call.params.chat_id, call.params.text),
  ),
  editMessageText: takes({ ...OF_A_MESSAGE, text: messageText, reply_markup: json }, (call) => {
    const message = ownMessage(call);
    return edit(call, message, { entities: undefined, ...call.params.text });
  }),
  answerCallbackQuery: takes(
    {
      callback_query_id: text,
      text: textUpTo(200, "MESSAGE_TOO_LONG"),
      show_alert: boolean,
    },
    ({ emulated, bot, params }) => {
      const query = bot.callbacks.get(params.callback_query_id);
      const oldestMs = emulated.clock.now().getTime() - CALLBACK_LIFE_MS;
      if (query === undefined || query.askedAtMs < oldestMs) {
        throw badRequest("query is too old and response timeout expired or query ID is invalid");
      }
      const { personId } = query;
      const { text: words, show_alert: alert } = params;
      if (words !== "") emulated.show({ type: "toast", personId, text: words, alert });
      return true;
    },
  ),
  createInvoiceLink: takes({ invoice: readInvoice }, ({ emulated, bot, params }) =>
    invoiceLink(emulated.stars.open({ ...params.invoice, botId: bot.id }).slug),
  ),
  answerPreCheckoutQuery: takes(
    { pre_checkout_query_id: text, ok: boolean, error_message: text },
    ({ emulated, bot, params: { pre_checkout_query_id: id, ok, error_message } }) => {
      const words = error_message || null;
      if (!ok && words === null) throw badRequest('parameter "error_message" is required');
      emulated.stars.answer(bot, { id, ok, words });
      return true;
    },
  ),
  refundStarPayment: takes(
    { telegram_payment_charge_id: text, user_id: integer },
    ({ emulated, bot, params: { telegram_payment_charge_id: chargeId, user_id: personId } }) => {
      if (chargeId === "") throw badRequest("CHARGE_ID_EMPTY");
      emulated.stars.refund(bot, { personId, chargeId });
      return true;
    },
  ),
  getStarTransactions: takes(
    { offset: integer, limit: integerOr(TRANSACTIONS_MAX) },
    ({ emulated, bot, params }) => {
      if (params.offset < 0) throw badRequest("OFFSET_INVALID");
      if (params.limit < 1 || params.limit > TRANSACTIONS_MAX) throw badRequest("LIMIT_INVALID");
      return { transactions: transactionsOf(emulated, bot, params) };
    },
  ),
  getMyStarBalance: ({ emulated, bot }) => ({ amount: balanceOf(emulated, bot) }),

  getUpdates: (call) => call.polling.getUpdates(call),
  setWebhook: (call) => {
    const { emulated, bot } = call;
    if (text(call, "url") === "") return removeWebhook(call);
    const webhook = readWebhook(call);
    dropPending(call);
    call.polling.endByWebhook(bot);
    bot.webhook = webhook;
    return changed(emulated);
  },
  deleteWebhook: removeWebhook,
};

/** A method that only sets a field of the bot, from one parameter. */
function setsOfBot<K extends keyof Bot>(field: K, parameter: string, read: Reader<Bot[K]>) {
  return (call: Call): true => {
    call.bot[field] = read(call, parameter);
    return changed(call.emulated);
  };
}

function commands(call: Call, name: string): BotCommand[] {
  const value = json(call, name);
  if (!Array.isArray(value)) throw badRequest("expected an Array of BotCommand");
  if (value.length > 100) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  return value.map((each: Partial<BotCommand> | null) => {
    const command = textOf(each?.command).replace(/^\//, "");
    const description = textOf(each?.description);
    if (!/^[a-z0-9_]{1,32}$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
    if (description === "" || description.length > 256) {
      throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
    }
    return { command, description };
  });
}

function menuButton(call: Call, name: string): MenuButton {
  type Given = { type?: string; text?: string; web_app?: { url?: string } };
  const given = (json(call, name) ?? { type: "default" }) as Given;
  const { type, text: words, web_app } = given;
  if (type === "commands" || type === "default") return { type };
  if (type !== "web_app") throw badRequest("MenuButton has unsupported type");
  const url = web_app?.url ?? "";
  const { allowLocalAddresses } = call.emulated.settings;
  if (!URL.canParse(url) || !(allowLocalAddresses || url.startsWith("https:"))) {
    throw badRequest("menu button Web App URL is invalid: Only HTTPS links are allowed");
  }
  if (!words) throw badRequest("BUTTON_TEXT_INVALID");
  return { type, text: words, web_app: { url } };
}

/** Telegram knows nothing, for a bot, about people it never met. */
function checkKnown({ emulated, bot }: Call, chat: ChatRecord, id: number): void {
  const exists = emulated.state.persons.has(id) || emulated.botById(id) !== undefined;
  if (!exists) throw badRequest("user not found");
  const met = bot.met.has(id) || id === bot.id || chat.members.has(id);
  if (!met) throw badRequest("PARTICIPANT_ID_INVALID");
}

function checkRestricts(call: Call, chat: ChatRecord, id: number): void {
  checkKnown(call, chat, id);
  if (id === call.bot.id) throw badRequest("can't restrict self");
  requireRight(chat, call.bot, {
    right: "restrict_members",
    otherwise: "not enough rights to restrict/unrestrict chat member",
  });
  const member = chat.members.get(id);
  if (member?.status === "creator") throw badRequest("can't remove chat owner");
  if (member?.status === "administrator" && member.promotedBy !== call.bot.id) {
    throw badRequest("user is an administrator of the chat");
  }
}

/** Less than 30 s or more than 366 days means for ever, written 0. */
function banEnd(untilDate: number, now: number): number {
  const length = untilDate - now;
  return length < 30 || length > 366 * 24 * 60 * 60 ? 0 : untilDate;
}

/** A bot touches its own links only. */
function ownLink(chat: ChatRecord, botId: number, named: string): InviteLink {
  const hash = inviteHash(named);
  const link = chat.links.find((each) => hash !== null && inviteHash(each.link) === hash);
  if (link === undefined) throw badRequest("INVITE_HASH_INVALID");
  if (link.creatorId !== botId) throw badRequest("INVITE_HASH_EXPIRED");
  return link;
}

function answersRequest(approve: boolean) {
  const chat_id = chatWhere("invite_users", {
    inPrivate: "chat not found",
    without: "not enough rights to manage chat join requests",
  });
  return takes({ chat_id, user_id: userId }, ({ emulated, bot, params }): true => {
    answerRequest(emulated, params.chat_id, { userId: params.user_id, approve, byId: bot.id });
    return true;
  });
}

function dropPending(call: Call): void {
  if (boolean(call, "drop_pending_updates")) call.bot.queue = [];
}

function removeWebhook(call: Call): true {
  dropPending(call);
  call.bot.webhook = null;
  return changed(call.emulated);
}
