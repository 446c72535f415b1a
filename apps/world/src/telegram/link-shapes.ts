import type { ChatInviteLink } from "./bot-api.ts";
import type { Bot, ChatRecord, InviteLink, Member } from "./state.ts";
import { type Town, userById } from "./town.ts";

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
