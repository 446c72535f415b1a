import type { ChatInviteLink, ChatMember, ChatMemberAdministrator } from "grammy/types";
import {
  type Bot,
  type ChatRecord,
  type InviteLink,
  type Member,
  newMember,
  type Telegram,
} from "./state.ts";
import { type AdminRight, ALL_RIGHTS } from "../wire.ts";

export function isRight(word: string): word is AdminRight {
  return (ALL_RIGHTS as readonly string[]).includes(word);
}

export function isInside(member: Pick<Member, "status"> | undefined): boolean {
  return member !== undefined && member.status !== "left" && member.status !== "kicked";
}

export function isAdmin(member: Member | undefined): boolean {
  return member?.status === "creator" || member?.status === "administrator";
}

export function hasRight(member: Member | undefined, right: AdminRight): boolean {
  if (member?.status === "creator") return true;
  return member?.status === "administrator" && member.rights.includes(right);
}

/** Still banned at that second: a ban with an end ends by itself. */
export function isBanned(member: Member | undefined, now: number): boolean {
  return member?.status === "kicked" && (member.untilDate === 0 || member.untilDate > now);
}

export function membersInside(chat: ChatRecord): Member[] {
  return [...chat.members.values()].filter(isInside);
}

export function memberOf(chat: ChatRecord, userId: number): Member {
  return chat.members.get(userId) ?? newMember(userId, "left");
}

/** An anonymous administrator appears as Telegram's own account. */
export const ANONYMOUS_BOT = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: "Group",
  username: "GroupAnonymousBot",
};

export function asChatMember(
  emulated: Telegram,
  seen: { chat: ChatRecord; member: Member; viewer: Bot },
): ChatMember {
  const { chat, member, viewer } = seen;
  const user = emulated.userById(member.userId);
  switch (member.status) {
    case "creator":
      return { status: "creator", user, is_anonymous: member.anonymous };
    case "administrator":
      return { status: "administrator", user, ...administrator(chat, member, viewer) };
    case "kicked":
      return isBanned(member, emulated.unixNow())
        ? { status: "kicked", user, until_date: member.untilDate }
        : { status: "left", user };
    case "left":
      return { status: "left", user };
    case "member":
      return { status: "member", user };
  }
}

/** Rights that do not exist in such a chat. */
const UNKNOWN_RIGHTS: Record<ChatRecord["kind"], readonly AdminRight[]> = {
  group: ["post_messages", "edit_messages", "manage_topics"],
  supergroup: ["post_messages", "edit_messages"],
  channel: ["pin_messages", "manage_topics"],
};

type Rights = Omit<ChatMemberAdministrator, "status" | "user">;

function administrator(chat: ChatRecord, member: Member, viewer: Bot): Rights {
  const has = (right: AdminRight) => member.rights.includes(right);
  const known = ALL_RIGHTS.filter(
    (right) => right !== "anonymous" && !UNKNOWN_RIGHTS[chat.kind].includes(right),
  );
  return {
    can_be_edited: member.promotedBy === viewer.id,
    is_anonymous: member.anonymous || has("anonymous"),
    ...(Object.fromEntries(known.map((right) => [`can_${right}`, has(right)])) as object),
  } as Rights;
}

/** The bots that administer this chat with a right. */
export function botsWithRight(emulated: Telegram, chat: ChatRecord, right: AdminRight): Bot[] {
  return membersInside(chat).flatMap((member) => {
    const bot = emulated.botById(member.userId);
    return bot !== undefined && hasRight(member, right) ? [bot] : [];
  });
}

/** An invite link as a bot sees it. */
export function asInviteLink(
  emulated: Telegram,
  chat: ChatRecord,
  seen: { link: InviteLink; viewer: Bot },
): ChatInviteLink {
  const { link, viewer } = seen;
  const pending = [...chat.requests.values()].filter((each) => each.link === link.link).length;
  return {
    // Another administrator's link is shown with its tail cut off.
    invite_link: link.creatorId === viewer.id ? link.link : `${link.link.slice(0, -8)}...`,
    creator: emulated.userById(link.creatorId),
    creates_join_request: link.createsJoinRequest,
    is_primary: link.isPrimary,
    is_revoked: link.isRevoked,
    ...(link.name === null ? {} : { name: link.name }),
    ...(link.expireDate === null ? {} : { expire_date: link.expireDate }),
    ...(link.memberLimit === null ? {} : { member_limit: link.memberLimit }),
    ...(pending > 0 ? { pending_join_request_count: pending } : {}),
  };
}

/** How many members came by this link: `member_limit` counts them. */
export function joinedBy(chat: ChatRecord, link: InviteLink): number {
  return membersInside(chat).filter(({ viaLink }) => viaLink === link.link).length;
}
