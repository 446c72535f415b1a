import { type Call, requireRight, resolveChat } from "../access.ts";
import { badRequest } from "../api-error.ts";
import {
  checkedTerms,
  createLink,
  inviteHash,
  type LinkTerms,
  renewPrimary,
} from "../invite-links.ts";
import { answerRequest } from "../join-requests.ts";
import { asInviteLink } from "../link-shapes.ts";
import type { ChatRecord, InviteLink } from "../state.ts";
import type { Town } from "../town.ts";
import type { MethodTable } from "./table.ts";

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
