import { type Call, requireRight, resolveChat, resolveTarget } from "../access.ts";
import { badRequest } from "../api-error.ts";
import type { ChatMember } from "../bot-api.ts";
import {
  asChatMember,
  changeMember,
  isAdmin,
  isBanned,
  isInside,
  memberOf,
  membersInside,
} from "../members.ts";
import { announceLeave } from "../service-messages.ts";
import type { ChatRecord } from "../state.ts";
import { botById, personAsUser, type Town, unixNow } from "../town.ts";
import type { MethodTable } from "./table.ts";

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
