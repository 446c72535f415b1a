import { textOf } from "@sesame/kernel";
import { ApiError, badRequest, forbidden } from "./api-error.ts";
import { hasRight, isBanned, isInside, memberOf } from "./members.ts";
import type { Bot, ChatRecord, Dialog, Person } from "./state.ts";
import { type Town, botById, dialogKey, dialogOf, unixNow } from "./town.ts";
import type { AdminRight } from "../wire.ts";

/** A file that came with a multipart request. */
export type Upload = { bytes: Buffer; type: string; filename: string };

/**
 * The parameters of one call. However they came (query, form, multipart, JSON), the Bot API reads
 * each as text: a number may be a string, an object may be JSON inside a string.
 */
export class Arguments {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly uploads: ReadonlyMap<string, Upload>;

  readonly encoding: "json" | "form";

  constructor(
    raw: Record<string, unknown>,
    came: { encoding: "json" | "form"; uploads: ReadonlyMap<string, Upload> },
  ) {
    this.raw = raw;
    this.encoding = came.encoding;
    this.uploads = came.uploads;
  }

  has(name: string): boolean {
    return this.raw[name] !== undefined && this.raw[name] !== null;
  }

  text(name: string): string {
    const value = this.raw[name];
    if (value === undefined || value === null) return "";
    return typeof value === "object" ? JSON.stringify(value) : textOf(value);
  }

  /** Digits at the start count, as in the server's own `to_integer`; anything else is 0. */
  integer(name: string): number {
    const match = /^-?\d+/.exec(this.text(name).trim());
    return match === null ? 0 : Number(match[0]);
  }

  boolean(name: string): boolean {
    const value = this.text(name).trim().toLowerCase();
    return value === "true" || value === "yes" || value === "1";
  }

  json(name: string): unknown {
    const value = this.raw[name];
    if (typeof value !== "string") return value ?? undefined;
    if (value.trim() === "") return undefined;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      throw badRequest(`can't parse ${name.replaceAll("_", " ")} JSON object`);
    }
  }
}

export type Call = { bot: Bot; args: Arguments; signal: AbortSignal };

export type Target =
  | { is: "private"; person: Person; dialog: Dialog }
  | { is: "chat"; chat: ChatRecord };

/** Reading is open to members, and to all in a public chat; writing to members only. */
type Need = "read" | "write";

/** The chat a call names, or the refusal Telegram gives for it (telegram.md §3.6). */
export function resolveTarget(town: Town, call: Call, need: Need): Target {
  const text = call.args.text("chat_id");
  if (text === "") throw badRequest("chat_id is empty");
  if (text.startsWith("@")) {
    const chat = publicChat(town, text.slice(1));
    if (chat === undefined) throw badRequest("chat not found");
    return { is: "chat", chat: checkStanding(town, call.bot, { chat, need }) };
  }
  const id = /^-?\d+$/.test(text) ? Number(text) : 0;
  if (id > 0) return privateTarget(town, call.bot, id);
  const chat = town.state.chats.get(id);
  const known = chat !== undefined && (call.bot.met.has(id) || chat.members.has(call.bot.id));
  if (chat === undefined || (!known && chat.username === null)) throw badRequest("chat not found");
  return { is: "chat", chat: checkStanding(town, call.bot, { chat, need }) };
}

/** The same, where a private chat makes no sense. */
export function resolveChat(
  town: Town,
  call: Call,
  wanted: { need: Need; inPrivate: string },
): ChatRecord {
  const target = resolveTarget(town, call, wanted.need);
  if (target.is === "private") throw badRequest(wanted.inPrivate);
  return target.chat;
}

export function publicChat(town: Town, username: string): ChatRecord | undefined {
  const name = username.toLowerCase();
  return [...town.state.chats.values()].find(
    (chat) => chat.username?.toLowerCase() === name && !chat.deleted,
  );
}

function privateTarget(town: Town, bot: Bot, id: number): Target {
  const person = town.state.persons.get(id);
  const met = bot.met.has(id) || town.state.dialogs.has(dialogKey(id, bot.id));
  if (botById(town, id) !== undefined) throw forbidden("the bot can't send messages to the bot");
  if (person === undefined || !met) throw badRequest("chat not found");
  return { is: "private", person, dialog: dialogOf(town, id, bot) };
}

function checkStanding(
  town: Town,
  bot: Bot,
  { chat, need }: { chat: ChatRecord; need: Need },
): ChatRecord {
  const kindName = chat.kind;
  if (chat.migratedTo !== null && need === "write") {
    throw new ApiError(400, "Bad Request: group chat was upgraded to a supergroup chat", {
      migrate_to_chat_id: chat.migratedTo,
    });
  }
  if (chat.deleted) {
    throw chat.kind === "group"
      ? forbidden("the group chat was deleted")
      : badRequest("chat not found");
  }
  const member = memberOf(chat, bot.id);
  if (isBanned(member, unixNow(town))) throw forbidden(`bot was kicked from the ${kindName} chat`);
  const open = chat.username !== null && need === "read";
  if (!isInside(member) && !open && chat.migratedTo === null) {
    throw forbidden(`bot is not a member of the ${kindName} chat`);
  }
  return chat;
}

export function requireRight(
  chat: ChatRecord,
  bot: Bot,
  wanted: { right: AdminRight; otherwise: string },
): void {
  if (!hasRight(chat.members.get(bot.id), wanted.right)) throw badRequest(wanted.otherwise);
}

/** Whether a bot may write to that person now. */
export function checkMayWrite(town: Town, bot: Bot, dialog: Dialog): void {
  const person = town.state.persons.get(dialog.personId);
  if (person?.deactivated === true) throw forbidden("user is deactivated");
  if (dialog.blocked) throw forbidden("bot was blocked by the user");
  const windowEndMs = bot.joinWindows.get(dialog.personId) ?? 0;
  const asked = windowEndMs > town.clock.now().getTime();
  if (!dialog.started && !dialog.writeAccess && !asked) {
    throw forbidden("bot can't initiate conversation with a user");
  }
}
