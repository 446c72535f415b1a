import { ApiError, NotPossible } from "../api-error.ts";
import { deleteChat, migrateChat, requireAdmin } from "../chats.ts";
import { joinByLink, previewInvite } from "../invite-links.ts";
import { answerRequest, withdrawRequest } from "../join-requests.ts";
import {
  ALL_RIGHTS,
  changeMember,
  hasRight,
  isAdmin,
  isBanned,
  isInside,
  memberOf,
} from "../members.ts";
import { mayAdd, permissionsOf } from "../permissions.ts";
import { leaveChat } from "../removals.ts";
import { announceJoin, announceLeave } from "../service-messages.ts";
import { chatById, personById, type Town, unixNow } from "../town.ts";
import type { Actors } from "./actors.ts";

/** Members come and go by their own hand or an administrator's. */
export function memberActors(town: Town) {
  return {
    setAdmin({ personId, chatId, userId, rights }) {
      let chat = chatById(town, chatId);
      requireAdmin(chat, personId, "promote_members");
      personById(town, userId);
      if (!isInside(chat.members.get(userId))) throw new NotPossible("not a member");
      if (chat.kind === "group" && rights.length > 0)
        chat = migrateChat(town, chat, { byId: personId });
      changeMember(town, chat, {
        userId,
        byId: personId,
        status: rights.length > 0 ? "administrator" : "member",
        rights,
      });
      return { chatId: chat.id };
    },
    addMember({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      personById(town, userId);
      if (!mayAdd(chat, personId)) throw new NotPossible("may not add members");
      const member = memberOf(chat, userId);
      if (isInside(member)) return null;
      const lifts = hasRight(chat.members.get(personId), "restrict_members");
      if (isBanned(member, unixNow(town)) && !lifts) throw new NotPossible("banned there");
      changeMember(town, chat, { userId, status: "member", byId: personId });
      announceJoin(town, chat, { userId, byId: personId });
      return null;
    },
    setMembersCanAdd({ personId, chatId, allowed }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "restrict_members");
      chat.permissions = { ...permissionsOf(chat), can_invite_users: allowed };
      town.changed();
      return null;
    },
    ban({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "restrict_members");
      const member = memberOf(chat, userId);
      if (member.status === "creator") throw new NotPossible("the owner cannot be removed");
      const status = chat.kind === "group" ? "left" : "kicked";
      changeMember(town, chat, { userId, status, byId: personId });
      chat.requests.delete(userId);
      if (isInside(member)) announceLeave(town, chat, { userId, byId: personId });
      return null;
    },
    unban({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "restrict_members");
      if (isBanned(memberOf(chat, userId), unixNow(town))) {
        changeMember(town, chat, { userId, status: "left", byId: personId });
      }
      return null;
    },
  } satisfies Partial<Actors>;
}

/** Who goes, and what an owner does with the chat. */
export function ownerActors(town: Town) {
  return {
    leave({ personId, chatId }) {
      const chat = chatById(town, chatId);
      if (!isInside(chat.members.get(personId))) throw new NotPossible("not a member");
      leaveChat(town, chat, personId);
      return null;
    },
    migrate({ personId, chatId, quietly = false }) {
      const chat = chatById(town, chatId);
      if (memberOf(chat, personId).status !== "creator") throw new NotPossible("only the owner");
      return { chatId: migrateChat(town, chat, { byId: personId, quietly }).id };
    },
    transferOwnership({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      personById(town, userId);
      if (memberOf(chat, personId).status !== "creator") throw new NotPossible("only the owner");
      if (chat.kind === "group") throw new NotPossible("a basic group is not handed over");
      if (!isInside(chat.members.get(userId))) throw new NotPossible("not a member");
      const rights = ALL_RIGHTS.filter((right) => right !== "anonymous");
      // The old owner first: a chat never has two.
      changeMember(town, chat, {
        userId: personId,
        byId: personId,
        status: "administrator",
        rights,
      });
      changeMember(town, chat, { userId, byId: personId, status: "creator" });
      return null;
    },
    setAnonymous({ personId, chatId, anonymous }) {
      const chat = chatById(town, chatId);
      const member = memberOf(chat, personId);
      if (!isAdmin(member)) throw new NotPossible("only administrators act for the group");
      member.anonymous = anonymous;
      town.changed();
      return null;
    },
    deleteChat({ personId, chatId }) {
      const chat = chatById(town, chatId);
      if (memberOf(chat, personId).status !== "creator") throw new NotPossible("only the owner");
      deleteChat(town, chat);
      return null;
    },
  } satisfies Partial<Actors>;
}

/** Who asks to come in, and who answers. */
export function joinActors(town: Town) {
  return {
    previewInvite: ({ personId, link }) => previewInvite(town, personId, link),
    join: ({ personId, link }) => joinByLink(town, personId, link),
    cancelJoinRequest({ personId, chatId }) {
      withdrawRequest(town, chatById(town, chatId), personId);
      return null;
    },
    approveRequest({ personId, chatId, userId }) {
      const chat = chatById(town, chatId);
      requireAdmin(chat, personId, "invite_users");
      try {
        answerRequest(town, chat, { userId, approve: true, byId: personId });
      } catch (error) {
        if (error instanceof ApiError) throw new NotPossible(error.message);
        throw error;
      }
      return null;
    },
  } satisfies Partial<Actors>;
}
