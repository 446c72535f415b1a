import type {
  ChatInviteLink,
  ChatMember,
  ChatMemberAdministrator,
  ChatMemberUpdated,
} from "./bot-api.ts";
import type { Bot, ChatRecord, InviteLink, Member } from "./state.ts";
import { type Town, asChat, botById, unixNow, userById } from "./town.ts";
import type { AdminRight, MemberStatus } from "../wire.ts";

export const ALL_RIGHTS: readonly AdminRight[] = [
  "change_info",
  "post_messages",
  "edit_messages",
  "delete_messages",
  "restrict_members",
  "invite_users",
  "pin_messages",
  "manage_topics",
  "promote_members",
  "manage_video_chats",
  "anonymous",
  "manage_chat",
  "post_stories",
  "edit_stories",
  "delete_stories",
];

export function isRight(word: string): word is AdminRight {
  return (ALL_RIGHTS as readonly string[]).includes(word);
}

export function isInside(member: Member | undefined): boolean {
  return (
    member !== undefined &&
    ["creator", "administrator", "member", "restricted"].includes(member.status)
  );
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

export function newMember(userId: number, status: MemberStatus): Member {
  return {
    userId,
    status,
    rights: [],
    anonymous: false,
    promotedBy: null,
    untilDate: 0,
    viaLink: null,
  };
}

type MemberChange = {
  userId: number;
  status: MemberStatus;
  rights?: AdminRight[];
  untilDate?: number;
  viaLink?: InviteLink;
  /** Who made the change: the person, a bot, or the member himself. */
  byId: number;
};

/** Changes a membership; tells the bot concerned, and those that administer the chat. */
export function changeMember(town: Town, chat: ChatRecord, change: MemberChange): void {
  const before = { ...memberOf(chat, change.userId) };
  const after: Member = {
    ...before,
    status: change.status,
    rights: change.status === "administrator" ? orderedRights(change.rights ?? []) : [],
    untilDate: change.status === "kicked" ? (change.untilDate ?? 0) : 0,
    promotedBy: change.status === "administrator" ? change.byId : null,
    viaLink: change.viaLink?.link ?? (isInsideStatus(change.status) ? before.viaLink : null),
  };
  chat.members.set(change.userId, after);
  town.changed();
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  for (const bot of town.state.bots) {
    const concerned = bot.id === change.userId;
    if (!concerned && !isAdmin(chat.members.get(bot.id))) continue;
    const content = memberUpdate(town, { chat, bot, before, after, change });
    town.updates.add(bot, { type: concerned ? "my_chat_member" : "chat_member", content });
  }
}

type Told = { chat: ChatRecord; bot: Bot; before: Member; after: Member; change: MemberChange };

function memberUpdate(town: Town, told: Told): ChatMemberUpdated {
  const { chat, bot, before, after, change } = told;
  return {
    chat: asChat(chat),
    from: actorAsUser(town, chat, change.byId),
    date: unixNow(town),
    old_chat_member: asChatMember(town, { chat, member: before, viewer: bot }),
    new_chat_member: asChatMember(town, { chat, member: after, viewer: bot }),
    ...(change.viaLink === undefined
      ? {}
      : { invite_link: asInviteLink(town, chat, { link: change.viaLink, viewer: bot }) }),
  };
}

/** An anonymous administrator appears as Telegram's own account. */
export const ANONYMOUS_BOT = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: "Group",
  username: "GroupAnonymousBot",
};

function actorAsUser(town: Town, chat: ChatRecord, id: number) {
  return chat.members.get(id)?.anonymous === true ? ANONYMOUS_BOT : userById(town, id);
}

function isInsideStatus(status: MemberStatus): boolean {
  return status !== "left" && status !== "kicked";
}

function orderedRights(rights: readonly AdminRight[]): AdminRight[] {
  // Whoever administers may always see what administrators see.
  return ALL_RIGHTS.filter((right) => right === "manage_chat" || rights.includes(right));
}

export function asChatMember(
  town: Town,
  seen: { chat: ChatRecord; member: Member; viewer: Bot },
): ChatMember {
  const { chat, member, viewer } = seen;
  const user = userById(town, member.userId);
  switch (member.status) {
    case "creator":
      return { status: "creator", user, is_anonymous: member.anonymous };
    case "administrator":
      return administrator(chat, member, { user, viewer });
    case "kicked":
      return isBanned(member, unixNow(town))
        ? { status: "kicked", user, until_date: member.untilDate }
        : { status: "left", user };
    case "left":
      return { status: "left", user };
    case "restricted":
    case "member":
      return { status: "member", user };
  }
}

function administrator(
  chat: ChatRecord,
  member: Member,
  by: { user: ChatMemberAdministrator["user"]; viewer: Bot },
): ChatMemberAdministrator {
  const has = (right: AdminRight) => member.rights.includes(right);
  return {
    status: "administrator",
    user: by.user,
    can_be_edited: member.promotedBy === by.viewer.id,
    is_anonymous: member.anonymous || has("anonymous"),
    can_manage_chat: has("manage_chat"),
    can_delete_messages: has("delete_messages"),
    can_manage_video_chats: has("manage_video_chats"),
    can_restrict_members: has("restrict_members"),
    can_promote_members: has("promote_members"),
    can_change_info: has("change_info"),
    can_invite_users: has("invite_users"),
    can_post_stories: has("post_stories"),
    can_edit_stories: has("edit_stories"),
    can_delete_stories: has("delete_stories"),
    ...(chat.kind === "channel"
      ? { can_post_messages: has("post_messages"), can_edit_messages: has("edit_messages") }
      : { can_pin_messages: has("pin_messages") }),
    ...(chat.kind === "supergroup" ? { can_manage_topics: has("manage_topics") } : {}),
  };
}

/** The bots that administer this chat with a right. */
export function botsWithRight(town: Town, chat: ChatRecord, right: AdminRight): Bot[] {
  return membersInside(chat).flatMap((member) => {
    const bot = botById(town, member.userId);
    return bot !== undefined && hasRight(member, right) ? [bot] : [];
  });
}

/** An invite link as a bot sees it. */
export function asInviteLink(
  town: Town,
  chat: ChatRecord,
  seen: { link: InviteLink; viewer: Bot },
): ChatInviteLink {
  const { link, viewer } = seen;
  const pending = pendingOf(chat, link);
  return {
    // Another administrator's link is shown with its tail cut off.
    invite_link: link.creatorId === viewer.id ? link.link : `${link.link.slice(0, -8)}...`,
    creator: userById(town, link.creatorId),
    creates_join_request: link.createsJoinRequest,
    is_primary: link.isPrimary,
    is_revoked: link.isRevoked,
    ...(link.name === null ? {} : { name: link.name }),
    ...(link.expireDate === null ? {} : { expire_date: link.expireDate }),
    ...(link.memberLimit === null ? {} : { member_limit: link.memberLimit }),
    ...(pending > 0 ? { pending_join_request_count: pending } : {}),
  };
}

export function pendingOf(chat: ChatRecord, link: InviteLink): number {
  return [...chat.requests.values()].filter((request) => request.link === link.link).length;
}

/** Those inside now who came by this link: `member_limit` counts them. */
export function joinedBy(chat: ChatRecord, link: InviteLink): number {
  const inside = (member: Member) => member.status !== "left" && member.status !== "kicked";
  return [...chat.members.values()].filter((each) => each.viaLink === link.link && inside(each))
    .length;
}
