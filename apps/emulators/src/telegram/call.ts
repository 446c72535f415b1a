import { textOf } from "@sesame/kernel";
import type { AdminRight } from "../wire.ts";
import {
  ApiError,
  badRequest,
  forbidden,
  type Bot,
  type ChatRecord,
  type Dialog,
  dialogKey,
  type Telegram,
} from "./state.ts";
import { hasRight, isBanned, isInside, memberOf } from "./members.ts";
import type { Place } from "./messages.ts";
import type { Polling } from "./updates.ts";

/** One call of a bot, as it came: by query, form or JSON. */
export type Call = {
  emulated: Telegram;
  bot: Bot;
  raw: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  polling: Polling;
};

/** Reads one parameter of a call, or refuses it in Telegram's words. */
export type Reader<T> = (call: Call, name: string) => T;

type Readers = Record<string, Reader<unknown>>;
export type Taken<R extends Readers> = {
  [K in keyof R]: R[K] extends Reader<infer T> ? T : never;
};

/** A method with these parameters, read in their order: the first wrong one is refused. */
export function takes<R extends Readers, Answer>(
  readers: R,
  run: (call: Call & { params: Taken<R> }) => Answer,
): (call: Call) => Answer {
  return (call) => {
    const read = Object.entries(readers).map(([name, reader]) => [name, reader(call, name)]);
    return run({ ...call, params: Object.fromEntries(read) as Taken<R> });
  };
}

/** However it came, the Bot API reads a parameter as text: a number may be a string. */
export const text: Reader<string> = ({ raw }, name) => {
  const value = raw[name] ?? "";
  return typeof value === "object" ? JSON.stringify(value) : textOf(value);
};

/** No longer than so many characters. */
export const textUpTo =
  (most: number, otherwise: string): Reader<string> =>
  (call, name) => {
    const value = text(call, name);
    if (value.length > most) throw badRequest(otherwise);
    return value;
  };

/** Digits at the start count, as in the server's own `to_integer`; anything else is 0. */
export const integer: Reader<number> = (call, name) =>
  Number(/^-?\d+/.exec(text(call, name).trim())?.[0] ?? 0);

/** A number that may be left out. */
export const integerOr =
  <T>(absent: T): Reader<number | T> =>
  (call, name) =>
    call.raw[name] === undefined || call.raw[name] === null ? absent : integer(call, name);

export const boolean: Reader<boolean> = (call, name) =>
  ["true", "yes", "1"].includes(text(call, name).trim().toLowerCase());

/** JSON, or a text that holds it. */
export const json: Reader<unknown> = ({ raw }, name) => {
  const value = raw[name];
  if (typeof value !== "string") return value ?? undefined;
  if (value.trim() === "") return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw badRequest(`can't parse ${name.replaceAll("_", " ")} JSON object`);
  }
};

export const userId: Reader<number> = (call, name) => {
  const id = integer(call, name);
  if (id <= 0) throw badRequest("invalid user_id specified");
  return id;
};

/** Reading is open to members, and to all in a public chat; writing to members only. */
type Need = "read" | "write";

/** The chat a call names, or the refusal Telegram gives for it. */
export const placeTo =
  (need: Need): Reader<Place> =>
  (call, name) => {
    const { emulated, bot } = call;
    const named = text(call, name);
    if (named === "") throw badRequest("chat_id is empty");
    const id = /^-?\d+$/.test(named) ? Number(named) : 0;
    if (id > 0) return privatePlace(call, id);
    const chat = named.startsWith("@")
      ? publicChat(emulated, named.slice(1))
      : emulated.state.chats.get(id);
    const known = chat && (bot.met.has(chat.id) || chat.members.has(bot.id));
    if (!chat || (!known && chat.username === null)) throw badRequest("chat not found");
    checkStanding(call, chat, need);
    return { chat };
  };

/** The same, where a private chat makes no sense. */
export const chatTo =
  (need: Need, inPrivate: string): Reader<ChatRecord> =>
  (call, name) => {
    const place = placeTo(need)(call, name);
    if (place.chat === undefined) throw badRequest(inPrivate);
    return place.chat;
  };

/** The chat a call names, where the bot must have a right. */
export const chatWhere =
  (right: AdminRight, or: { inPrivate: string; without: string }): Reader<ChatRecord> =>
  (call, name) => {
    const chat = chatTo("write", or.inPrivate)(call, name);
    requireRight(chat, call.bot, { right, otherwise: or.without });
    return chat;
  };

/** A place where the bot may write now. */
export const writable: Reader<Place> = (call, name) => {
  const place = placeTo("write")(call, name);
  if (place.dialog) checkMayWrite(call, place.dialog);
  else if (
    place.chat.kind === "channel" &&
    !hasRight(place.chat.members.get(call.bot.id), "post_messages")
  ) {
    throw badRequest("need administrator rights in the channel chat");
  }
  return place;
};

export function publicChat(emulated: Telegram, username: string): ChatRecord | undefined {
  const name = username.toLowerCase();
  return [...emulated.state.chats.values()].find((chat) => chat.username?.toLowerCase() === name);
}

function privatePlace({ emulated, bot }: Call, id: number): Place {
  const met = bot.met.has(id) || emulated.state.dialogs.has(dialogKey(id, bot.id));
  if (emulated.botById(id) !== undefined) throw forbidden("the bot can't send messages to the bot");
  if (!emulated.state.persons.has(id) || !met) throw badRequest("chat not found");
  return { dialog: emulated.dialogOf(id, bot) };
}

function checkStanding({ emulated, bot }: Call, chat: ChatRecord, need: Need): void {
  if (chat.migratedTo !== null && need === "write") {
    throw new ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: chat.migratedTo,
    });
  }
  const member = memberOf(chat, bot.id);
  if (isBanned(member, emulated.unixNow()))
    throw forbidden(`bot was kicked from the ${chat.kind} chat`);
  const open = chat.username !== null && need === "read";
  if (!isInside(member) && !open && chat.migratedTo === null) {
    throw forbidden(`bot is not a member of the ${chat.kind} chat`);
  }
}

export function requireRight(
  chat: ChatRecord,
  bot: Bot,
  wanted: { right: AdminRight; otherwise: string },
): void {
  if (!hasRight(chat.members.get(bot.id), wanted.right)) throw badRequest(wanted.otherwise);
}

/** Whether a bot may write to that person now. */
function checkMayWrite({ emulated, bot }: Call, dialog: Dialog): void {
  if (dialog.blocked) throw forbidden("bot was blocked by the user");
  const asked = (bot.joinWindows.get(dialog.personId) ?? 0) > emulated.clock.now().getTime();
  if (!dialog.started && !dialog.writeAccess && !asked) {
    throw forbidden("bot can't initiate conversation with a user");
  }
}

/** The answer of a method that only changes something. */
export function changed(emulated: Telegram): true {
  emulated.changed();
  return true;
}
