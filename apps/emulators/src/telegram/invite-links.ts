import { MINUTE_MS, secretToken } from "@sesame/kernel";
import { badRequest, type ChatRecord, type InviteLink, type Telegram, asChat } from "./state.ts";
import type { Chat } from "grammy/types";
import {
  asInviteLink,
  botsWithRight,
  isBanned,
  isInside,
  joinedBy,
  memberOf,
  membersInside,
} from "./members.ts";
import { changeMember } from "./messages.ts";

type LinkTerms = typeof OPEN_TERMS;

/** As on the wire: zero and empty stand for "none". */
const OPEN_TERMS = { name: "", expire_date: 0, member_limit: 0, creates_join_request: false };

const NAME_MAX_CHARS = 32;
const MEMBER_LIMIT_MAX = 99_999;

function checkedTerms({ name, expire_date, member_limit, creates_join_request }: LinkTerms) {
  if (member_limit < 0 || member_limit > MEMBER_LIMIT_MAX) throw badRequest("USAGE_LIMIT_INVALID");
  if (creates_join_request && member_limit > 0) {
    throw badRequest("member limit can't be specified for links requiring administrator approval");
  }
  return {
    name: name === "" ? null : [...name].slice(0, NAME_MAX_CHARS).join(""),
    expireDate: expire_date > 0 ? expire_date : null,
    memberLimit: member_limit > 0 ? member_limit : null,
    createsJoinRequest: creates_join_request,
  };
}

export function createLink(
  emulated: Telegram,
  chat: ChatRecord,
  made: { creatorId: number; terms: LinkTerms; isPrimary?: boolean },
): InviteLink {
  const link: InviteLink = {
    ...checkedTerms(made.terms),
    link: `https://t.me/+${secretToken(12, emulated.random)}`,
    creatorId: made.creatorId,
    isPrimary: made.isPrimary ?? false,
    isRevoked: false,
  };
  chat.links.push(link);
  emulated.changed();
  return link;
}

/** A new primary link of that administrator; the previous one is revoked. */
export function renewPrimary(emulated: Telegram, chat: ChatRecord, creatorId: number): InviteLink {
  for (const link of chat.links) {
    if (link.isPrimary && link.creatorId === creatorId) link.isRevoked = true;
  }
  return createLink(emulated, chat, { creatorId, terms: OPEN_TERMS, isPrimary: true });
}

/** What a person sees of a link before tapping. */
export function previewInvite(emulated: Telegram, personId: number, link: string) {
  const found = findLink(emulated, link);
  if (found === null) {
    const state = "unknown" as const;
    return { link, state, chatId: null, title: "", kind: null, memberCount: 0 };
  }
  const { id: chatId, title, kind } = found.chat;
  const memberCount = membersInside(found.chat).length;
  return { link, state: inviteState(emulated, personId, found), chatId, title, kind, memberCount };
}

type Found = { chat: ChatRecord; invite: InviteLink };

/** `open`: a tap joins at once; `askable`: a tap sends a request; the others are dead ends. */
type State = "open" | "askable" | "asked" | "member" | "expired" | "revoked" | "full" | "banned";

function inviteState(emulated: Telegram, personId: number, { chat, invite }: Found): State {
  const now = emulated.unixNow();
  const member = memberOf(chat, personId);
  if (isInside(member)) return "member";
  if (invite.isRevoked) return "revoked";
  if (invite.expireDate !== null && invite.expireDate <= now) return "expired";
  if (isBanned(member, now)) return "banned";
  if (chat.requests.has(personId)) return "asked";
  if (invite.memberLimit !== null && joinedBy(chat, invite) >= invite.memberLimit) return "full";
  return invite.createsJoinRequest ? "askable" : "open";
}

/** Taps "join" or "ask to join". A dead link gives the reason and changes nothing. */
export function joinByLink(emulated: Telegram, personId: number, link: string) {
  emulated.personById(personId);
  const found = findLink(emulated, link);
  const state = found && inviteState(emulated, personId, found);
  if (found && state === "open") {
    const by = { userId: personId, byId: personId };
    changeMember(emulated, found.chat, { ...by, status: "member", viaLink: found.invite });
  }
  if (found && state === "askable") askToJoin(emulated, personId, found);
  return previewInvite(emulated, personId, link);
}

function findLink(emulated: Telegram, link: string): Found | null {
  const hash = inviteHash(link);
  if (hash === null) return null;
  for (const chat of emulated.state.chats.values()) {
    const invite = chat.links.find((each) => inviteHash(each.link) === hash);
    if (invite !== undefined && chat.migratedTo === null) return { chat, invite };
  }
  return null;
}

/** `t.me/+HASH` and the older `t.me/joinchat/HASH`. */
export function inviteHash(link: string): string | null {
  const match = /^(?:https?:\/\/)?(?:t|telegram)\.(?:me|dog)\/(?:\+|joinchat\/)([\w-]+)/.exec(link);
  return match?.[1] ?? null;
}

/** For this long a bot may write to a person who asked to join, even without a start. */
const WRITE_WINDOW_MS = 5 * MINUTE_MS;

function askToJoin(emulated: Telegram, personId: number, { chat, invite }: Found): void {
  chat.requests.set(personId, { link: invite.link });
  chat.handledRequests.delete(personId);
  emulated.changed();
  for (const bot of botsWithRight(emulated, chat, "invite_users")) {
    bot.joinWindows.set(personId, emulated.clock.now().getTime() + WRITE_WINDOW_MS);
    emulated.updates.add(bot, {
      type: "chat_join_request",
      content: {
        chat: asChat(chat) as Chat.SupergroupChat | Chat.ChannelChat,
        from: emulated.userById(personId),
        user_chat_id: personId,
        date: emulated.unixNow(),
        invite_link: asInviteLink(emulated, chat, { link: invite, viewer: bot }),
      },
    });
  }
}

/** Answers a request; throws Telegram's own refusals when there is none to answer. */
export function answerRequest(
  emulated: Telegram,
  chat: ChatRecord,
  answer: { userId: number; approve: boolean; byId: number },
): void {
  const { userId, approve, byId } = answer;
  if (isInside(chat.members.get(userId))) throw badRequest("USER_ALREADY_PARTICIPANT");
  if (!chat.requests.has(userId)) {
    throw badRequest(
      chat.handledRequests.has(userId) ? "HIDE_REQUESTER_MISSING" : "USER_ID_INVALID",
    );
  }
  const request = takeRequest(emulated, chat, userId);
  if (!approve || request === null) return;
  const viaLink = chat.links.find((each) => each.link === request.link);
  const by = { byId, announcedBy: userId };
  changeMember(emulated, chat, { userId, status: "member", ...by, ...(viaLink && { viaLink }) });
}

/** Handled, or withdrawn by the person: later answers find no request. */
export function takeRequest(emulated: Telegram, chat: ChatRecord, personId: number) {
  const request = chat.requests.get(personId);
  if (request === undefined) return null;
  chat.requests.delete(personId);
  chat.handledRequests.add(personId);
  // The window to write closes once the request is handled.
  for (const bot of botsWithRight(emulated, chat, "invite_users")) bot.joinWindows.delete(personId);
  emulated.changed();
  return request;
}
