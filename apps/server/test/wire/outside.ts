import { rm } from "node:fs/promises";
import { assert } from "@sesame/kernel";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { createTestDatabase, type TestDatabase } from "../../../../tools/postgres/test-database.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import {
  type Called,
  callHttp,
  type CallOptions,
  freePort,
  signInitData,
  type SomeBody,
  type TestPerson,
} from "../client.ts";
import { picture } from "../pictures.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { listenFake } from "./fake-http.ts";
import {
  type FakeMoneroo,
  MONEROO_LIKE,
  type MonerooHabits,
  signNotice,
  startFakeMoneroo,
} from "./fake-moneroo.ts";
import {
  botMember,
  type FakeTelegram,
  personOf,
  startFakeTelegram,
  TELEGRAM_LIKE,
  type TelegramHabits,
} from "./fake-telegram.ts";
import { type Env, type Program, startServer, untilReady } from "./program.ts";

/** As short and as strange as WIRE §1 allows. */
export const SELLER_TOKEN = "71:a";
export const BUYER_TOKEN = "72:un texte-é_1";
const SECRET_KEY = "a-secret-key-of-the-wire-tests";
export const WEBHOOK_SECRET = "a-webhook-secret-of-the-wire-tests";

export type OutsideOptions = {
  readonly telegram?: Partial<TelegramHabits>;
  readonly moneroo?: Partial<MonerooHabits>;
  readonly env?: Env;
  /** The server's clock is the fake's; else the machine's. */
  readonly clock?: boolean;
  /** In place of the program: one that starts it under other conditions. */
  readonly script?: string;
};

/** What WIRE gives a stranger: addresses, tokens, and two parties of his own. */
export type Outside = {
  readonly url: string;
  readonly program: Program;
  readonly telegram: FakeTelegram;
  readonly moneroo: FakeMoneroo;
  readonly clock: FakeClock;
  readonly database: TestDatabase;
  /** The environment the program was started with, to start others beside it. */
  readonly env: Env;
  /** Starts the same program again, after the first was stopped. */
  restart(env?: Env): Promise<Program>;
  call<T = SomeBody>(method: string, path: string, options?: CallOptions): Promise<Called<T>>;
  initData(personId: number, bot?: "seller" | "buyer", authDate?: Date): string;
  close(): Promise<void>;
};

export async function openOutside(options: OutsideOptions = {}): Promise<Outside> {
  const telegram = await startFakeTelegram({ ...TELEGRAM_LIKE, ...options.telegram });
  const moneroo = await startFakeMoneroo({ ...MONEROO_LIKE, ...options.moneroo });
  const clock = createFakeClock();
  const clockServer = await listenFake(async (_, response) => clock.listen(response));
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
    ...(options.clock ? { CLOCK_URL: `${clockServer.root}/clock` } : {}),
    ...options.env,
  };
  const running = { program: startServer(env, options.script) };
  await untilReady(running.program, url);
  return {
    url,
    telegram,
    moneroo,
    clock,
    database,
    env,
    get program() {
      return running.program;
    },
    async restart(changed = {}) {
      running.program = startServer({ ...env, ...changed });
      await untilReady(running.program, url);
      return running.program;
    },
    call: (method, path, call) => callHttp({ method, url: `${url}${path}` }, call),
    initData(personId, bot = "seller", authDate = clock.now()) {
      const token = bot === "seller" ? SELLER_TOKEN : (env["BUYER_BOT_TOKEN"] ?? BUYER_TOKEN);
      return signInitData(userOf(personId), { token, authDate });
    },
    async close() {
      await running.program.stop();
      await Promise.all([telegram.close(), moneroo.close(), clockServer.close()]);
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      const secrets = [SELLER_TOKEN, encodeURIComponent(BUYER_TOKEN), BUYER_TOKEN, SECRET_KEY];
      for (const secret of [...secrets, WEBHOOK_SECRET]) {
        assert(!running.program.output().includes(secret), "no secret is ever printed");
      }
    },
  };
}

function userOf(id: number): TestPerson {
  return { id, first_name: `P${id}` };
}

type Somebody = { readonly token: string; readonly id: string; readonly telegramId: number };

export async function signIn(
  out: Outside,
  telegramId: number,
  door: "vendeur" | "acheteur",
): Promise<Somebody> {
  const bot = door === "vendeur" ? "seller" : "buyer";
  const answer = await out.call<{ token: string; user: { id: string } }>(
    "POST",
    `/api/auth/${door}`,
    { headers: { "x-telegram-init-data": out.initData(telegramId, bot) } },
  );
  assert(answer.status === 200, `signing in answered ${JSON.stringify(answer.body)}`);
  return { token: answer.body.token, id: answer.body.user.id, telegramId };
}

export type Channel = {
  readonly id: string;
  readonly telegram_group_id: number;
  readonly details: { readonly sellable: boolean };
};

/** The seller adds the bot to a group of his, as Telegram would tell it. */
export async function linkGroup(
  out: Outside,
  seller: Somebody,
  { chatId, terse = false }: { chatId: number; terse?: boolean },
): Promise<Channel> {
  out.telegram.addGroup(chatId, { ownerId: seller.telegramId, token: SELLER_TOKEN });
  const me = botMember(SELLER_TOKEN, terse);
  out.telegram.push(SELLER_TOKEN, {
    my_chat_member: {
      chat: { id: chatId, type: "supergroup", title: "Club des strangers" },
      from: personOf(seller.telegramId),
      date: Math.floor(out.clock.now().getTime() / 1_000),
      old_chat_member: { status: "left", user: me.user },
      new_chat_member: me,
    },
  });
  return eventually(async () => {
    const { token } = seller;
    const answer = await out.call<{ channels: Channel[] }>("GET", "/api/channels", { token });
    const channel = answer.body.channels.find((each) => each.telegram_group_id === chatId);
    assert(channel?.details.sellable, `the group is linked: ${JSON.stringify(answer.body)}`);
    return channel;
  });
}

export type Product = { readonly id: string; readonly reference: string; readonly price: number };

export async function publish(
  out: Outside,
  seller: Somebody,
  choice: { groupId: string; price?: number; stock?: number },
): Promise<Product> {
  const durations = await out.call<{ id: string; minutes: number }[]>(
    "GET",
    "/api/config/subscription_durations",
  );
  const month = durations.body.find(({ minutes }) => minutes === 43_200);
  assert(month, "a month is offered");
  const answer = await out.call<{ product: Product }>("POST", "/api/products", {
    token: seller.token,
    form: {
      title: "Recettes du mois",
      price: String(choice.price ?? 5_000),
      description: "",
      duration: month.id,
      group_id: choice.groupId,
      image: await picture({ width: 40, height: 30 }),
      ...(choice.stock === undefined ? {} : { stock: String(choice.stock) }),
    },
  });
  assert(answer.status === 201, `publishing answered ${JSON.stringify(answer.body)}`);
  return answer.body.product;
}

export type Order = { readonly id: string; readonly status: string; readonly payment_url: string };

export async function order(out: Outside, buyer: Somebody, reference: string): Promise<Order> {
  const answer = await out.call<Order>("POST", "/api/orders", {
    token: buyer.token,
    body: { reference, provider: "moneroo" },
  });
  assert(answer.status === 201, `ordering answered ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export function paymentIdOf(made: Order): string {
  return new URL(made.payment_url).pathname.slice(1);
}

/** The provider takes the money; `notice` says so too. */
export async function pay(out: Outside, made: Order, notice = true): Promise<void> {
  const payment = out.moneroo.payments.get(paymentIdOf(made));
  assert(payment, "the payment was opened");
  payment.status = "success";
  if (!notice) return;
  const body = JSON.stringify({ event: "payment.success", data: { id: payment.id } });
  const answer = await sendNotice(out, body);
  assert(answer.status === 200, `the notice was answered ${answer.status}`);
}

export function sendNotice(
  out: Outside,
  body: string,
  signature = signNotice(body, WEBHOOK_SECRET),
): Promise<Response> {
  return fetch(`${out.url}/webhooks/moneroo`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-moneroo-signature": signature },
    body,
  });
}

export type OrderSeen = {
  readonly id: string;
  readonly status: string;
  readonly access: {
    readonly status: string;
    readonly expires_at: string;
    readonly invite_link: string | null;
    readonly links: readonly { readonly group: string; readonly invite_link: string | null }[];
  } | null;
};

export async function seeOrder(out: Outside, buyer: Somebody, id: string): Promise<OrderSeen> {
  const answer = await out.call<OrderSeen>("GET", `/api/orders/${id}`, { token: buyer.token });
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

/** Somebody taps a link: Telegram tells the bot. Without `link`, it does not say which. */
export function ask(
  out: Outside,
  who: { chatId: number; telegramId: number },
  link: string | null,
): void {
  const invite = { invite_link: link, creates_join_request: true, is_primary: false };
  out.telegram.push(SELLER_TOKEN, {
    chat_join_request: {
      chat: { id: who.chatId, type: "supergroup", title: "Club des strangers" },
      from: personOf(who.telegramId),
      date: Math.floor(out.clock.now().getTime() / 1_000),
      ...(link === null ? {} : { invite_link: invite, user_chat_id: who.telegramId }),
    },
  });
}
