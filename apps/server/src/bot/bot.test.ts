import { addMs, assert, DAY_MS, HOUR_MS, MINUTE_MS, Outage } from "@sesame/kernel";
import { randomUUID } from "node:crypto";
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import type { Exchange } from "../../../emulators/src/index.ts";
import { buttonOf } from "../../test/groups.ts";
import {
  RIGHTS,
  SELLER_BOT_TOKEN,
  openTestApp,
  type TestApp,
  type TestAppOptions,
} from "../../test/harness.ts";
import { buyProduct, openShelf, publishProduct } from "../../test/sales.ts";
import { endDatesAhead, injectedLeaseClock } from "../jobs/leases.ts";
import { createUpdateLoop, type UpdateHandler } from "./update-loop.ts";
import { leaseUpdates, UPDATES_DATES } from "./updates.store.ts";
import { GrammyError } from "grammy";
import {
  createPacer,
  floodWaitMs,
  MESSAGE_SPACING_MS,
  outageOf,
  refusalOf,
  type SendPriority,
} from "./gateway.ts";

let app: TestApp;

const started: TestApp[] = [];

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  app = await openTestApp(options);
  started.push(app);
  return app;
}

let shared: Promise<TestApp> | undefined;

/** The same, shared by tests that leave no state for others. */
async function share(): Promise<void> {
  const env = { SUPPORT_TELEGRAM: "@sesame_aide", SUPPORT_WHATSAPP: "+225 01 02" };
  shared ??= openTestApp({ env });
  app = await shared;
}

afterEach(async () => {
  expect(app?.takeErrors() ?? []).toEqual([]);
  for (const each of started.splice(0)) await each.close();
});
afterAll(async () => (await shared)?.close());

async function talk(personId: number, bot: "seller" | "buyer", text: string): Promise<string> {
  app.write(personId, bot, text);
  await app.drain();
  return app.lastTo(personId, bot).text;
}

const reachable = (personId: number) => app.value`
  SELECT json_object_agg(c.bot, c.reachable) FROM bot_chats c JOIN people p ON p.id = c.person_id
  WHERE p.telegram_id = ${personId}`;

type Stored = { queue?: number; at?: Date; lease?: string | null } & Record<string, unknown>;

/** An update that Telegram sent: default due now, leased by nobody, of a person of its own. */
async function addUpdate(id: number, stored: Stored = {}) {
  const { queue = id, at = app.clock.now(), lease = null, ...content } = stored;
  const body = JSON.stringify({ update_id: id, ...content });
  await app.sql`
    INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at, lease)
    VALUES ('seller', ${id}, ${`person:${queue}`}, ${body}, ${at}, ${at}, ${lease})`;
}

describe("the bots", () => {
  test("answer every command of their menus, in French", async () => {
    await share();
    await app.app.bots.introduce();
    const { id } = await app.person({ first_name: "Awa <3" });
    const bots = app.emulators.telegram.bots();
    for (const bot of ["seller", "buyer"] as const) {
      const view = bots.find((each) => each.role === bot);
      expect(view?.menuButton.type).toBe("web_app");
      expect(view?.commands.map(({ command }) => command)).toEqual(
        expect.arrayContaining(["start", "aide", "paysupport", "terms", "privacy"]),
      );
      const answers = new Set<string>();
      for (const { command } of view?.commands ?? [])
        answers.add(await talk(id, bot, `/${command}`));
      expect(answers.size).toBe(view?.commands.length);
      expect(await talk(id, bot, "bonjour ?")).toContain("/aide");
      for (const [command, button, url] of [
        ["/privacy", "Lire la page Confidentialité", `${app.url}/confidentialite`],
        ["/terms", "Lire les conditions", `${app.url}/conditions`],
        ["/paysupport", "Écrire au support", "https://t.me/sesame_aide"],
        ["/paysupport", "Support WhatsApp", "https://wa.me/2250102"],
      ] as const) {
        await talk(id, bot, command);
        expect(buttonOf(app.lastTo(id, bot), button).url).toBe(url);
      }
    }
    expect(await talk(id, "seller", "/start")).toContain("Bonjour Awa <3");
    expect(buttonOf(app.lastTo(id, "seller"), "Ouvrir Sésame").kind).toBe("web_app");
  });

  test("show the product whose reference came with /start", async () => {
    await share();
    const seller = await app.signInSeller();
    const { product } = await openShelf(app, seller, { title: "Accès <VIP> & co" });
    const { id } = await app.person();
    expect(await talk(id, "buyer", `/start ${product.reference}`)).toContain("Accès <VIP> & co");
    const card = app.lastTo(id, "buyer");
    expect(card.text).toMatch(/5\s000 FCFA · 30 jours/);
    expect(buttonOf(card, "Acheter").url).toBe(product.share_link);
    expect(await talk(id, "buyer", "/start nosuchthing")).toContain("Bonjour");
  });

  test("record whether they may write to a person", async () => {
    await share();
    const { id } = await app.person();
    await talk(id, "buyer", "/start");
    expect(await reachable(id)).toEqual({ buyer: true });
    for (const [change, isReachable] of [
      ["blockBot", false],
      ["unblockBot", true],
    ] as const) {
      app.emulators.telegram[change]({ personId: id, bot: "buyer" });
      await app.drain();
      expect(await reachable(id)).toEqual({ buyer: isReachable });
    }
  });

  test("can be one and the same", async () => {
    await start({ env: { BUYER_BOT_TOKEN: SELLER_BOT_TOKEN } });
    await app.app.bots.introduce();
    const { id } = await app.person();
    await talk(id, "seller", "/start");
    expect(app.messagesTo(id, "seller")).toHaveLength(1);
    expect(await reachable(id)).toEqual({ seller: true, buyer: true });
    const { reference } = await openShelf(app, await app.signInSeller());
    const buyer = await app.signInBuyer();
    await talk(buyer.person.id, "buyer", "/start");
    await buyProduct(app, buyer, reference);
    expect(app.lastTo(buyer.person.id, "buyer").text).toContain("Reçu");
  });
});

test("an update that can never be handled does not block those behind it", async () => {
  await start();
  const { id } = await app.person();
  const message = { chat: { id, type: "private" }, from: { id: "x" }, text: "" };
  await addUpdate(5, { queue: id, message });
  app.write(id, "seller", "/aide");
  for (let look = 0; look < 4; look++) {
    await app.drain();
    app.clock.advance(10_000);
  }
  await app.drain();
  expect(app.takeErrors().length).toBeGreaterThan(0);
  expect(app.lastTo(id, "seller").text).toContain("Comment ça marche");
});

describe("by webhook", () => {
  const SECRET = "a-secret_of-the-tests-0123456789";
  const env = { PUBLIC_URL: "https://sesame.example", TELEGRAM_WEBHOOK_SECRET: SECRET };

  test("updates with the secret are stored once, and answered", async () => {
    await start({ env });
    const { id } = await app.person();
    const post = async (body: unknown, secret?: string) => {
      const proof = secret && { headers: { "x-telegram-bot-api-secret-token": secret } };
      return (await app.call("POST", "/webhooks/telegram/seller", { body, ...proof })).status;
    };
    const message = (number: number, text: string) => {
      const chat = { id, type: "private", first_name: "Awa" };
      const from = { id, is_bot: false, first_name: "Awa" };
      return { update_id: number, message: { message_id: number, date: 1, chat, from, text } };
    };
    app.write(id, "seller", "/start");
    expect(await post(message(1, "/aide"))).toBe(403);
    expect(await post(message(1, "/aide"), `${SECRET}x`)).toBe(403);
    // Refused, it would come again and block all later ones.
    expect(await post("nonsense", SECRET)).toBe(200);
    for (let copy = 0; copy < 3; copy++)
      expect(await post(message(2, "/aide \u0000\ud800"), SECRET)).toBe(200);
    await app.drain();
    expect(app.textsTo(id, "seller")).toEqual([expect.stringContaining("Comment ça marche")]);
  });

  test("Telegram gets the address, the secret and every kind of update by name", async () => {
    const calls: Exchange[] = [];
    await start({ env });
    app.emulators.telegram.onExchange((exchange) => calls.push(exchange));
    await app.app.bots.introduce();
    const setWebhooks = calls.filter(({ method }) => method.toLowerCase() === "setwebhook");
    expect(setWebhooks.map(({ params }) => params)).toMatchObject([
      { url: "https://sesame.example/webhooks/telegram/seller", secret_token: SECRET },
      { url: "https://sesame.example/webhooks/telegram/buyer" },
    ]);
    const kinds = JSON.stringify(setWebhooks[0]?.params["allowed_updates"]);
    expect(kinds).toContain("chat_join_request");
  });
});

test("by long polling, a join request is answered", async () => {
  await start({ env: { ROLES: "http,bot,worker" } });
  const seller = await app.signInSeller();
  /** The answer to the next call of this method. */
  const answerTo = (name: string) =>
    new Promise<unknown>((resolve) => {
      app.emulators.telegram.onExchange(({ method, answer }) => {
        if (method.toLowerCase() === name) resolve(answer);
      });
    });
  const approved = answerTo("approvechatjoinrequest");
  const kind = "supergroup" as const;
  const personId = seller.person.id;
  const { chatId } = app.emulators.telegram.createChat({ ownerId: personId, kind, title: "Vite" });
  app.emulators.telegram.addBot({ personId, chatId, bot: "seller", rights: [...RIGHTS] });
  const channel = await eventually(async () => {
    const { channels } = await app.read("GET /api/channels", seller);
    assert(channels[0], "the group is linked");
    return channels[0];
  });
  const group = { id: channel.id, chatId };
  const product = await publishProduct(app, { seller, group });
  const buyer = await app.signInBuyer();
  const made = answerTo("createchatinvitelink");
  await buyProduct(app, buyer, product.reference);
  const [link = ""] = JSON.stringify(await made).match(/https:\/\/t\.me\/\+[\w-]+/) ?? [];
  app.emulators.telegram.join({ personId: buyer.person.id, link });
  await approved;
});

test("without Telegram, the server starts and answers all the same", async () => {
  await start({ env: { TELEGRAM_API_ROOT: "http://127.0.0.1:9", ROLES: "http,bot,worker" } });
  expect((await app.call("GET", "/health")).status).toBe(200);
  const seller = await app.signInSeller();
  expect((await app.call("GET", "/api/bot/links", seller)).status).toBe(503);
});

function loopOf(handler: UpdateHandler) {
  const { db, clock } = app;
  return createUpdateLoop({ db, clock, log: app.app.http.log }, "seller", [handler]);
}

/** A loop, and the numbers of the updates it has handled. */
function recorder() {
  const handled: number[] = [];
  return { handled, loop: loopOf(async (update) => void handled.push(update.update_id)) };
}

describe("an update", () => {
  beforeEach(share);

  test("whose handling was interrupted by a kill is handled by another within ten seconds", async () => {
    const { clock, db } = app;
    await addUpdate(77);
    const lease = { limit: 1, clock: injectedLeaseClock(clock) };
    expect(await leaseUpdates(db, "seller", lease)).toHaveLength(1);
    const { handled, loop } = recorder();
    clock.advance(9_999);
    await loop.drain();
    expect(handled).toEqual([]);
    clock.advance(1);
    await loop.drain();
    await loop.stop();
    expect(handled).toEqual([77]);
  });

  test("leased by a clock forty days ahead is handled when the clock is put back", async () => {
    const { clock, db } = app;
    const at = addMs(clock.now(), 40 * DAY_MS);
    await addUpdate(78, { at, lease: randomUUID() });
    await addUpdate(79, { at });
    const { handled, loop } = recorder();
    await loop.drain();
    expect(handled, "what nobody has begun waits for no clock").toEqual([79]);
    for (const date of UPDATES_DATES) await endDatesAhead(db, date, injectedLeaseClock(clock));
    await loop.drain();
    await loop.stop();
    expect(handled.toSorted()).toEqual([78, 79]);
  });

  test("waits through 48 hours without Telegram, and is handled once when Telegram is back", async () => {
    const { clock } = app;
    const everyOne = Array.from({ length: 20 }, (_, index) => 100 + index);
    for (const id of everyOne) await addUpdate(id, { chat_join_request: "{}" });
    const handled: number[] = [];
    let isDead = true;
    const updateLoop = loopOf(async (update) => {
      if (!isDead) return void handled.push(update.update_id);
      const cause = new Error("ECONNREFUSED");
      throw new Outage("telegram did not answer", { party: "telegram", retryable: true, cause });
    });
    for (let hours = 0; hours < 48; hours += 1) {
      await updateLoop.drain();
      clock.advance(HOUR_MS);
    }
    isDead = false;
    for (let turn = 0; turn < 3; turn += 1) {
      await updateLoop.drain();
      clock.advance(10 * MINUTE_MS);
    }
    await updateLoop.stop();
    expect(handled.toSorted((a, b) => a - b)).toEqual(everyOne);
  });
});

function said(code: number, description: string, parameters = {}) {
  const answer = { ok: false, error_code: code, description, parameters } as const;
  return new GrammyError("Call failed!", answer, "sendMessage", {});
}

const QUERY_TOO_OLD =
  "Bad Request: query is too old and response timeout expired or query ID is invalid";

/** Texts of Telegram's own server. */
const REFUSALS = [
  [403, "Forbidden: bot was kicked from the supergroup chat", "chat-gone"],
  [403, "Forbidden: bot was kicked from the channel chat", "chat-gone"],
  [403, "Forbidden: bot is not a member of the channel chat", "chat-gone"],
  [403, "Forbidden: the group chat was deleted", "chat-gone"],
  [400, "Bad Request: chat not found", "chat-gone"],
  [400, "Bad Request: not enough rights to manage chat invite link", "rights-missing"],
  [400, "Bad Request: not enough rights to manage chat join requests", "rights-missing"],
  [400, "Bad Request: not enough rights to restrict/unrestrict chat member", "rights-missing"],
  [400, "Bad Request: CHAT_ADMIN_REQUIRED", "rights-missing"],
  [400, "Bad Request: member list is inaccessible", "rights-missing"],
  [400, "Bad Request: user is an administrator of the chat", "is-admin"],
  [400, "Bad Request: USER_ADMIN_INVALID", "is-admin"],
  [400, "Bad Request: can't remove chat owner", "is-admin"],
  [400, "Bad Request: USER_ALREADY_PARTICIPANT", "already-participant"],
  [400, "Bad Request: HIDE_REQUESTER_MISSING", "request-missing"],
  [400, "Bad Request: CHANNELS_TOO_MUCH", "too-many-chats"],
  [400, "Bad Request: USER_CHANNELS_TOO_MUCH", "too-many-chats"],
  [400, "Bad Request: USER_ID_INVALID", "user-unknown"],
  [400, "Bad Request: PARTICIPANT_ID_INVALID", "user-unknown"],
  [400, "Bad Request: user not found", "user-unknown"],
  [400, "Bad Request: member not found", "user-unknown"],
  [403, "Forbidden: user is deactivated", "user-unknown"],
  [400, "Bad Request: method is available for supergroup and channel chats only", "basic-group"],
  [403, "Forbidden: bot can't initiate conversation with a user", "user-unreachable"],
  [403, "Forbidden: the bot can't send messages to the bot", "user-unreachable"],
  [403, "Forbidden: bot was blocked by the user", "blocked"],
  [400, QUERY_TOO_OLD, "nothing-to-do"],
  [400, "Bad Request: SOMETHING_NEW", "unknown"],
] as const;

describe("a refusal by Telegram", () => {
  test.each(REFUSALS)("%i %s is %s", (code, description, kind) => {
    expect(refusalOf(said(code, description))?.kind).toBe(kind);
  });

  test("with the chat's new id is a migration to it", () => {
    const words = "Bad Request: group chat was upgraded to a supergroup chat";
    const error = said(400, words, { migrate_to_chat_id: -1_002_000_000_001 });
    expect(refusalOf(error)).toMatchObject({ kind: "migrated", to: -1_002_000_000_001n });
  });
});

describe("an outage of Telegram", () => {
  test.each([
    [429, "Too Many Requests: retry after 5"],
    [500, "Internal Server Error: restart"],
    [401, "Unauthorized"],
    [409, "Conflict: terminated by other getUpdates request"],
  ])("%i %s gives no information about a person or chat", (code, description) => {
    expect(refusalOf(said(code, description))).toBeNull();
    expect(outageOf(said(code, description))).toMatchObject({ party: "telegram", retryable: true });
  });

  test("contains the required wait", () => {
    const flood = said(429, "Too Many Requests: retry after 5", { retry_after: 5 });
    expect(floodWaitMs(flood)).toBe(5_000);
    expect(outageOf(flood).retryAfterMs).toBe(5_000);
  });

  test("is the result of a broken connection", () => {
    expect(refusalOf(new Error("socket hang up"))).toBeNull();
    expect(outageOf(new Error("socket hang up")).retryable).toBe(true);
  });
});

describe("the pacer of messages", () => {
  test("sends urgent ones before those that came earlier", async () => {
    const pacer = createPacer(1);
    const gone: string[] = [];
    const send = (name: string, priority: SendPriority) =>
      pacer.turn(priority).then(() => gone.push(name));
    await Promise.all([
      send("first", 3),
      send("reminder", 2),
      send("broadcast", 3),
      send("access", 0),
      send("receipt", 1),
      send("second access", 0),
    ]);
    expect(gone).toEqual(["first", "access", "second access", "receipt", "reminder", "broadcast"]);
  });

  test("never sends two closer than its spacing, which is within Telegram's thirty a second", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const pacer = createPacer(MESSAGE_SPACING_MS);
    const at: number[] = [];
    const turns = Array.from({ length: 5 }, () =>
      pacer.turn(1).then(() => at.push(performance.now())),
    );
    await vi.advanceTimersByTimeAsync(1_000);
    await Promise.all(turns);
    const gaps = at.slice(1).map((instant, index) => instant - (at[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000 / 30);
  });
});
