import type { Random, Clock } from "@sesame/kernel";
import type { Scheduler } from "../scheduler.ts";
import { NotPossible } from "./api-error.ts";
import type { Chat, User } from "./bot-api.ts";
import type { Stars } from "./stars.ts";
import type { Bot, ChatRecord, Dialog, Person, TelegramState } from "./state.ts";
import type { UpdateStream } from "./updates.ts";
import type { BotRole, EmulatorEvent } from "../wire.ts";

/** Telegram's state, and what each part of it needs. */
export type EmulatedTelegram = {
  readonly state: TelegramState;
  readonly clock: Clock;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly updates: UpdateStream;
  readonly stars: Stars;
  readonly settings: EmulatedTelegramSettings;
  /** Something a page shows has changed. */
  changed(): void;
  /** An event without state: a toast. */
  show(event: EmulatorEvent): void;
};

export type EmulatedTelegramSettings = {
  readonly appUrl: string;
  readonly publicUrl: string;
  /** Short name of the direct-link mini app, if any. */
  readonly buyerAppName: string | null;
  /**
   * Lets webhooks and buttons point to http and to this machine, which Telegram refuses: a demo has
   * no public https address.
   */
  readonly allowLocalAddresses: boolean;
};

export function unixNow(emulated: Pick<EmulatedTelegram, "clock">): number {
  return Math.floor(emulated.clock.now().getTime() / 1000);
}

export function botOfRole(emulated: EmulatedTelegram, role: BotRole): Bot {
  const bot = emulated.state.bots.find((each) => each.roles.includes(role));
  if (bot === undefined) throw new NotPossible(`no ${role} bot`);
  return bot;
}

export function botById(emulated: EmulatedTelegram, id: number): Bot | undefined {
  return emulated.state.bots.find((bot) => bot.id === id);
}

export function personById(emulated: EmulatedTelegram, id: number): Person {
  const person = emulated.state.persons.get(id);
  if (person === undefined) throw new NotPossible(`no person ${id}`);
  return person;
}

export function chatById(emulated: EmulatedTelegram, id: number): ChatRecord {
  const chat = emulated.state.chats.get(id);
  if (chat === undefined) throw new NotPossible(`no chat ${id}`);
  return chat;
}

export function personAsUser(person: Person): User {
  return {
    id: person.id,
    is_bot: false,
    first_name: person.firstName,
    ...(person.lastName === null ? {} : { last_name: person.lastName }),
    ...(person.username === null ? {} : { username: person.username }),
    language_code: person.languageCode,
  };
}

export function botAsUser(bot: Bot): User {
  return { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username };
}

export function userById(emulated: EmulatedTelegram, id: number): User {
  const bot = botById(emulated, id);
  return bot === undefined ? personAsUser(personById(emulated, id)) : botAsUser(bot);
}

export function userName(user: User): string {
  return user.last_name === undefined ? user.first_name : `${user.first_name} ${user.last_name}`;
}

export function privateChat(person: Person): Chat.PrivateChat {
  return {
    id: person.id,
    type: "private",
    first_name: person.firstName,
    ...(person.lastName !== null && { last_name: person.lastName }),
    ...(person.username !== null && { username: person.username }),
  };
}

export function asChat(chat: ChatRecord): Chat.GroupChat | Chat.SupergroupChat | Chat.ChannelChat {
  const { id, title, username } = chat;
  if (chat.kind === "group") return { id, type: "group", title };
  return { id, type: chat.kind, title, ...(username !== null && { username }) };
}

export function dialogKey(personId: number, botId: number): string {
  return `${personId}:${botId}`;
}

export function talkKey(first: number, second: number): string {
  return first < second ? `${first}:${second}` : `${second}:${first}`;
}

/** The private chat of a person with a bot; made when first needed. */
export function dialogOf(emulated: EmulatedTelegram, personId: number, bot: Bot): Dialog {
  const key = dialogKey(personId, bot.id);
  const known = emulated.state.dialogs.get(key);
  if (known !== undefined) return known;
  const dialog: Dialog = {
    personId,
    botId: bot.id,
    started: false,
    blocked: false,
    writeAccess: false,
    messages: [],
  };
  emulated.state.dialogs.set(key, dialog);
  return dialog;
}
