import type { AnswerOf } from "@sesame/contract/routes";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import type { Exchange } from "../../../emulators/src/index.ts";
import { buttonOf, lastTo, messagesTo } from "../../test/groups.ts";
import {
  SELLER_BOT_TOKEN,
  startTestApp,
  type TestApp,
  type TestAppOptions,
} from "../../test/harness.ts";
import { buyProduct, publishProduct } from "../../test/sales.ts";

let app: TestApp;

const started: TestApp[] = [];

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  app = await startTestApp(options);
  started.push(app);
  return app;
}

let shared: Promise<TestApp> | undefined;

/** The same for those that leave nothing the others would meet. */
async function share(): Promise<void> {
  const env = { SUPPORT_TELEGRAM: "@sesame_aide", SUPPORT_WHATSAPP: "+225 01 02" };
  shared ??= startTestApp({ env });
  app = await shared;
}

afterEach(async () => {
  expect(app.takeErrors()).toEqual([]);
  for (const each of started.splice(0)) await each.close();
});
afterAll(async () => (await shared)?.close());

async function talk(personId: number, bot: "seller" | "buyer", text: string): Promise<string> {
  app.emulators.telegram.sendMessage({ personId, to: { bot }, text });
  await app.drain();
  return lastTo(app.emulators, personId, bot).text;
}

async function reachable(personId: number): Promise<Record<string, boolean>> {
  const { rows } = await sql<{ bot: string; reachable: boolean }>`
    SELECT c.bot, c.reachable FROM bot_chats c JOIN people p ON p.id = c.person_id
    WHERE p.telegram_id = ${personId}
  `.execute(app.db);
  return Object.fromEntries(rows.map((row) => [row.bot, row.reachable]));
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
      const said = async (command: string) => {
        await talk(id, bot, command);
        return lastTo(app.emulators, id, bot);
      };
      expect(buttonOf(await said("/privacy"), "Lire la page Confidentialité").url).toBe(
        `${app.url}/confidentialite`,
      );
      expect(buttonOf(await said("/terms"), "Lire les conditions").url).toBe(
        `${app.url}/conditions`,
      );
      const help = await said("/paysupport");
      expect(buttonOf(help, "Écrire au support").url).toBe("https://t.me/sesame_aide");
      expect(buttonOf(help, "Support WhatsApp").url).toBe("https://wa.me/2250102");
    }
    expect(await talk(id, "seller", "/start")).toContain("Bonjour Awa <3");
    expect(buttonOf(lastTo(app.emulators, id, "seller"), "Ouvrir Sésame").kind).toBe("web_app");
  });

  test("show the product whose reference came with /start", async () => {
    await share();
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller, { title: "Club" });
    const product = await publishProduct(app, { seller, group }, { title: "Accès <VIP> & co" });
    const { id } = await app.person();
    expect(await talk(id, "buyer", `/start ${product.reference}`)).toContain("Accès <VIP> & co");
    const card = lastTo(app.emulators, id, "buyer");
    expect(card.text).toMatch(/5\s000 FCFA · 30 jours/);
    expect(buttonOf(card, "Acheter").url).toBe(product.share_link);
    expect(await talk(id, "buyer", "/start nosuchthing")).toContain("Bonjour");
  });

  test("know whether they may write to somebody", async () => {
    await share();
    const { id } = await app.person();
    await talk(id, "buyer", "/start");
    expect(await reachable(id)).toEqual({ buyer: true });
    app.emulators.telegram.blockBot({ personId: id, bot: "buyer" });
    await app.drain();
    expect(await reachable(id)).toEqual({ buyer: false });
    app.emulators.telegram.unblockBot({ personId: id, bot: "buyer" });
    await app.drain();
    expect(await reachable(id)).toEqual({ buyer: true });
  });

  test("can be one and the same", async () => {
    await start({ env: { BUYER_BOT_TOKEN: SELLER_BOT_TOKEN } });
    await app.app.bots.introduce();
    const { id } = await app.person();
    await talk(id, "seller", "/start");
    expect(messagesTo(app.emulators, id, "seller")).toHaveLength(1);
    expect(await reachable(id)).toEqual({ seller: true, buyer: true });
    const seller = await app.signInSeller();
    const group = await app.linkGroup(seller);
    const product = await publishProduct(app, { seller, group });
    const buyer = await app.signInBuyer();
    await talk(buyer.person.id, "buyer", "/start");
    await buyProduct(app, buyer, product.reference);
    expect(lastTo(app.emulators, buyer.person.id, "buyer").text).toContain("Reçu");
  });
});

describe("an update", () => {
  test("that can never be handled does not hold up those behind it", async () => {
    await start();
    const { id } = await app.person();
    const poison = {
      update_id: 5,
      message: { chat: { id, type: "private" }, from: { id: "x" }, text: "" },
    };
    await sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at)
      VALUES ('seller', 5, ${`person:${id}`}, ${JSON.stringify(poison)}, ${app.clock.now()}, ${app.clock.now()})
    `.execute(app.db);
    app.emulators.telegram.sendMessage({ personId: id, to: { bot: "seller" }, text: "/aide" });
    for (let look = 0; look < 4; look++) {
      await app.drain();
      app.clock.advance(10_000);
    }
    await app.drain();
    expect(app.takeErrors().length).toBeGreaterThan(0);
    expect(lastTo(app.emulators, id, "seller").text).toContain("Comment ça marche");
  });
});

describe("by webhook", () => {
  const SECRET = "a-secret_of-the-tests-0123456789";

  const post = (body: unknown, secret: string | null) =>
    app.call("POST", "/webhooks/telegram/seller", {
      body,
      headers: secret === null ? {} : { "x-telegram-bot-api-secret-token": secret },
    });

  const message = (updateId: number, id: number, text: string) => ({
    update_id: updateId,
    message: {
      message_id: updateId,
      date: 1,
      chat: { id, type: "private", first_name: "Awa" },
      from: { id, is_bot: false, first_name: "Awa" },
      text,
    },
  });

  test("updates come with the secret, are stored once, and answered", async () => {
    await start({ env: { PUBLIC_URL: "https://sesame.example", TELEGRAM_WEBHOOK_SECRET: SECRET } });
    const { id } = await app.person();
    app.emulators.telegram.sendMessage({ personId: id, to: { bot: "seller" }, text: "/start" });
    expect((await post(message(1, id, "/aide"), null)).status).toBe(403);
    expect((await post(message(1, id, "/aide"), `${SECRET}x`)).status).toBe(403);
    // Refused, it would come again and hold back all that follows.
    expect((await post("nonsense", SECRET)).status).toBe(200);
    for (let copy = 0; copy < 3; copy++) {
      expect((await post(message(2, id, "/aide \u0000\ud800"), SECRET)).status).toBe(200);
    }
    await app.drain();
    const said = messagesTo(app.emulators, id, "seller").map(({ text }) => text);
    expect(said).toEqual([expect.stringContaining("Comment ça marche")]);
  });

  test("Telegram is told the address, the secret and every kind of update by name", async () => {
    const calls: Exchange[] = [];
    await start({ env: { PUBLIC_URL: "https://sesame.example", TELEGRAM_WEBHOOK_SECRET: SECRET } });
    app.emulators.telegram.onExchange((exchange) => {
      calls.push(exchange);
    });
    await app.app.bots.introduce();
    const told = calls.filter(({ method }) => method.toLowerCase() === "setwebhook");
    expect(told).toHaveLength(2);
    expect(told.map(({ params }) => params)).toEqual([
      expect.objectContaining({ url: "https://sesame.example/webhooks/telegram/seller" }),
      expect.objectContaining({ url: "https://sesame.example/webhooks/telegram/buyer" }),
    ]);
    expect(told[0]?.params["secret_token"]).toBe(SECRET);
    expect(JSON.stringify(told[0]?.params["allowed_updates"])).toContain("chat_join_request");
  });
});

describe("by long polling", () => {
  test("a join request is answered", async () => {
    await start({ env: { ROLES: "http,bot,worker" } });
    const seller = await app.signInSeller();
    const approved = new Promise<void>((resolve) => {
      app.emulators.telegram.onExchange(({ method }) => {
        if (method.toLowerCase() === "approvechatjoinrequest") resolve();
      });
    });
    const kind = "supergroup" as const;
    const personId = seller.person.id;
    const { chatId } = app.emulators.telegram.createChat({
      ownerId: personId,
      kind,
      title: "Vite",
    });
    const rights = ["manage_chat" as const, "restrict_members" as const, "invite_users" as const];
    app.emulators.telegram.addBot({ personId, chatId, bot: "seller", rights });
    const channel = await eventually(async () => {
      const path = "/api/channels";
      const { body } = await app.call<AnswerOf<"GET /api/channels">>("GET", path, {
        token: seller.token,
      });
      assert(body.channels[0], "the group is linked");
      return body.channels[0];
    });
    const group = { id: channel.id, chatId };
    const product = await publishProduct(app, { seller, group });
    const buyer = await app.signInBuyer();
    const made = new Promise<string>((resolve) => {
      app.emulators.telegram.onExchange(({ method, answer }) => {
        if (method.toLowerCase() !== "createchatinvitelink") return;
        resolve(JSON.stringify(answer).match(/https:\/\/t\.me\/\+[\w-]+/)?.[0] ?? "");
      });
    });
    await buyProduct(app, buyer, product.reference);
    const link = await made;
    app.emulators.telegram.join({ personId: buyer.person.id, link });
    await approved;
  });
});

describe("without Telegram", () => {
  test("the server starts and answers all the same", async () => {
    await start({ env: { TELEGRAM_API_ROOT: "http://127.0.0.1:9", ROLES: "http,bot,worker" } });
    expect((await app.call("GET", "/health")).status).toBe(200);
    const seller = await app.signInSeller();
    const links = await app.call("GET", "/api/bot/links", { token: seller.token });
    expect(links.status).toBe(503);
  });
});
