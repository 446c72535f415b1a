import { MINUTE_MS } from "@sesame/kernel";
import { badRequest, forbidden } from "./api-error.ts";
import type { Chat } from "./bot-api.ts";
import { announceJoin } from "./service-messages.ts";
import { asInviteLink } from "./link-shapes.ts";
import { botsWithRight, changeMember, isInside } from "./members.ts";
import type { ChatRecord, InviteLink } from "./state.ts";
import { asChat, personById, type Town, unixNow, userById } from "./town.ts";

/** For this long a bot may write to someone who asked, even if he never started it. */
const WRITE_WINDOW_MS = 5 * MINUTE_MS;

export function askToJoin(
  town: Town,
  personId: number,
  { chat, invite }: { chat: ChatRecord; invite: InviteLink },
): void {
  const date = unixNow(town);
  chat.requests.set(personId, { userId: personId, link: invite.link, date });
  chat.handledRequests.delete(personId);
  town.changed();
  for (const bot of botsWithRight(town, chat, "invite_users")) {
    bot.joinWindows.set(personId, town.clock.now().getTime() + WRITE_WINDOW_MS);
    town.updates.add(bot, {
      type: "chat_join_request",
      content: {
        chat: asChat(chat) as Chat.SupergroupChat | Chat.ChannelChat,
        from: userById(town, personId),
        user_chat_id: personId,
        date,
        invite_link: asInviteLink(town, chat, { link: invite, viewer: bot }),
      },
    });
  }
}

/** The person gives up: later answers find no request. */
export function withdrawRequest(town: Town, chat: ChatRecord, personId: number): boolean {
  return takeRequest(town, chat, personId) !== null;
}

/** Answers a request; throws Telegram's own refusals when there is none to answer. */
export function answerRequest(
  town: Town,
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
  if (approve && personById(town, userId).deactivated) throw forbidden("user is deactivated");
  const request = takeRequest(town, chat, userId);
  if (!approve || request === null) return;
  const link = chat.links.find((each) => each.link === request.link);
  changeMember(town, chat, {
    userId,
    status: "member",
    byId,
    ...(link === undefined ? {} : { viaLink: link }),
  });
  announceJoin(town, chat, { userId, byId: userId });
}

function takeRequest(town: Town, chat: ChatRecord, personId: number) {
  const request = chat.requests.get(personId);
  if (request === undefined) return null;
  chat.requests.delete(personId);
  chat.handledRequests.add(personId);
  // The window to write closes once the request is handled.
  for (const bot of botsWithRight(town, chat, "invite_users")) bot.joinWindows.delete(personId);
  town.changed();
  return request;
}
