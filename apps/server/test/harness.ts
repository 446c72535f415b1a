import { rm } from "node:fs/promises";
import { setTimeout as pace } from "node:timers/promises";
import type { KnownProvider } from "@sesame/contract/checkout";
import type { BuyerSignInAnswer, SellerSignInAnswer } from "@sesame/contract/identity";
import type { AggregatorKey } from "@sesame/contract/payment-accounts";
import type { Plan } from "@sesame/contract/plans";
import type { AnswerOf, CallName } from "@sesame/contract/routes";
import {
  type AdjustableClock,
  assert,
  type Clock,
  type Random,
  stoppedClock,
  systemRandom,
} from "@sesame/kernel";
import { ownFolder } from "../../../tools/postgres/leftovers.ts";
import { createTestDatabase } from "../../../tools/postgres/test-database.ts";
import { eventually } from "../../../tools/testing/eventually.ts";
import { TooSlow } from "../../../tools/testing/failures.ts";
import {
  type AdminRight,
  type BotRole,
  type Emulators,
  type Message,
  startEmulators,
} from "../../emulators/src/index.ts";
import { openSchema } from "../../emulators/src/testing/schema-check.ts";
import { type App, createApp } from "../src/app.ts";
import { type Application, createApplication } from "../src/application.ts";
import { readConfig } from "../src/config.ts";
import { OUTBOX_LOOP, type OutboxLoop } from "../src/jobs/outbox.ts";
import type { Site } from "../src/pages/site.ts";
import { createPictures } from "../src/pictures/picture-queue.ts";
import { type Db, one, openDatabase, PREPARED } from "../src/postgres/database.ts";
import { fundSeller } from "./funds.ts";
import {
  type Called,
  callHttp,
  type CallOptions,
  freePort,
  signInitData,
  type SomeBody,
  type TestPerson,
} from "./http.ts";
import { readerOf } from "./tables.ts";

export const SELLER_BOT_TOKEN = "7000000001:seller-bot-of-the-tests";
export const BUYER_BOT_TOKEN = "7000000002:buyer-bot-of-the-tests";

export const MONEROO_SECRET_KEY = "moneroo-secret-key-of-the-tests";
export const MONEROO_WEBHOOK_SECRET = "moneroo-webhook-secret-of-the-tests";

/** The keys of all these accounts, for the emulators. */
export const EMULATED_KEYS = {
  sellerBotToken: SELLER_BOT_TOKEN,
  buyerBotToken: BUYER_BOT_TOKEN,
  moneroo: { secretKey: MONEROO_SECRET_KEY, webhookSecret: MONEROO_WEBHOOK_SECRET },
  paydunya: {
    masterKey: "paydunya-master-key-of-the-tests",
    privateKey: "live_private_paydunya-key-of-the-tests",
    token: "paydunya-token-of-the-tests",
  },
  fedapay: {
    secretKey: "sk_sandbox_fedapay-key-of-the-tests",
    publicKey: "pk_sandbox_fedapay-key-of-the-tests",
    webhookSecret: "wh_sandbox_fedapay-secret-of-the-tests",
  },
  kkiapay: {
    publicKey: "kkiapay-public-key-of-the-tests",
    privateKey: "pk_kkiapay-private-key-of-the-tests",
    secretKey: "sk_kkiapay-secret-key-of-the-tests",
    webhookSecret: "kkiapay-webhook-secret-of-the-tests",
  },
  cryptopay: { token: "43210:AAcryptopayTokenOfTheTests000000000" },
};

/** What the bot needs in a group. */
export const RIGHTS: readonly AdminRight[] = ["manage_chat", "restrict_members", "invite_users"];

/** Telegram ids with a role in every test. */
export const AGENT_ID = 5_000_000_001;
export const OPERATOR_ID = 5_000_000_002;

/** A Monday morning: no test depends on the day it is run. */
const START = new Date("2026-11-16T09:00:00.000Z");

/** One process for all applications of a worker; it ends when its worker does. */
const pictures = createPictures();

export type TestAppOptions = {
  /** The built web app; without it no page is served. */
  readonly site?: Site;
  /** Further environment variables, over the harness's own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly random?: Random;
};

type SignedIn<Answer extends { readonly token: string; readonly user: unknown }> = {
  readonly person: TestPerson;
  readonly id: string;
} & Pick<Answer, "token" | "user">;
export type SignedInSeller = SignedIn<SellerSignInAnswer>;
export type SignedInBuyer = SignedIn<BuyerSignInAnswer>;

type BotMessage = Message & { text: string };

const isSaid = (message: Message): message is BotMessage =>
  message.from?.is_bot === true && message.text !== undefined;

/** `authDate`: default the clock's instant. */
type InitDataChoice = { bot?: BotRole; startParam?: string; authDate?: Date };

type Caller = { readonly token: string };
/** `order_id`: of an order whose payment could not be opened. */
type Refused = Partial<Record<"code" | "message" | "order_id", string>>;

type LinkGroupOptions = {
  readonly kind?: "supergroup" | "channel" | undefined;
  readonly title?: string;
  readonly rights?: readonly AdminRight[];
};

/** `id` is ours (`channels[].id`), `chatId` Telegram's. */
export type LinkedGroup = { readonly id: string; readonly chatId: number };

/** A file starts its application at top level, where no hook limits a start that never ends. */
const START_MS = 60_000;

/** The application of a test file, started at its top level: closed after the file's other hooks. */
export async function startTestApp(options?: TestAppOptions): Promise<TestApp> {
  const late = Promise.withResolvers<never>();
  const tooSlow = new TooSlow("the start of the application", START_MS);
  const timer = setTimeout(() => late.reject(tooSlow), START_MS);
  const opened = Promise.race([openTestApp(options), late.promise]);
  const app = await opened.finally(() => clearTimeout(timer));
  // Mutants and benchmarks load this module without a runner of tests.
  const { afterAll } = await import("vitest");
  afterAll(() => app.close());
  return app;
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>;

/** The whole application on a new database, with a clock that stands still; whoever opens it closes it. */
export async function openTestApp(options: TestAppOptions = {}) {
  const clock = stoppedClock(START);
  const database = await createTestDatabase();
  const dataDir = ownFolder("app");
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // The sellers' bot's token when one bot plays both parts.
  const buyerBotToken = options.env?.["BUYER_BOT_TOKEN"] ?? BUYER_BOT_TOKEN;
  const { emulators, complaints } = await openTestEmulators(url, { clock, buyerBotToken });
  const errors: string[] = [];
  // An https address would mean production mode, with real secrets and services.
  const { PUBLIC_URL: publicUrl = url, ...env } = options.env ?? {};
  const place = { port, dataDir, databaseUrl: database.url, root: emulators.apiRoot };
  const environment = { ...testEnvironment(place), ...env };
  const config = { ...readConfig(environment), publicUrl, messageSpacingMs: 0 };
  const app = await createApplication(config, {
    clock,
    random: options.random ?? systemRandom,
    pictures,
    logTo: { write: (line) => void errors.push(line) },
    ...(options.site ? { site: options.site } : {}),
  });
  await app.start();
  const own = openDatabase({ url: database.url, poolSize: 2 });
  const { db } = own;
  const takeErrors = () => errors.splice(0);
  const drain = createDrain(app, { db, clock, emulators });
  const person = async (name: Partial<TestPerson> = {}): Promise<TestPerson> => {
    const { first_name: firstName = "Awa", last_name: lastName, username } = name;
    const { id } = emulators.telegram.createPerson({
      firstName,
      ...(lastName === undefined ? {} : { lastName }),
      ...(username === undefined ? {} : { username }),
    });
    return { first_name: firstName, language_code: "fr", ...name, id };
  };
  const initData = (who: TestPerson, { bot, authDate, startParam }: InitDataChoice = {}) =>
    signInitData(who, {
      token: bot === "buyer" ? buyerBotToken : SELLER_BOT_TOKEN,
      authDate: authDate ?? clock.now(),
      startParam,
    });
  const call = <T = SomeBody>(method: string, path: string, options?: CallOptions) =>
    callHttp<T>({ method, url: `${url}${path}` }, options);
  const send = <C extends CallName>(
    name: C,
    who?: Caller,
    ...[values, key]: readonly [values?: object, key?: string | undefined]
  ): Promise<Called<AnswerOf<C> & Refused>> => {
    const rest: Record<string, unknown> = { ...values };
    const [method = "", pattern = ""] = name.split(" ");
    const path = pattern.replaceAll(/:(\w+)/g, (_, param: string) => {
      const value = String(rest[param] ?? "");
      delete rest[param];
      return value;
    });
    const query = method === "GET" ? `?${new URLSearchParams(rest as Record<string, string>)}` : "";
    const body = method === "GET" || values === undefined ? undefined : rest;
    return call(method, path + query, { token: who?.token, key, body });
  };
  const done = async <C extends CallName>(name: C, who?: Caller, values?: object) => {
    const answer = await send(name, who, values);
    assert(answer.status < 300, `${name} answered ${JSON.stringify(answer.body)}`);
    return answer.body as AnswerOf<C>;
  };
  const signIn = async <Answer extends SellerSignInAnswer | BuyerSignInAnswer>(
    bot: BotRole,
    who?: TestPerson,
  ): Promise<SignedIn<Answer>> => {
    const someone = who ?? (await person());
    const path = bot === "seller" ? "/api/auth/vendeur" : "/api/auth/acheteur";
    const headers = { "x-telegram-init-data": initData(someone, { bot }) };
    const { status, body } = await call<Answer>("POST", path, { headers });
    const why = status === 200 ? "" : takeErrors().join("\n");
    assert(status === 200, `sign-in answered ${status} ${why}`);
    return { person: someone, id: body.user.id, token: body.token, user: body.user };
  };
  const signInSeller = (who?: TestPerson) => signIn<SellerSignInAnswer>("seller", who);
  const signInBuyer = (who?: TestPerson) => signIn<BuyerSignInAnswer>("buyer", who);
  const messagesTo = (personId: number, bot: BotRole) =>
    emulators
      .state()
      .dialogs.find((each) => each.personId === personId && each.bot === bot)
      ?.messages.filter(isSaid) ?? [];
  const lastTo = (personId: number, bot: BotRole): BotMessage => {
    const message = messagesTo(personId, bot).at(-1);
    if (!message) throw new Error(`the ${bot} bot said nothing to ${personId}`);
    return message;
  };
  const write = (personId: number, bot: BotRole, text: string): void => {
    emulators.telegram.sendMessage({ personId, to: { bot }, text });
  };
  return {
    app,
    /** The first argument of the server's functions: a test makes its own with `{ ...core, clock }`. */
    core: app.app,
    /** Telegram and the providers, on the same clock: `emulators.telegram`, `emulators.moneroo`, … */
    emulators,
    clock,
    /** The server's address: `http://127.0.0.1:port`. */
    url,
    databaseUrl: database.url,
    /** The environment of the application: for a process beside it. */
    environment: environment as Readonly<Record<string, string>>,
    /** A connection of the test, to read and to prepare. */
    db,
    ...readerOf(db),
    /** Runs everything that is due: jobs, sweeps, updates and webhooks in transit. */
    drain,
    /** Errors that the server logged since the last call; a test that expects some takes them. */
    takeErrors,
    /** A new Telegram person in the emulators. */
    person,
    initData,
    signInSeller,
    signInBuyer,
    call,
    /** A call by its route; `values` are those of its path, then those of its body or query. */
    send,
    /** The same, with success: the answer's body. */
    read: done,
    done,
    /** A bot's messages to a person, oldest first. */
    messagesTo,
    lastTo,
    textsTo: (personId: number, bot: BotRole) => messagesTo(personId, bot).map(({ text }) => text),
    /** A bot's messages in a group. */
    messagesIn: (chatId: number) =>
      emulators
        .state()
        .chats.find((each) => each.id === chatId)
        ?.messages.filter(isSaid) ?? [],
    /** Taps a button of a message of a bot to a person: default the last. */
    tap(press: { personId: number; bot: BotRole; text: string; message?: BotMessage }) {
      const { personId, bot, text, message = lastTo(personId, bot) } = press;
      const { message_id: messageId, reply_markup: markup } = message;
      const buttons = markup?.inline_keyboard ?? [];
      const row = buttons.findIndex((each) => each.some((button) => button.text === text));
      const column = buttons[row]?.findIndex((button) => button.text === text) ?? -1;
      emulators.telegram.pressButton({ personId, in: { bot }, messageId, row, column });
    },
    /** A person's message to a bot, which gets it at the next drain. */
    write,
    /** A seller to whom the bot may write, with a plan and so many francs on its account. */
    async seller({ plan, funds = 0 }: { readonly plan?: Plan; readonly funds?: number } = {}) {
      const seller = await signInSeller();
      write(seller.person.id, "seller", "/start");
      await fundSeller({ db, clock }, seller, funds, plan);
      await drain();
      return seller;
    },
    /** A buyer to whom the bot may write: its first message comes at the next drain. */
    async buyerInTouch() {
      const buyer = await signInBuyer();
      write(buyer.person.id, "buyer", "/start");
      return buyer;
    },
    /** A customer pays on the provider's page: by its id of the payment, or ours. Drains. */
    async pay(provider: KnownProvider, id: string) {
      emulators.collectors[provider].settle(id, "success");
      await drain();
    },
    async advance(ms: number) {
      clock.advance(ms);
      await drain();
    },
    /** A new private supergroup or channel of the seller's, with the bot in it, linked. */
    async linkGroup(seller: SignedInSeller, options: LinkGroupOptions = {}): Promise<LinkedGroup> {
      const { kind = "supergroup", title = "Club VIP", rights = RIGHTS } = options;
      const personId = seller.person.id;
      const { chatId } = emulators.telegram.createChat({ ownerId: personId, kind, title });
      emulators.telegram.addBot({ personId, chatId, bot: "seller", rights: [...rights] });
      await drain();
      return linkedGroup(db, chatId);
    },
    async close() {
      await app.stop();
      await emulators.close();
      await own.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      const left = [...takeErrors(), ...complaints];
      assert(left.length === 0, `the server logged errors: ${left.join("\n")}`);
    },
  };
}

/** The group that a chat of Telegram's is linked as. */
export async function linkedGroup(db: Db, chatId: number): Promise<LinkedGroup> {
  const { id } = await one<{ id: bigint }>(db)`SELECT id FROM groups WHERE chat_id = ${chatId}`;
  return { id: String(id), chatId };
}

/** Emulators whose every exchange with the bots is checked against Telegram's own description. */
async function openTestEmulators(
  appUrl: string,
  given: { clock: AdjustableClock; buyerBotToken: string },
): Promise<{ emulators: Emulators; complaints: string[] }> {
  const emulators = await startEmulators({ port: 0, appUrl, ...EMULATED_KEYS, ...given });
  const schema = openSchema();
  const complaints: string[] = [];
  emulators.telegram.onExchange((exchange) => complaints.push(...schema.exchange(exchange)));
  emulators.telegram.onUpdate((_bot, update) => complaints.push(...schema.update(update)));
  return { emulators, complaints };
}

/** `root`: the address of the emulators, or of their replacement. */
type ServerPlace = { port: number } & Record<"databaseUrl" | "dataDir" | "root", string>;

/** The environment of a test server; it sells with Moneroo only. */
export function serverEnvironment(place: ServerPlace): Record<string, string> {
  return {
    SESAME_DEMO: "1",
    PORT: String(place.port),
    PUBLIC_URL: `http://127.0.0.1:${place.port}`,
    DATABASE_URL: place.databaseUrl,
    DATA_DIR: place.dataDir,
    SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
    SELLER_BOT_TOKEN,
    BUYER_BOT_TOKEN,
    TELEGRAM_API_ROOT: place.root,
    ...accountAt("moneroo", place.root),
    LOG_LEVEL: "error",
  };
}

/** For the other payout providers. */
export const payoutEnvironment = (root: string): Record<string, string> => ({
  ...accountAt("paydunya", root),
  ...accountAt("fedapay", root),
});

/** The account's settings: `masterKey` of `paydunya` is PAYDUNYA_MASTER_KEY. */
function accountAt(provider: AggregatorKey, apiRoot: string): Record<string, string> {
  const nameOf = (key: string) => `${provider}_${key.replace(/[A-Z]/, "_$&")}`.toUpperCase();
  const settings = Object.entries({ ...EMULATED_KEYS[provider], apiRoot });
  return Object.fromEntries(settings.map(([key, value]) => [nameOf(key), value]));
}

function testEnvironment(place: ServerPlace): Record<string, string> {
  const { root } = place;
  return {
    ...serverEnvironment(place),
    ...payoutEnvironment(root),
    ...accountAt("kkiapay", root),
    ...accountAt("cryptopay", root),
    AGENT_TELEGRAM_IDS: String(AGENT_ID),
    OPERATOR_TELEGRAM_IDS: String(OPERATOR_ID),
    FEDAPAY_WIDGET_URL: `${root}/fedapay/checkout.js`,
    KKIAPAY_WIDGET_URL: `${root}/kkiapay/k.js`,
    STARS_ENABLED: "1",
    // No loop runs: `drain` runs them.
    ROLES: "http",
  };
}

const MAX_ROUNDS = 500;

type Deps = { readonly db: Db; readonly clock: AdjustableClock; readonly emulators: Emulators };

/**
 * → a function that runs all loops until a whole round finds nothing new, instead of waiting. Between two
 * whole rounds only queued jobs and updates are processed, if there are any, and updates are fetched only
 * when Telegram has new ones. Due jobs that wait in an outage do not count.
 */
function createDrain(app: Application, deps: Deps) {
  // The first fetch registers the wanted updates at Telegram.
  let made = 1;
  let fetched = 0;
  deps.emulators.telegram.onUpdate(() => made++);
  const outbox = app.loops.find((loop): loop is OutboxLoop => loop.name === OUTBOX_LOOP);
  assert(outbox, "the application has an outbox");
  const glance = () => look(deps, outbox.heldTopics());
  return async (): Promise<void> => {
    let before = await glance();
    let whole = true;
    for (let round = 0; round < MAX_ROUNDS; ) {
      const known = made;
      for (const { name, drain } of app.loops) {
        const mayFind = name.startsWith("poll ")
          ? known > fetched
          : name.startsWith("updates ")
            ? whole || known > fetched || before.hasDueUpdates
            : name === OUTBOX_LOOP
              ? before.hasDueJobs
              : whole;
        if (mayFind) await drain();
      }
      fetched = known;
      const after = await glance();
      const isStill = after.mark === before.mark;
      const waits = after.hasDueJobs || after.hasDueUpdates || after.hasDueQuestions;
      const rests = !waits && !after.sending && isStill;
      if (rests && whole) return;
      // Payments and payouts that wait for a lookup are in no queue.
      whole = rests || (!whole && isStill);
      // A provider's webhook comes by HTTP, in its own time: more rounds do not make it come.
      if (after.sending && isStill) await pace(5);
      else round++;
      before = after;
    }
    throw new Error("the application does not come to rest");
  };
}

/** Whether a provider's webhook is in transit. */
function isSending(emulators: Emulators): boolean {
  return [emulators.paydunya, emulators.fedapay, ...Object.values(emulators.collectors)]
    .flatMap((provider) => provider.webhookViews())
    .some(({ state }) => state === "sending");
}

/** Webhooks come by HTTP, in their own time. */
export const untilWebhooksHaveCome = (emulators: Emulators) =>
  eventually(() => !isSending(emulators));

/**
 * `mark` changes with everything that happens; questions are lookups at a provider; `sending`: a
 * provider's webhook is in transit to the server.
 */
async function look({ db, clock, emulators }: Deps, heldTopics: readonly string[]) {
  // Read first: a webhook answered by now is stored by now, and found below.
  const sending = isSending(emulators);
  type Due = Record<"hasDueJobs" | "hasDueUpdates" | "hasDueQuestions", boolean>;
  const glance = await one<Due & { mark: string }>(db)`${PREPARED}
    WITH due AS (
      SELECT FROM outbox WHERE failed_at IS NULL AND due_at <= ${clock.now()}
        AND topic <> ALL (${[...heldTopics]}::text[])
    )
    SELECT EXISTS (SELECT FROM due) AS "hasDueJobs",
      EXISTS (
        -- Updates behind a postponed one wait for it.
        SELECT FROM telegram_updates u WHERE handled_at IS NULL AND due_at <= ${clock.now()}
          AND NOT EXISTS (
            SELECT FROM telegram_updates first
            WHERE first.bot = u.bot AND first.queue_key = u.queue_key
              AND first.handled_at IS NULL AND first.update_id < u.update_id
          )
      ) AS "hasDueUpdates",
      EXISTS (SELECT FROM payouts WHERE check_at <= ${clock.now()})
        OR EXISTS (SELECT FROM reported_payouts WHERE check_at <= ${clock.now()})
        -- Skipped while the next webhook about the same payment was being stored. Checks without a
        -- webhook may wait for the rate of their provider, and the clock stands still here.
        OR EXISTS (SELECT FROM payment_checks WHERE reported AND due_at <= ${clock.now()})
        AS "hasDueQuestions",
      concat_ws(' ',
        -- A webhook that came after the asking loop's run changes it.
        (SELECT md5(string_agg(concat_ws(' ', payment_id, due_at, reported), ',' ORDER BY payment_id))
          FROM payment_checks WHERE due_at <= ${clock.now()}),
        (SELECT concat_ws(' ', count(*), max(id), sum(attempts + outages)) FROM outbox),
        (SELECT concat_ws(' ', count(*), count(handled_at), sum(attempts + outages)) FROM telegram_updates)
      ) AS mark
  `;
  return { ...glance, sending };
}

const silent = () => undefined;

/** The first argument of the server's functions, without a running application: no provider has keys. */
export function createTestApp(parts: Partial<App> & { readonly db: Db; readonly clock: Clock }) {
  const config = {
    ...readConfig({
      DATABASE_URL: "postgres://unused",
      SELLER_BOT_TOKEN: "7000000001:seller",
      SECRETS_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
    }),
    publicUrl: "https://sesame.example",
    timeZone: "Africa/Abidjan",
  };
  const log = { info: silent, warn: silent, error: silent };
  return { ...createApp({ config, random: systemRandom, log, pictures, ...parts }), ...parts };
}
