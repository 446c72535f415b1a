import type { ChatView, Message, PersonView, EmulatorState } from "../../wire.ts";
import { moneyCopy } from "../mobile-money/messages.fr.ts";
import { phoneCopy } from "./messages.fr.ts";
import { shownText } from "./parts/messages.tsx";
import type { Screen } from "./phone-state.ts";

export type ChatRow = {
  key: string;
  name: string;
  avatarId: number;
  /** Null: the operators' app beside Telegram. */
  screen: Screen | null;
  preview: string;
  /** In milliseconds. */
  at: number | null;
  /** What can be unread: the ids of others' messages, in order. */
  incoming: number[];
};

export const fullName = (person: Pick<PersonView, "firstName" | "lastName">): string =>
  person.lastName === null ? person.firstName : `${person.firstName} ${person.lastName}`;

/** "Is in the chat", as Telegram counts it. */
export function isInside(chat: ChatView, userId: number): boolean {
  const status = chat.members.find((member) => member.userId === userId)?.status;
  return status !== undefined && status !== "left" && status !== "kicked";
}

export function canManage(chat: ChatView, userId: number): boolean {
  const status = chat.members.find((member) => member.userId === userId)?.status;
  return status === "creator" || status === "administrator";
}

function preview(message: Message | undefined, none: string): string {
  if (message === undefined) return none;
  return phoneCopy.service(message) ?? shownText(message).replaceAll("\n", " ");
}

export function talkBetween(state: EmulatorState, one: number, other: number): Message[] {
  const both = (ids: number[]) => ids.includes(one) && ids.includes(other);
  return state.talks.find((talk) => both(talk.personIds))?.messages ?? [];
}

/** Newest first; bots never spoken to stay below, so that a new person finds them. */
export function listRows(state: EmulatorState, me: number): ChatRow[] {
  type Known = Pick<ChatRow, "name" | "avatarId"> & { messages: Message[]; none: string };
  const row = (screen: Screen, { name, avatarId, messages, none }: Known): ChatRow => ({
    key: screenKey(screen) ?? "",
    name,
    avatarId,
    screen,
    preview: preview(messages.at(-1), none),
    at: messages.length === 0 ? null : (messages.at(-1)?.date ?? 0) * 1_000,
    incoming: messages
      .filter((one) => one.from?.id !== me && one.text !== undefined)
      .map((one) => one.message_id),
  });
  const bots = state.bots.map(({ role, id, name, shortDescription }) => {
    const dialog = state.dialogs.find((one) => one.personId === me && one.bot === role);
    const none = shortDescription || phoneCopy.list.start;
    const screen = { at: "dialog", bot: role, startPayload: null } as const;
    return row(screen, { name, avatarId: id, messages: dialog?.messages ?? [], none });
  });
  const chats = state.chats
    .filter((chat) => chat.migratedTo === null && isInside(chat, me))
    .map(({ id, title, messages }) => {
      const none = phoneCopy.list.noMessage;
      return row({ at: "chat", chatId: id }, { name: title, avatarId: id, messages, none });
    });
  const talks = state.persons
    .filter(({ id }) => id !== me && talkBetween(state, me, id).length > 0)
    .map((one) => {
      const messages = talkBetween(state, me, one.id);
      const known = { name: fullName(one), avatarId: one.id, messages, none: "" };
      return row({ at: "person", personId: one.id }, known);
    });
  return [...bots, ...chats, ...talks].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

/** What the operators wrote to this phone, as one more conversation. */
export function moneyRow({ sms, networks }: EmulatorState, personId: number): ChatRow {
  const received = sms.filter((one) => one.personId === personId && one.kind === "received");
  const last = received.at(-1);
  return {
    key: MONEY_KEY,
    name: networks.find(({ id }) => id === last?.network)?.name ?? "",
    avatarId: 0,
    screen: null,
    preview: last === undefined ? "" : moneyCopy.preview(last),
    at: last === undefined ? null : Date.parse(last.sentAt),
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
