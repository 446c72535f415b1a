import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { io } from "socket.io-client";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { askWithdrawal, fundSeller } from "../../../test/funds.ts";
import { buttonsOf, createGroupFixtures } from "../../../test/groups.ts";
import { OPERATOR_ID, type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { HOSTILE_TEXTS } from "../../../test/hostile.ts";
import { pagesOf } from "../../../test/http.ts";
import { buyProduct } from "../../../test/sales.ts";
import { keepTables } from "../../../test/tables.ts";

/** One of the first people of the emulators. */
const FATOU = 7_100_000_001;

const app = await startTestApp({
  env: { AGENT_TELEGRAM_IDS: String(FATOU), SUPPORT_WHATSAPP: "+225 07 00 00 00 00" },
});
const { talk, openShop, buyerInTouch, advance } = createGroupFixtures(app);
const agent = await app.signInSeller({ id: FATOU, first_name: "Fatou" });
await talk(FATOU, "seller", "/start");
const shop = await openShop();

type Who = { readonly token: string };
const WORDS = "Bonjour, mon retrait n'est pas arrivé.";
const open = (who: Who, fields: object = {}, key?: string) =>
  app.send("POST /api/support/tickets", who, { sujet: "other", message: WORDS, ...fields }, key);
type Words = readonly [message: unknown, key?: string];
const write = (who: Who, id: string, ...[message, key]: Words) =>
  app.send("POST /api/support/tickets/:id/messages", who, { id, message }, key);
const act = (who: Who, id: string, verb: "close" | "read") =>
  app.send(`POST /api/support/tickets/:id/${verb}`, who, { id });
const answer = (who: Who, id: string, ...[message, key]: Words) =>
  app.send("POST /api/desk/tickets/:id/answer", who, { id, message }, key);
const close = (who: Who, id: string) => app.send("POST /api/desk/tickets/:id/close", who, { id });
const backOffice = () => app.read("GET /api/desk", agent);
const queue = (page: object = { limit: 100 }) =>
  app.read("GET /api/desk/tickets", agent, { view: "open", ...page });
const support = (who: Who) => app.read("GET /api/support", who);
const idOf = async (opened: ReturnType<typeof open>) => (await opened).body.ticket.id;

const premiumSeller = () => app.seller({ plan: "premium" });

describe("a seller who needs help", () => {
  test("writes, gets the answer live and by the bot, and opens the ticket again by writing", async () => {
    const orderId = await buyProduct(app, await buyerInTouch(), shop.reference);
    const opened = await open(shop.seller, { sujet: "sale", commande: orderId });
    expect([opened.status, opened.body.ticket]).toMatchObject([
      201,
      { status: "ouvert", order: { id: orderId }, messages: [{ author: "vendeur", words: WORDS }] },
    ]);
    const { id } = opened.body.ticket;
    await app.drain();
    expect(app.lastTo(FATOU, "seller").text).toContain("Nouvelle demande d'assistance");
    expect(await backOffice()).toMatchObject({ counts: { tickets: 1 } });

    const pushed = await listen(shop.seller, "private:message");
    const message = "Nous regardons <b>cela</b>.";
    const answered = { status: "repondu", waiting_since: null };
    expect((await answer(agent, id, message)).body.ticket).toMatchObject(answered);
    expect(await pushed.first).toEqual({ username: "Support Sésame", message });
    pushed.close();
    await app.drain();
    const said = app.lastTo(shop.seller.person.id, "seller");
    expect(said.text).toContain(message);
    expect(buttonsOf(said)).toMatchObject([[{ text: "Lire la réponse" }]]);
    expect(await backOffice()).toMatchObject({ counts: { tickets: 0 } });

    const unread = { id, unread: 1, last_author: "assistance" };
    const list = await app.read("GET /api/support/tickets", shop.seller);
    expect(list).toMatchObject({ unread: 1, tickets: [unread] });
    expect((await act(shop.seller, id, "read")).body.ticket.unread).toBe(0);
    const closed = { status: "clos", may: { close: false } };
    expect((await act(shop.seller, id, "close")).body.ticket).toMatchObject(closed);
    expect((await write(shop.seller, id, "Toujours rien")).body.ticket.status).toBe("ouvert");
    expect((await queue()).tickets).toMatchObject([{ id }]);
    for (let count = 0; count < 2; count += 1) {
      expect((await close(agent, id)).body.ticket.status).toBe("clos");
    }
    await app.drain();
    expect(app.lastTo(shop.seller.person.id, "seller").text).toContain("est close");
    expect(await app.auditEntries(`ticket:${id}`)).toEqual(["ticket.answer", "ticket.close"]);
    const rows = await app.sql`
      SELECT action, after, reason FROM audit_log WHERE subject = ${`ticket:${id}`}`;
    expect(JSON.stringify(rows)).not.toContain("Nous regardons");
  });

  test("comes before the others when the plan has priority, and else by waiting time", async () => {
    const plain = await app.signInSeller();
    const first = await idOf(open(plain));
    app.clock.advance(HOUR_MS);
    const second = await idOf(open(await app.signInSeller()));
    app.clock.advance(HOUR_MS);
    const premium = await idOf(open(await premiumSeller()));
    expect((await queue()).tickets).toMatchObject([
      { id: premium, priority: true },
      { id: first, priority: false },
      { id: second, priority: false },
    ]);
    const pages = await pagesOf((cursor) => queue({ limit: 1, cursor }));
    const ids = pages.flatMap(({ tickets }) => tickets.map(({ id }) => id));
    expect(ids).toEqual([premium, first, second]);
    // A second message keeps the place in the queue.
    await write(plain, first, "Encore un mot");
    expect((await queue()).tickets[1]?.id).toBe(first);
    for (const id of [premium, first, second]) await close(agent, id);
    expect((await queue()).counts).toEqual({ open: 0, answered: 0 });
  });

  test("causes one notification with those of the same seconds", async () => {
    await app.drain();
    app.clock.advance(HOUR_MS);
    const before = app.messagesTo(FATOU, "seller").length;
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push(await idOf(open(await app.signInSeller())));
      await app.drain();
    }
    expect(app.messagesTo(FATOU, "seller")).toHaveLength(before + 1);
    await advance(20_000);
    expect(app.messagesTo(FATOU, "seller")).toHaveLength(before + 2);
    expect(app.lastTo(FATOU, "seller").text).toContain("2 demandes d'assistance");
    for (const id of ids) await close(agent, id);
  });

  test("has one message, however often it is sent", async () => {
    const seller = await app.signInSeller();
    const both = await Promise.all([open(seller, {}, "k-open"), open(seller, {}, "k-open")]);
    const [id = ""] = both.map(({ body }) => body.ticket.id);
    const opened = { status: 201, body: { ticket: { id } } };
    expect(both).toMatchObject([opened, opened]);
    await Promise.all([write(seller, id, "Une fois", "k-w"), write(seller, id, "Une fois", "k-w")]);
    await Promise.all([answer(agent, id, "Bien", "k-a"), answer(agent, id, "Bien", "k-a")]);
    const { ticket } = await app.read("GET /api/support/tickets/:id", seller, { id });
    expect(ticket.messages.map(({ words }) => words)).toEqual([WORDS, "Une fois", "Bien"]);
    expect((await write(seller, id, "Autre chose", "k-w")).status).toBe(409);
    await app.drain();
  });

  test("may write anything, and it stays as it was", async () => {
    const seller = await app.signInSeller();
    await talk(seller.person.id, "seller", "/start");
    const id = await idOf(open(seller));
    for (const text of HOSTILE_TEXTS.filter((each) => each.trim().length >= 2).slice(0, 8)) {
      const said = await write(seller, id, text);
      expect(said.body.ticket.messages.at(-1)?.words).toBe(text.trim());
      await answer(agent, id, text);
    }
    await app.drain();
    await close(agent, id);
    await app.drain();
  });
});

describe("a message to the support is refused", () => {
  test("by the first reason that applies, in this order", async () => {
    const seller = await app.signInSeller();
    const other = await app.signInSeller();
    const buyer = await app.signInBuyer();
    const orderId = await buyProduct(app, await buyerInTouch(), shop.reference);
    await fundSeller(app, other, 10_000, "free");
    const withdrawal = await askWithdrawal(app, other);
    const long = "a".repeat(2_001);
    const id = await idOf(open(other));
    const own = await idOf(open(agent));
    const table: [string, Promise<{ status: number; body: { code?: string } }>, number][] = [
      ["support.kind-missing", open(seller, { sujet: "none", message: long }), 422],
      ["support.words-missing", open(seller, { message: "  court  ", commande: "1" }), 422],
      ["support.words-too-long", open(seller, { message: long, commande: "1" }), 422],
      ["support.subject-not-found", open(seller, { commande: orderId }), 404],
      ["support.subject-not-found", open(seller, { commande: "999999999" }), 404],
      ["support.subject-not-found", open(seller, { retrait: withdrawal.id }), 404],
      ["support.subject-not-found", open(seller, { commande: "x" }), 404],
      ["support.ticket-not-found", write(seller, id, ""), 404],
      ["support.ticket-not-found", act(seller, id, "read"), 404],
      ["support.ticket-not-found", act(seller, id, "close"), 404],
      ["support.words-missing", write(other, id, " "), 422],
      ["support.own-ticket", answer(agent, own, ""), 403],
      ["support.own-ticket", close(agent, own), 403],
      ["support.words-missing", answer(agent, id, ""), 422],
      ["support.ticket-not-found", answer(agent, "999999999", ""), 404],
      ["identity.wrong-role", open(buyer), 403],
      ["identity.wrong-role", answer(seller, id, "Bonjour"), 403],
    ];
    for (const [code, refused, status] of table) {
      const { body, status: answered } = await refused;
      expect([body.code, answered]).toEqual([code, status]);
    }
    expect((await open(other, { retrait: withdrawal.id })).status).toBe(201);
    const look = (about: string) => app.send("GET /api/support/tickets/:id", seller, { id: about });
    const { body } = await look("999999999");
    expect(await look(id)).toMatchObject({ status: 404, body });
  });

  test("beyond five open ones, and twenty messages of a day", async () => {
    const seller = await app.signInSeller();
    const made = await Promise.all(Array.from({ length: 7 }, () => open(seller)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(made.find(({ status }) => status !== 201)?.body.code).toBe("support.too-many-open");
    const id = made.find(({ status }) => status === 201)?.body.ticket.id ?? "";
    for (let count = 5; count < 20; count += 1) await write(seller, id, `Message ${count}`);
    expect((await write(seller, id, "Un de plus")).body.code).toBe("support.too-many-words");
    app.clock.advance(DAY_MS);
    expect((await write(seller, id, "Le lendemain")).status).toBe(200);
  });
});

/** Waits for the next event of a name in the seller's app. */
async function listen(seller: SignedInSeller, event: string) {
  const socket = io(app.url, { auth: { token: seller.token }, transports: ["websocket"] });
  await new Promise((done) => socket.on("connect", () => done(null)));
  const first = new Promise<unknown>((received) => socket.once(event, received));
  return { first, close: () => socket.close() };
}

describe("the support's page", () => {
  let toDefaults: () => Promise<void>;
  beforeAll(async () => {
    toDefaults = await keepTables(app.db, ["settings", "settings_changes"]);
  });
  beforeEach(() => app.clock.setOffset(0));
  afterEach(() => toDefaults());

  test("displays when the support is open, by one setting and the instance's clock", async () => {
    const at = async (instant: string) => {
      app.clock.advance(Date.parse(instant) - app.clock.now().getTime());
      const seller = await app.signInSeller();
      return (await support(seller)).hours;
    };
    const label = "du lundi au vendredi, de 9 h à 18 h";
    const open = { open: true, label, says: "Ouvert jusqu'à 18 h" };
    expect(await at("2026-12-04T17:59:00Z")).toEqual(open);
    const shut = { open: false, says: "Fermé, de retour lundi à 9 h" };
    expect(await at("2026-12-04T18:00:00Z")).toMatchObject(shut);
    expect((await at("2026-12-07T08:00:00Z")).says).toBe("Fermé, de retour à 9 h");
    const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Ibrahim" });
    const { settings } = await app.read("GET /api/desk/settings", operator);
    const daily = { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 6, to_hour: 22 };
    const changes = { hours: { ...settings.hours, support: daily } };
    await app.done("PUT /api/desk/settings", operator, { changes, reason: "Essai" });
    expect((await at("2026-12-06T21:00:00Z")).says).toBe("Ouvert jusqu'à 22 h");
  });

  test("opens the operator's contacts, and lists what a ticket may be about", async () => {
    const page = await support(shop.seller);
    expect(page.contacts).toEqual({ whatsapp: "https://wa.me/2250700000000", telegram: null });
    expect(page).toMatchObject({ priority: false, reply_hours: 24 });
    const text = expect.any(String);
    expect(page.subjects[0]).toMatchObject({ what: "commande", label: text, buyer: text });
    expect((await support(await premiumSeller())).priority).toBe(true);
  });

  test("has one source of questions, with the current figures", async () => {
    const { chapters } = await app.read("GET /api/support/faq");
    expect(Object.entries(chapters).map(([name, list]) => [name, list.length])).toEqual([
      ["settings", 4],
      ["index", 4],
      ["plans", 3],
    ]);
    expect(chapters.settings.map(({ question }) => question)).toEqual([
      "Comment fonctionne le service\u202f?",
      "Comment ajouter un moyen de paiement\u202f?",
      "Comment fonctionnent les retraits\u202f?",
      "Comment relier un groupe Telegram\u202f?",
    ]);
    const all = JSON.stringify(chapters);
    expect(all).toContain("18\u202f%");
    expect(all).toContain("50\u00a0000\u00a0FCFA");
    expect(all).not.toMatch(/15 février|24\/7|5 minutes/i);
    // KkiaPay is not active until the seller switches it on (decision 3).
    expect(all).toMatch(/déjà actifs, sauf KkiaPay/);
    expect(all).toMatch(/Aujourd'hui[^.]*Moneroo[^.]*\. À activer vous-même[^.]*: KkiaPay\./);
    const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Ibrahim" });
    const changes = { fee_rates: { free: 1_250, premium: 0 }, stars_only: true };
    await app.send("PUT /api/desk/settings", operator, { changes, reason: "Essai" });
    const after = JSON.stringify(await app.read("GET /api/support/faq", shop.seller));
    expect(after).toContain("12,5\u202f%");
    expect(after).not.toContain("18\u202f%");
    expect(after).toMatch(/Aujourd'hui[^.]*: Telegram Stars\. Vos acheteurs/);
    expect(after).not.toMatch(/Moneroo|KkiaPay/);
  });
});
