import { rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { setTimeout as pace } from "node:timers/promises";
import type { CreateOrderAnswer, OrderAnswer } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { createTestDatabase } from "../../../../tools/postgres/test-database.ts";
import { askRows } from "../../../../tools/testing/ask-rows.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { listen, readBody } from "../../../../tools/testing/listen.ts";
import { type Env, startServer, untilReady } from "../child-server.ts";
import {
  callHttp,
  type CallOptions,
  freePort,
  hmac,
  sendJson,
  signInitData,
  type SomeBody,
} from "../http.ts";
import { paymentIdOf, publishProduct } from "../sales.ts";

/** As short and as unusual as WIRE §1 allows. */
export const SELLER_TOKEN = "71:a";
export const BUYER_TOKEN = "72:un texte-é_1";
const SECRET_KEY = "a-secret-key-of-the-wire-tests";
export const WEBHOOK_SECRET = "a-webhook-secret-of-the-wire-tests";

type OutsideOptions = {
  readonly telegram?: Partial<TelegramHabits>;
  readonly moneroo?: Partial<MonerooHabits>;
  readonly env?: Env;
  /** The server's clock is the fake's; else the machine's. */
  readonly clock?: boolean;
  /** Instead of the program: one that starts it under other conditions. */
  readonly script?: string;
};

/** What WIRE gives an outside developer: addresses, tokens, and two services of his own. */
export type Outside = Awaited<ReturnType<typeof openOutside>>;

export async function openOutside(options: OutsideOptions = {}) {
  const telegram = await startFakeTelegram(options.telegram);
  const moneroo = await startFakeMoneroo(options.moneroo);
  const clock = await startFakeClock();
  const database = await createTestDatabase();
  const dataDir = ownFolder("wire");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env: Env = {
    PORT: String(port),
    PUBLIC_URL: url,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SELLER_BOT_TOKEN: SELLER_TOKEN,
    BUYER_BOT_TOKEN: BUYER_TOKEN,
    TELEGRAM_API_ROOT: telegram.root,
    MONEROO_SECRET_KEY: SECRET_KEY,
    MONEROO_WEBHOOK_SECRET: WEBHOOK_SECRET,
    MONEROO_API_ROOT: moneroo.root,
    ...(options.clock ? { CLOCK_URL: `${clock.url}/clock` } : {}),
    ...options.env,
  };
  const out = {
    url,
    telegram,
    moneroo,
    clock,
    database,
    /** The environment of the program, to start others beside it. */
    env,
    program: startServer(env, options.script),
    /** Starts the same program again, after the first was stopped. */
    async restart() {
      out.program = startServer(env);
      await untilReady(out.program, url);
    },
    call: <T = SomeBody>(method: string, path: string, call?: CallOptions) =>
      callHttp<T>({ method, url: `${url}${path}` }, call),
    initData(id: number, bot: "seller" | "buyer" = "seller", authDate = clock.now()): string {
      const token = bot === "seller" ? SELLER_TOKEN : (env["BUYER_BOT_TOKEN"] ?? BUYER_TOKEN);
      return signInitData({ id, first_name: `P${id}` }, { token, authDate });
    },
    async close() {
      await out.program.stop();
      await Promise.all([telegram.close(), moneroo.close(), clock.close()]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      const secrets = [SELLER_TOKEN, encodeURIComponent(BUYER_TOKEN), BUYER_TOKEN, SECRET_KEY];
      for (const secret of [...secrets, WEBHOOK_SECRET]) {
        assert(!out.program.output().includes(secret), "no secret is ever printed");
      }
    },
  };
  await untilReady(out.program, url);
  return out;
}

export type Somebody = { readonly token: string; readonly id: string; readonly telegramId: number };

export async function signIn(out: Outside, telegramId: number, space: "vendeur" | "acheteur") {
  const bot = space === "vendeur" ? "seller" : "buyer";
  const headers = { "x-telegram-init-data": out.initData(telegramId, bot) };
  const path = `/api/auth/${space}`;
  const answer = await out.call<{ token: string; user: { id: string } }>("POST", path, { headers });
  assert(answer.status === 200, `signing in answered ${JSON.stringify(answer.body)}`);
  return { token: answer.body.token, id: answer.body.user.id, telegramId };
}

/** The seller adds the bot to his group, with Telegram's update. */
export async function linkGroup(
  out: Outside,
  seller: Somebody,
  { chatId, terse = false }: { chatId: number; terse?: boolean },
) {
  out.telegram.addGroup(chatId, seller.telegramId);
  const me = botMember(SELLER_TOKEN, terse);
  out.telegram.push(SELLER_TOKEN, {
    my_chat_member: {
      chat: { id: chatId, type: "supergroup", title: TITLE },
      from: personOf(seller.telegramId),
      date: Math.floor(out.clock.now().getTime() / 1_000),
      old_chat_member: { status: "left", user: me.user },
      new_chat_member: me,
    },
  });
  return eventually(async () => {
    const { token } = seller;
    const answer = await out.call<AnswerOf<"GET /api/channels">>("GET", "/api/channels", { token });
    const channel = answer.body.channels.find((each) => each.telegram_group_id === chatId);
    assert(channel?.details.sellable, `the group is linked: ${JSON.stringify(answer.body)}`);
    return channel;
  });
}

/** A seller with a group, and a product of a month in it. */
export async function openShop(
  out: Outside,
  telegramId: number,
  { chatId, terse }: { chatId: number; terse?: boolean },
) {
  const seller = await signIn(out, telegramId, "vendeur");
  const group = await linkGroup(out, seller, { chatId, terse: terse ?? false });
  return { seller, group, product: await publishProduct(out, { seller, group }) };
}

/** The provider receives the money; `webhook` reports it too. */
export async function pay(out: Outside, made: CreateOrderAnswer, webhook = true): Promise<void> {
  const payment = out.moneroo.payments.get(paymentIdOf(made.payment_url));
  assert(payment, "the payment was opened");
  payment.status = "success";
  if (!webhook) return;
  const body = JSON.stringify({ event: "payment.success", data: { id: payment.id } });
  const answer = await sendWebhook(out, body);
  assert(answer.status === 200, `the webhook was answered ${answer.status}`);
}

export function sendWebhook(out: Outside, body: string, signal?: AbortSignal): Promise<Response> {
  const signature = hmac(WEBHOOK_SECRET, body);
  const headers = { "content-type": "application/json", "x-moneroo-signature": signature };
  return fetch(`${out.url}/webhooks/moneroo`, {
    method: "POST",
    headers,
    body,
    signal: signal ?? null,
  });
}

export async function seeOrder(out: Outside, buyer: Somebody, id: string) {
  const answer = await out.call<OrderAnswer>("GET", `/api/orders/${id}`, buyer);
  assert(answer.status === 200, `the order answered ${answer.status}`);
  return answer.body;
}

/** Waits for the link that a paid order opens. */
export function untilLink(out: Outside, buyer: Somebody, id: string): Promise<string> {
  return eventually(async () => {
    const seen = await seeOrder(out, buyer, id);
    assert(seen.access?.invite_link, `no link yet: ${JSON.stringify(seen)}`);
    return seen.access.invite_link;
  });
}

/** A person opens a link: Telegram sends the update. Without `link`, it omits which one. */
export function ask(
  out: Outside,
  who: { chatId: number; telegramId: number },
  link: string | null,
): void {
  const invite = { invite_link: link, creates_join_request: true, is_primary: false };
  out.telegram.push(SELLER_TOKEN, {
    chat_join_request: {
      chat: { id: who.chatId, type: "supergroup", title: TITLE },
      from: personOf(who.telegramId),
      date: Math.floor(out.clock.now().getTime() / 1_000),
      ...(link === null ? {} : { invite_link: invite, user_chat_id: who.telegramId }),
    },
  });
}

type Args = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly body: unknown };

/** How another developer's emulator may differ from Telegram, and from our emulators. */
export type TelegramHabits = Readonly<typeof TELEGRAM_LIKE>;

const TELEGRAM_LIKE = {
  /** Without it `getUpdates` answers at once, whatever timeout is requested. */
  longPoll: true,
  /** Without it everything from the offset on comes again at each call. */
  forgetsConfirmed: true,
  /** Methods that nobody wrote: answered 404 in these words, or without any. */
  unknown: new Set<string>(),
  unknownBody: {
    ok: false,
    error_code: 404,
    description: "Not Found: method not found",
  } as unknown,
  /** Optional fields are omitted from updates and answers. */
  terse: false,
  /** `getChatMember` finds the bot only. */
  knowsMembers: true,
};

type Group = { readonly ownerId: number; readonly members: Set<number> };
type Poll = { readonly token: string; readonly offset: number; readonly response: ServerResponse };

/** A minimal Bot API, written from the reference alone (WIRE §3): it shares nothing with the emulators. */
export async function startFakeTelegram(different: Partial<TelegramHabits> = {}) {
  const habits = { ...TELEGRAM_LIKE, ...different };
  const queues = new Map<string, Record<string, unknown>[]>();
  const groups = new Map<number, Group>();
  const calls: { readonly token: string; readonly method: string; readonly args: Args }[] = [];
  const polls: Poll[] = [];
  let pollsAtOnce = 0;
  let nextUpdate = 7_000_000;
  let unanswered: (() => void)[] | null = null;
  const state = { trouble: null as Answer | null };

  const answerPoll = (poll: Poll, mayWait: boolean) => {
    const { token, offset, response } = poll;
    const left = (queues.get(token) ?? []).filter((each) => Number(each["update_id"]) >= offset);
    if (habits.forgetsConfirmed && offset > 0) queues.set(token, left);
    if (left.length === 0 && mayWait) polls.push(poll);
    else sendJson(response, 200, { ok: true, result: left.slice(0, 100) });
  };
  const server = await listen(async (request, response) => {
    const [, encoded = "", method = ""] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? "") ?? [];
    const token = decodeURIComponent(encoded);
    const text = (await readBody(request)).toString();
    const args = (text === "" ? {} : JSON.parse(text)) as Args;
    calls.push({ token, method, args });
    if (unanswered && method !== "getUpdates") {
      await new Promise<void>((resolve) => unanswered?.push(resolve));
    }
    if (state.trouble) return sendJson(response, state.trouble.status, state.trouble.body);
    if (habits.unknown.has(method)) return sendJson(response, 404, habits.unknownBody);
    if (method === "getUpdates") {
      const poll = { token, offset: Number(args["offset"] ?? 0), response };
      answerPoll(poll, habits.longPoll && Number(args["timeout"] ?? 0) > 0);
      const held = polls.filter((each) => each.token === token && !each.response.closed);
      pollsAtOnce = Math.max(pollsAtOnce, held.length);
      return;
    }
    const group = groups.get(Number(args["chat_id"]));
    const answer = answerMethod({ habits, token, group }, method, args);
    sendJson(response, answer.status, answer.body);
  });
  return Object.assign(state, {
    root: server.url,
    close: server.close,
    calls,
    called: (method: string) => calls.filter((call) => call.method === method),
    /** The most concurrent `getUpdates` of one token: Telegram refuses a second. */
    pollsAtOnce: () => pollsAtOnce,
    /** Calls except for updates are answered once it answers again. */
    fallSilent() {
      unanswered = [];
    },
    speakAgain() {
      for (const answer of unanswered ?? []) answer();
      unanswered = null;
    },
    push(token: string, update: Record<string, unknown>) {
      nextUpdate += 1;
      queues.set(token, [...(queues.get(token) ?? []), { update_id: nextUpdate, ...update }]);
      for (const poll of polls.splice(0)) answerPoll(poll, true);
    },
    addGroup: (chatId: number, ownerId: number) =>
      void groups.set(chatId, { ownerId, members: new Set([ownerId]) }),
    isInside: (chatId: number, userId: number) => groups.get(chatId)?.members.has(userId) ?? false,
  });
}

export const botIdOf = (token: string): number => Number(token.split(":")[0]);

const fine = (result: unknown): Answer => ({ status: 200, body: { ok: true, result } });
const refuse = (description: string): Answer => ({
  status: 400,
  body: { ok: false, error_code: 400, description: `Bad Request: ${description}` },
});

type Asked = { readonly habits: TelegramHabits; readonly token: string; readonly group?: Group };

function answerMethod({ habits, token, group }: Asked, method: string, args: Args): Answer {
  const bot = { id: botIdOf(token), is_bot: true, first_name: "Bot" };
  const chatId = Number(args["chat_id"]);
  if (method === "getMe") return fine({ ...bot, username: `bot_${bot.id}` });
  if (method === "sendMessage") {
    const chat = { id: chatId, type: "private", first_name: "Awa" };
    return fine({ message_id: 1, date: 1, chat, text: args["text"] });
  }
  if (!group) return QUIET.has(method) ? fine(true) : refuse("chat not found");
  const userId = Number(args["user_id"]);
  switch (method) {
    case "getChat":
      return fine({ id: chatId, type: "supergroup", title: TITLE });
    case "getChatMemberCount":
      return fine(group.members.size + 1);
    case "getChatAdministrators":
      return fine([{ status: "creator", user: personOf(group.ownerId) }]);
    case "getChatMember": {
      if (userId === bot.id) return fine(botMember(token, habits.terse));
      const isOwner = userId === group.ownerId;
      if (!habits.knowsMembers && !isOwner) return refuse("user not found");
      const status = isOwner ? "creator" : group.members.has(userId) ? "member" : "left";
      return fine({ status, user: personOf(userId) });
    }
    case "createChatInviteLink": {
      links += 1;
      const invite_link = `https://t.me/+fake${links}`;
      if (habits.terse) return fine({ invite_link });
      const creates_join_request = args["creates_join_request"] === true;
      const flags = { creates_join_request, is_primary: false, is_revoked: false };
      return fine({ invite_link, creator: bot, ...flags });
    }
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

let links = 0;

/** Answered `true`, and nothing more. */
const QUIET = new Set(
  `
  deleteWebhook setWebhook setMyCommands setChatMenuButton setMyDescription setMyShortDescription
  answerCallbackQuery declineChatJoinRequest unbanChatMember revokeChatInviteLink
`
    .trim()
    .split(/\s+/),
);

const TITLE = "Club des strangers";

export const personOf = (id: number) => ({ id, is_bot: false, first_name: `P${id}` });

/** `terse`: fields that Telegram always sends, but another developer's emulator may omit when they are false. */
function botMember(token: string, terse: boolean) {
  const user = { id: botIdOf(token), is_bot: true, first_name: "Bot" };
  const rights = { can_restrict_members: true, can_invite_users: true };
  if (terse) return { status: "administrator", user, ...rights };
  return { status: "administrator", user, ...rights, can_manage_chat: true, can_be_edited: false };
}

type Initialize = { readonly amount: number; readonly metadata: unknown } & Readonly<
  Record<"currency" | "return_url", string> & { customer: Readonly<Record<string, unknown>> }
>;
export type FakePayment = Initialize & { readonly id: string; status: string };

/** How another developer's emulator may differ from ours. */
export type MonerooHabits = Readonly<typeof MONEROO_LIKE>;

const MONEROO_LIKE = {
  createdStatus: 201,
  /** The `data` of an answer to verify. */
  shape: ({ id, status, amount, currency, metadata }: FakePayment): unknown => ({
    id,
    status,
    amount,
    currency: { code: currency, name: "CFA Franc BCEAO" },
    environment: "sandbox",
    metadata,
  }),
};

/** Two calls of Moneroo, from the reference alone. */
export async function startFakeMoneroo(different: Partial<MonerooHabits> = {}) {
  const payments = new Map<string, FakePayment>();
  /** The ids that were looked up. */
  const asked: string[] = [];
  const listeners: (() => void)[] = [];
  const state = {
    habits: { ...MONEROO_LIKE, ...different },
    delayMs: 0,
    /** The answer to every call, while it is set. */
    trouble: null as Answer | null,
  };
  const server = await listen(async (request, response) => {
    const text = (await readBody(request)).toString();
    for (const listener of listeners) listener();
    if (state.delayMs > 0) await pace(state.delayMs);
    if (state.trouble) return sendJson(response, state.trouble.status, state.trouble.body);
    if (request.method === "POST" && request.url === "/v1/payments/initialize") {
      const id = `py_fake${String(payments.size).padStart(8, "0")}`;
      payments.set(id, { ...(JSON.parse(text) as Initialize), id, status: "initiated" });
      const data = { id, checkout_url: `http://checkout.invalid/${id}` };
      return sendJson(response, state.habits.createdStatus, { message: "ok", data });
    }
    const [, id = ""] = /^\/v1\/payments\/([^/]+)\/verify$/.exec(request.url ?? "") ?? [];
    asked.push(id);
    const payment = payments.get(id);
    if (!payment) return sendJson(response, 404, { message: "Not found" });
    sendJson(response, 200, { message: "ok", data: state.habits.shape(payment) });
  });
  return Object.assign(state, {
    root: server.url,
    close: server.close,
    payments,
    asked,
    onCall: (listener: () => void) => void listeners.push(listener),
  });
}

/** A clock by server-sent events, which the server follows outside production. */
async function startFakeClock() {
  let offsetMs = 0;
  const followers = new Set<ServerResponse>();
  const notify = (response: ServerResponse) =>
    response.write(`data: ${JSON.stringify({ offset_ms: offsetMs })}\n\n`);
  const server = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    followers.add(response);
    response.on("close", () => followers.delete(response));
    notify(response);
  });
  return {
    ...server,
    now: () => new Date(Date.now() + offsetMs),
    advance(ms: number) {
      offsetMs += ms;
      for (const response of followers) notify(response);
    },
  };
}

const WORKERS = 6;
/** So many more acknowledgements prove that it works, beyond what was in progress. */
const ENOUGH = 20;
/** Without a pause they would starve the server, the database and the test itself. */
const PACE_MS = 20;

/** Webhooks of a provider, from several senders at once, each given up after five seconds. */
export function sendWebhooks(out: Outside, name: string) {
  let on = true;
  const acknowledged: string[] = [];
  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let index = 0; on; index += 1) {
      const id = `${name}-${worker}-${index}`;
      const body = JSON.stringify({ event: "payment.success", data: { id } });
      const answer = await sendWebhook(out, body, AbortSignal.timeout(5_000)).catch(() => null);
      if (answer?.status === 200) acknowledged.push(id);
      await pace(PACE_MS);
    }
  });
  return {
    acknowledged,
    /** Waits until webhooks sent from now on are acknowledged. */
    async goesOn() {
      const enough = acknowledged.length + WORKERS + ENOUGH;
      await eventually(() => acknowledged.length >= enough);
    },
    async stop() {
      on = false;
      await Promise.all(workers);
    },
  };
}

/** Acknowledged ones that the database does not have. */
export async function findLost(databaseUrl: string, acknowledged: readonly string[]) {
  const lost = await askRows<[id: string]>(
    databaseUrl,
    `SELECT unnest($1::text[])
     EXCEPT SELECT convert_from(body, 'UTF8')::json #>> '{data,id}' FROM provider_webhooks`,
    [acknowledged],
  );
  return lost.map(([id]) => id);
}
