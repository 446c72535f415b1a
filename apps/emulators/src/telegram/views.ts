import type { DialogView, PersonView } from "../wire.ts";
import { ALL_RIGHTS } from "../wire.ts";
import type { Message } from "grammy/types";
import { isBanned, isInside, membersInside } from "./members.ts";
import { type ChatRecord, type Dialog, type Person, type Telegram, userName } from "./state.ts";

export function personView(emulated: Telegram, person: Person): PersonView {
  return { ...person, stars: emulated.stars.wallet(person.id) };
}

export function botViews(emulated: Telegram) {
  return emulated.state.bots.flatMap((bot) => {
    const { id, username, name, description, shortDescription, menuButton, commands } = bot;
    const button =
      menuButton.type === "web_app"
        ? { type: menuButton.type, text: menuButton.text, url: menuButton.web_app.url }
        : { type: menuButton.type };
    const shown = { id, username, name, description, shortDescription, commands };
    return bot.roles.map((role) => ({ role, ...shown, menuButton: button }));
  });
}

export function chatView(emulated: Telegram, chat: ChatRecord) {
  const { id, kind, title, username, migratedTo } = chat;
  const now = emulated.unixNow();
  const nameOf = (userId: number) => userName(emulated.userById(userId));
  return {
    id,
    kind,
    title,
    username,
    migratedTo,
    memberCount: membersInside(chat).length,
    /** Those inside, and those banned. */
    members: [...chat.members.values()]
      .filter((member) => isInside(member) || isBanned(member, now))
      .map(({ userId, status, rights }) => ({
        userId,
        name: nameOf(userId),
        isBot: emulated.botById(userId) !== undefined,
        status,
        rights: status === "creator" ? [...ALL_RIGHTS] : rights,
      })),
    inviteLinks: chat.links.map(({ link, createsJoinRequest, isRevoked }) => {
      return { link, createsJoinRequest, isRevoked };
    }),
    joinRequests: [...chat.requests.keys()].map((userId) => ({ userId, name: nameOf(userId) })),
    messages: asSeen(chat.messages),
  };
}

export function dialogViews(emulated: Telegram, dialog: Dialog): DialogView[] {
  const { botId, ...shown } = dialog;
  const messages = asSeen(dialog.messages);
  const roles = emulated.botById(botId)?.roles ?? [];
  return roles.map((bot) => ({ ...shown, bot, messages }));
}

export function talkView(key: string, messages: Message[]) {
  const [first = 0, second = 0] = key.split(":").map(Number);
  return { personIds: [first, second], messages: asSeen(messages) };
}

/** As they are now: a later edit does not change them. */
const asSeen = (messages: Message[]): Message[] => messages.map((message) => ({ ...message }));
