import type { ChatView, MessageView, PersonView, WorldState } from "../../wire.ts";
import { moneyCopy } from "../mobile-money/copy.fr.ts";
import { phoneCopy } from "./copy.fr.ts";
import { serviceText, shownText } from "./parts/messages.tsx";
import type { Screen } from "./phone-state.ts";

export type ChatRow = {
  key: string;
  name: string;
  avatarId: number;
  /** Null: the operators' app beside Telegram. */
  screen: Screen | null;
  preview: string;
  at: string | null;
  /** What can be unread: the ids of others' messages, in order. */
  incoming: number[];
};

export const fullName = (person: Pick<PersonView, "firstName" | "lastName">): string =>
  person.lastName === null ? person.firstName : `${person.firstName} ${person.lastName}`;

/** "Is in the chat", as Telegram counts it (reference telegram.md §3.4). */
export function isInside(chat: ChatView, userId: number): boolean {
  const status = chat.members.find((member) => member.userId === userId)?.status;
  return status !== undefined && status !== "left" && status !== "kicked";
}

export function canManage(chat: ChatView, userId: number): boolean {
  const status = chat.members.find((member) => member.userId === userId)?.status;
  return status === "creator" || status === "administrator";
}

function preview(message: MessageView | undefined, none: string): string {
  if (message === undefined) return none;
  if (message.service !== null) return serviceText(message.service);
  const text = shownText(message).replaceAll("\n", " ");
  return text === "" && message.photoUrl !== null ? phoneCopy.list.photo : text;
}

const incomingOf = (messages: MessageView[], personId: number): number[] =>
  messages.filter((m) => m.from.id !== personId && m.service === null).map((m) => m.messageId);

function botRows(state: WorldState, personId: number): ChatRow[] {
  return state.bots.map((bot) => {
    const dialog = state.dialogs.find((d) => d.personId === personId && d.bot === bot.role);
    const messages = dialog?.messages ?? [];
    return {
      key: `bot:${bot.role}`,
      name: bot.name,
      avatarId: bot.id,
      screen: { at: "dialog", bot: bot.role, startPayload: null },
      preview: preview(messages.at(-1), bot.shortDescription || phoneCopy.list.start),
      at: messages.at(-1)?.sentAt ?? null,
      incoming: incomingOf(messages, personId),
    };
  });
}

function chatRows(state: WorldState, personId: number): ChatRow[] {
  return state.chats
    .filter((chat) => chat.migratedTo === null && isInside(chat, personId))
    .map((chat) => ({
      key: `chat:${chat.id}`,
      name: chat.title,
      avatarId: chat.id,
      screen: { at: "chat", chatId: chat.id },
      preview: preview(chat.messages.at(-1), phoneCopy.list.noMessage),
      at: chat.messages.at(-1)?.sentAt ?? null,
      incoming: incomingOf(chat.messages, personId),
    }));
}

export function talkBetween(state: WorldState, one: number, other: number): MessageView[] {
  const both = (ids: number[]) => ids.includes(one) && ids.includes(other);
  return state.talks.find((talk) => both(talk.personIds))?.messages ?? [];
}

function talkRows(state: WorldState, me: number): ChatRow[] {
  return state.persons.flatMap((person): ChatRow[] => {
    if (person.id === me) return [];
    const messages = talkBetween(state, me, person.id);
    const last = messages.at(-1);
    if (last === undefined) return [];
    const author = last.from.id === me ? phoneCopy.list.you : "";
    return [
      {
        key: `person:${person.id}`,
        name: fullName(person),
        avatarId: person.id,
        screen: { at: "person", personId: person.id },
        preview: author + preview(last, ""),
        at: last.sentAt,
        incoming: incomingOf(messages, me),
      },
    ];
  });
}

/** Newest first; bots never spoken to stay below, so that a new person finds them. */
export function listRows(state: WorldState, me: number): ChatRow[] {
  const rows = [...botRows(state, me), ...chatRows(state, me), ...talkRows(state, me)];
  return rows.sort((a, b) => (b.at ?? "").localeCompare(a.at ?? ""));
}

/** What the operators wrote to this phone, as one more conversation. */
export function moneyRow({ sms, networks }: WorldState, personId: number): ChatRow {
  const received = sms.filter((one) => one.personId === personId && one.kind === "received");
  const last = received.at(-1);
  return {
    key: MONEY_KEY,
    name: networks.find(({ id }) => id === last?.network)?.name ?? "",
    avatarId: 0,
    screen: null,
    preview: last === undefined ? "" : moneyCopy.preview(last),
    at: last?.sentAt ?? null,
    incoming: received.map(({ id }) => id),
  };
}

export const MONEY_KEY = "money";

export function screenKey(screen: Screen | undefined): string | null {
  switch (screen?.at) {
    case "dialog":
      return `bot:${screen.bot}`;
    case "chat":
      return `chat:${screen.chatId}`;
    case "person":
      return `person:${screen.personId}`;
    default:
      return null;
  }
}
