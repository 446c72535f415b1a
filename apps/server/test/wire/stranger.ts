import { rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { setTimeout as pace } from "node:timers/promises";
import { text as readText } from "node:stream/consumers";
import type { CreateOrderAnswer, OrderAnswer } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { createTestDatabase } from "../../../../tools/postgres/test-database.ts";
import { askRows } from "../../../../tools/testing/ask-rows.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { listen } from "../../../../tools/testing/listen.ts";
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
  readonly telegram?: TelegramHabits;
  readonly moneroo?: MonerooHabits;
  readonly env?: Env;
  /** The server's clock is the fake's; else the machine's. */
  readonly clock?: boolean;
  /** Instead of the program: one that starts it under other conditions. */
  readonly script?: string;
};

/** What WIRE gives an outside developer: addresses, tokens, and two services of his own. */
export type Outside = Awaited<ReturnType<typeof openOutside>>;

export async function openOutside(options: OutsideOptions = {}) {
  const clock = await startFakeClock();
  const telegram = await startFakeTelegram(options.telegram, clock.now);
  const moneroo = await startFakeMoneroo(options.moneroo);
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

/** The seller adds the bot to his group. */
export async function linkGroup(out: Outside, { token, telegramId }: Somebody, chatId: number) {
  out.telegram.addGroup(chatId, telegramId);
  return eventually(async () => {
    const answer = await out.call<AnswerOf<"GET /api/channels">>("GET", "/api/channels", { token });
    const channel = answer.body.channels.find((each) => each.telegram_group_id === chatId);
    assert(channel?.details.sellable, `the group is linked: ${JSON.stringify(answer.body)}`);
    return channel;
  });
}

/** A seller with a group, and a product of a month in it. */
export async function openShop(out: Outside, telegramId: number, chatId: number) {
  const seller = await signIn(out, telegramId, "vendeur");
  const group = await linkGroup(out, seller, chatId);
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

export function sendWebhook(out: Outside, body: string, signal: AbortSignal | null = null) {
  const signature = hmac(WEBHOOK_SECRET, body);
  const headers = { "content-type": "application/json", "x-moneroo-signature": signature };
  return fetch(`${out.url}/webhooks/moneroo`, { method: "POST", headers, body, signal });
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

type Args = Readonly<Record<string, unknown>>;
type Answer = { readonly status: number; readonly body: unknown };
type Call = { readonly path: string; readonly args: Args };

/** A service of somebody else's, which answers in JSON. */
async function startService(
  answerTo: (call: Call, response: ServerResponse) => Answer | Promise<Answer>,
) {
  const service = {
    calls: [] as Call[],
    /** By the end of their address. */
    called: (name: string) => service.calls.filter(({ path }) => path.endsWith(`/${name}`)),
    /** Each answer waits for it. */
    before: (_path: string): Promise<unknown> | void => undefined,
    /** The answer to every call, while it is set. */
    trouble: null as Answer | null,
  };
  const { url: root, close } = await listen(async (request, response) => {
    const text = await readText(request);
    const call = { path: request.url ?? "", args: JSON.parse(text || "{}") as Args };
    service.calls.push(call);
    await service.before(call.path);
    const { status, body } = service.trouble ?? (await answerTo(call, response));
    sendJson(response, status, body);
  });
  return Object.assign(service, { root, close });
}

/** How another developer's emulator may differ from Telegram, and from our emulators. */
export type TelegramHabits = Partial<typeof TELEGRAM_LIKE>;

const TELEGRAM_LIKE = {
  /** Without it `getUpdates` answers at once, whatever timeout is requested. */
  longPoll: true,
  /** Without it everything from the offset on comes again at each call. */
  forgetsConfirmed: true,
  /** Methods that nobody wrote: answered 404, with this body. */
  unknown: new Set<string>(),
  unknownBody: null as unknown,
  /** Fields that Telegram always sends are omitted when they are optional, or false. */
  terse: false,
  /** `getChatMember` finds the bot only. */
  knowsMembers: true,
};

/** A minimal Bot API, written from the reference alone (WIRE §3): it shares nothing with the emulators. */
export async function startFakeTelegram(different: TelegramHabits = {}, now = () => new Date()) {
  const habits = { ...TELEGRAM_LIKE, ...different };
  const queues = new Map<string, Record<string, unknown>[]>();
  const groups = new Map<number, { readonly ownerId: number; readonly members: Set<number> }>();
  /** The token of each call for updates that waits. */
  const polls = new Map<ServerResponse, string>();
  let pollsAtOnce = 0;
  let nextUpdate = 7_000_000;
  let links = 0;
  let pushed = Promise.withResolvers<void>();

  const getUpdates = async (token: string, args: Args, response: ServerResponse) => {
    const offset = Number(args["offset"] ?? 0);
    const left = () =>
      (queues.get(token) ?? []).filter((each) => Number(each["update_id"]) >= offset);
    if (habits.forgetsConfirmed && offset > 0) queues.set(token, left());
    const mayWait = habits.longPoll && Number(args["timeout"] ?? 0) > 0;
    polls.set(response, token);
    const open = [...polls].filter(([poll, whose]) => whose === token && !poll.closed);
    pollsAtOnce = Math.max(pollsAtOnce, open.length);
    while (mayWait && left().length === 0 && !response.closed) await pushed.promise;
    polls.delete(response);
    return fine(left().slice(0, 100));
  };
  const push = (token: string, update: Record<string, unknown>) => {
    nextUpdate += 1;
    queues.set(token, [...(queues.get(token) ?? []), { update_id: nextUpdate, ...update }]);
    pushed.resolve();
    pushed = Promise.withResolvers();
  };
  /** What a person does in a chat of the sellers' bot. */
  const pushIn = (...[chatId, userId, kind, fields]: readonly [number, number, string, object]) => {
    const date = Math.floor(now().getTime() / 1_000);
    const event = { chat: chatOf(chatId), from: personOf(userId), date, ...fields };
    push(SELLER_TOKEN, { [kind]: event });
  };
  const botMember = (token: string) => ({
    status: "administrator",
    user: botOf(token),
    can_restrict_members: true,
    can_invite_users: true,
    ...(habits.terse ? {} : { can_manage_chat: true, can_be_edited: false }),
  });
  const answerInGroup = (token: string, method: string, args: Args): Answer => {
    const chatId = Number(args["chat_id"]);
    const userId = Number(args["user_id"]);
    const group = groups.get(chatId);
    if (QUIET.has(method)) return fine(true);
    if (!group) return refuse("chat not found");
    const isOwner = userId === group.ownerId;
    switch (method) {
      case "getChat":
        return fine(chatOf(chatId));
      case "getChatMemberCount":
        return fine(group.members.size + 1);
      case "getChatAdministrators":
        return fine([{ status: "creator", user: personOf(group.ownerId) }]);
      case "getChatMember": {
        if (userId === botIdOf(token)) return fine(botMember(token));
        if (!habits.knowsMembers && !isOwner) return refuse("user not found");
        const status = isOwner ? "creator" : group.members.has(userId) ? "member" : "left";
        return fine({ status, user: personOf(userId) });
      }
      case "createChatInviteLink": {
        const link = { invite_link: `https://t.me/+fake${++links}` };
        if (habits.terse) return fine(link);
        const creates_join_request = args["creates_join_request"] === true;
        const flags = { creates_join_request, is_primary: false, is_revoked: false };
        return fine({ ...link, creator: botOf(token), ...flags });
      }
      case "approveChatJoinRequest":
        group.members.add(userId);
        return fine(true);
      case "banChatMember":
        group.members.delete(userId);
        return fine(true);
      default:
        return refuse("method is not written");
    }
  };
  const service = await startService(({ path, args }, response) => {
    const [, bot = "", method = ""] = path.split(/[/?]/);
    const token = tokenOf(bot);
    if (habits.unknown.has(method)) return { status: 404, body: habits.unknownBody };
    if (method === "getUpdates") return getUpdates(token, args, response);
    if (method === "getMe") return fine({ ...botOf(token), username: `bot_${botIdOf(token)}` });
    if (method !== "sendMessage") return answerInGroup(token, method, args);
    const chat = { id: args["chat_id"], type: "private", first_name: "Awa" };
    return fine({ message_id: 1, date: 1, chat, text: args["text"] });
  });
  return Object.assign(service, {
    /** The bots that called. */
    tokens: () => new Set(service.calls.map(({ path }) => tokenOf(path.split("/")[1] ?? ""))),
    /** The most concurrent `getUpdates` of one token: Telegram refuses a second. */
    pollsAtOnce: () => pollsAtOnce,
    push,
    /** Its owner adds the sellers' bot. */
    addGroup(chatId: number, ownerId: number) {
      groups.set(chatId, { ownerId, members: new Set([ownerId]) });
      pushIn(chatId, ownerId, "my_chat_member", {
        old_chat_member: { status: "left", user: botOf(SELLER_TOKEN) },
        new_chat_member: botMember(SELLER_TOKEN),
      });
    },
    /** A person opens a link. Without `link`, the update omits which one. */
    ask(chatId: number, userId: number, link: string | null) {
      const invite_link = { invite_link: link, creates_join_request: true, is_primary: false };
      const named = link === null ? {} : { invite_link, user_chat_id: userId };
      pushIn(chatId, userId, "chat_join_request", named);
    },
    isInside: (chatId: number, userId: number) => groups.get(chatId)?.members.has(userId) ?? false,
  });
}

const tokenOf = (bot: string): string => decodeURIComponent(bot.replace(/^bot/, ""));

export const botIdOf = (token: string): number => Number(token.split(":")[0]);

const botOf = (token: string) => ({ id: botIdOf(token), is_bot: true, first_name: "Bot" });

export const personOf = (id: number) => ({ id, is_bot: false, first_name: `P${id}` });

const chatOf = (id: number) => ({ id, type: "supergroup", title: "Club des strangers" });

const fine = (result: unknown): Answer => ({ status: 200, body: { ok: true, result } });
const refuse = (description: string): Answer => ({
  status: 400,
  body: { ok: false, error_code: 400, description: `Bad Request: ${description}` },
});

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

type Initialize = {
  readonly amount: number;
  readonly currency: string;
  readonly metadata: unknown;
};
export type FakePayment = Initialize & { readonly id: string; status: string };

/** How another developer's emulator may differ from ours. */
export type MonerooHabits = Partial<typeof MONEROO_LIKE>;

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
export async function startFakeMoneroo(different: MonerooHabits = {}) {
  const { createdStatus, shape } = { ...MONEROO_LIKE, ...different };
  const payments = new Map<string, FakePayment>();
  const service = await startService(({ path, args }) => {
    if (path === "/v1/payments/initialize") {
      const id = `py_fake${String(payments.size).padStart(8, "0")}`;
      payments.set(id, { ...(args as Initialize), id, status: "initiated" });
      const data = { id, checkout_url: `http://checkout.invalid/${id}` };
      return { status: createdStatus, body: { message: "ok", data } };
    }
    const payment = payments.get(/^\/v1\/payments\/([^/]+)\/verify$/.exec(path)?.[1] ?? "");
    return payment
      ? { status: 200, body: { message: "ok", data: shape(payment) } }
      : { status: 404, body: { message: "Not found" } };
  });
  return Object.assign(service, { payments });
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
export const findLost = async (databaseUrl: string, acknowledged: readonly string[]) => {
  const missing = `SELECT unnest($1::text[])
    EXCEPT SELECT convert_from(body, 'UTF8')::json #>> '{data,id}' FROM provider_webhooks`;
  return (await askRows<[id: string]>(databaseUrl, missing, [acknowledged])).flat();
};
