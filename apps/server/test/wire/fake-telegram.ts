import type { ServerResponse } from "node:http";
import { type FakeServer, listenFake, readBody, sendFake } from "./fake-http.ts";

export type FakeArgs = Readonly<Record<string, unknown>>;
export type FakeCall = { readonly token: string; readonly method: string; readonly args: FakeArgs };

/** In what a stranger's emulator may differ from Telegram, and from our emulators. */
export type TelegramHabits = {
  /** Without it `getUpdates` answers at once, whatever timeout is asked. */
  readonly longPoll: boolean;
  /** Without it everything not older than the offset comes again at each call. */
  readonly forgetsConfirmed: boolean;
  /** Methods nobody wrote: answered 404 in these words, or in no words at all. */
  readonly unknown: ReadonlySet<string>;
  readonly unknownBody: unknown;
  /** Optional fields are left out of updates and answers. */
  readonly terse: boolean;
  /** `getChatMember` knows the bot alone. */
  readonly knowsMembers: boolean;
};

export const TELEGRAM_LIKE: TelegramHabits = {
  longPoll: true,
  forgetsConfirmed: true,
  unknown: new Set(),
  unknownBody: { ok: false, error_code: 404, description: "Not Found: method not found" },
  terse: false,
  knowsMembers: true,
};

type Group = {
  readonly ownerId: number;
  readonly members: Set<number>;
  readonly bots: Set<string>;
};
type Waiting = {
  readonly token: string;
  readonly offset: number;
  readonly response: ServerResponse;
};

export type FakeTelegram = {
  readonly root: string;
  readonly calls: FakeCall[];
  /** What is answered in place of everything, while it is set. */
  trouble: { status: number; body: unknown } | null;
  /** Calls but for updates are answered once it is false again. */
  silent: boolean;
  push(token: string, update: Record<string, unknown>): void;
  addGroup(chatId: number, group: { ownerId: number; token: string }): void;
  isInside(chatId: number, userId: number): boolean;
  enter(chatId: number, userId: number): void;
  called(method: string): FakeCall[];
  /** The most `getUpdates` of one token that ever waited at once: Telegram refuses a second. */
  pollsAtOnce(): number;
  close(): Promise<void>;
};

/** A Bot API of few words, for checks by somebody else's emulator (WIRE §3). */
export async function startFakeTelegram(habits: TelegramHabits): Promise<FakeTelegram> {
  const queues = new Map<string, Record<string, unknown>[]>();
  const groups = new Map<number, Group>();
  const calls: FakeCall[] = [];
  let waiting: Waiting[] = [];
  let pollsAtOnce = 0;
  let nextUpdate = 7_000_000;
  const state = { trouble: null as FakeTelegram["trouble"], silent: false };
  const unanswered: (() => void)[] = [];

  const updatesOf = (token: string, offset: number) => {
    const queue = queues.get(token) ?? [];
    const left = queue.filter((update) => Number(update["update_id"]) >= offset);
    if (habits.forgetsConfirmed && offset > 0) queues.set(token, left);
    return left.slice(0, 100);
  };
  const wake = () => {
    const held = waiting;
    waiting = [];
    for (const one of held) answerUpdates(one, true);
  };
  const answerUpdates = (one: Waiting, mayWait: boolean) => {
    const result = updatesOf(one.token, one.offset);
    if (result.length === 0 && mayWait) return void waiting.push(one);
    sendFake(one.response, { status: 200, body: { ok: true, result } });
  };

  const server: FakeServer = await listenFake(async (request, response) => {
    const [, token = "", method = ""] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? "") ?? [];
    const text = await readBody(request);
    const args = (text === "" ? {} : JSON.parse(text)) as FakeArgs;
    calls.push({ token: decodeURIComponent(token), method, args });
    if (state.silent && method !== "getUpdates") {
      await new Promise<void>((resolve) => unanswered.push(resolve));
    }
    if (state.trouble) return sendFake(response, state.trouble);
    if (habits.unknown.has(method)) {
      return sendFake(response, { status: 404, body: habits.unknownBody });
    }
    if (method === "getUpdates") {
      const one = {
        token: decodeURIComponent(token),
        offset: Number(args["offset"] ?? 0),
        response,
      };
      answerUpdates(one, habits.longPoll && Number(args["timeout"] ?? 0) > 0);
      const held = waiting.filter(
        ({ token: its, response: at }) => its === one.token && !at.closed,
      );
      pollsAtOnce = Math.max(pollsAtOnce, held.length);
      return;
    }
    const answer = answerMethod({ groups, habits, token: decodeURIComponent(token) }, method, args);
    sendFake(response, answer);
  });
  return {
    root: server.root,
    calls,
    get trouble() {
      return state.trouble;
    },
    set trouble(trouble) {
      state.trouble = trouble;
    },
    get silent() {
      return state.silent;
    },
    set silent(silent) {
      state.silent = silent;
      if (!silent) for (const answer of unanswered.splice(0)) answer();
    },
    push(token, update) {
      nextUpdate += 1;
      queues.set(token, [...(queues.get(token) ?? []), { update_id: nextUpdate, ...update }]);
      wake();
    },
    addGroup(chatId, { ownerId, token }) {
      groups.set(chatId, { ownerId, members: new Set([ownerId]), bots: new Set([token]) });
    },
    isInside: (chatId, userId) => groups.get(chatId)?.members.has(userId) ?? false,
    enter: (chatId, userId) => void groups.get(chatId)?.members.add(userId),
    called: (method) => calls.filter((call) => call.method === method),
    pollsAtOnce: () => pollsAtOnce,
    close: server.close,
  };
}

type Place = {
  readonly groups: Map<number, Group>;
  readonly habits: TelegramHabits;
  readonly token: string;
};

export function botIdOf(token: string): number {
  return Number(token.split(":")[0]);
}

const fine = (result: unknown) => ({ status: 200, body: { ok: true, result } });
const refuse = (description: string) => ({
  status: 400,
  body: { ok: false, error_code: 400, description: `Bad Request: ${description}` },
});

function answerMethod(place: Place, method: string, args: FakeArgs) {
  const bot = { id: botIdOf(place.token), is_bot: true, first_name: "Bot" };
  if (method === "getMe") return fine({ ...bot, username: `bot_${bot.id}` });
  if (method === "sendMessage") return fine(messageOf(args));
  const chatId = Number(args["chat_id"]);
  const group = place.groups.get(chatId);
  if (!group) return QUIET.has(method) ? fine(true) : refuse("chat not found");
  const userId = Number(args["user_id"]);
  switch (method) {
    case "getChat":
      return fine({ id: chatId, type: "supergroup", title: "Club des strangers" });
    case "getChatMemberCount":
      return fine(group.members.size + 1);
    case "getChatAdministrators":
      return fine([{ status: "creator", user: personOf(group.ownerId) }]);
    case "getChatMember":
      return memberOf(place, group, userId);
    case "createChatInviteLink":
      return fine(linkOf(place, args, bot));
    case "approveChatJoinRequest":
      group.members.add(userId);
      return fine(true);
    case "banChatMember":
      group.members.delete(userId);
      return fine(true);
    default:
      return QUIET.has(method) ? fine(true) : refuse("method is not written");
  }
}

/** Answered `true`, and nothing more. */
const QUIET = new Set([
  "deleteWebhook",
  "setWebhook",
  "setMyCommands",
  "setChatMenuButton",
  "setMyDescription",
  "setMyShortDescription",
  "answerCallbackQuery",
  "declineChatJoinRequest",
  "unbanChatMember",
  "revokeChatInviteLink",
]);

function messageOf(args: FakeArgs) {
  const chat = { id: Number(args["chat_id"]), type: "private", first_name: "Awa" };
  return { message_id: 1, date: 1, chat, text: args["text"] };
}

export function personOf(id: number) {
  return { id, is_bot: false, first_name: `P${id}` };
}

function memberOf({ habits, token }: Place, group: Group, userId: number) {
  if (userId === botIdOf(token)) return fine(botMember(token, habits.terse));
  if (!habits.knowsMembers && userId !== group.ownerId) return refuse("user not found");
  const status =
    userId === group.ownerId ? "creator" : group.members.has(userId) ? "member" : "left";
  return fine({ status, user: personOf(userId) });
}

/** `terse`: what Telegram always says may be missing from a stranger's emulator when it is false. */
export function botMember(token: string, terse: boolean) {
  const user = { id: botIdOf(token), is_bot: true, first_name: "Bot" };
  const rights = { can_restrict_members: true, can_invite_users: true };
  if (terse) return { status: "administrator", user, ...rights };
  return { status: "administrator", user, ...rights, can_manage_chat: true, can_be_edited: false };
}

let links = 0;

function linkOf({ habits }: Place, args: FakeArgs, creator: object) {
  links += 1;
  const invite_link = `https://t.me/+fake${links}`;
  if (habits.terse) return { invite_link };
  const creates_join_request = args["creates_join_request"] === true;
  return { invite_link, creator, creates_join_request, is_primary: false, is_revoked: false };
}
