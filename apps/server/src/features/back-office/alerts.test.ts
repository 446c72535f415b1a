import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createGroupFixtures, leaveGroups } from "../../../test/groups.ts";
import { type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import { HOSTILE_TEXTS } from "../../../test/hostile.ts";
import { pagesOf } from "../../../test/http.ts";
import { buyProduct, type Shelf } from "../../../test/sales.ts";
import { dayIn, inFrench, keepTables, pastGuards } from "../../../test/tables.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../test/withdrawals.ts";

let agent: SignedInBuyer;
let operator: SignedInBuyer;

let logged: bigint;

const app = await startTestApp({ env: STAFF_ENV });
const fixture = createStaffFixtures(app);
/** Each test starts without alerts and jobs. */
beforeEach(async () => {
  agent = await fixture.agent(0);
  operator = await fixture.operator(0);
  await app.sql`DELETE FROM alerts`;
  await app.sql`DELETE FROM outbox`;
  await app.sql`DELETE FROM telegram_updates`;
  logged = await app.lastLogged();
});
afterEach(() => expect(app.takeErrors()).toEqual([]));

const raise = (kind: string, subject: string, details: unknown = {}) => app.value<string>`
  INSERT INTO alerts (kind, subject, details, created_at)
  VALUES (${kind}, ${subject}, ${JSON.stringify(details)}, ${app.clock.now()}) RETURNING id::text`;

const list = (query: object = {}) => app.read("GET /api/desk/alerts", agent, query);
const resolve = (id: string, body: object = { note: "Vu avec le vendeur" }, who = agent) =>
  app.send("POST /api/desk/alerts/:id/resolve", who, { id, ...body });

describe("the alerts of the back office", () => {
  test("display what happened, to whom, and where to look", async () => {
    const shop = await createGroupFixtures(app).openShop();
    const orderId = await buyProduct(app, await app.signInBuyer(), shop.reference);
    const payment = await app.value<string>`
      SELECT 'payment:' || id FROM payments WHERE order_id = ${orderId}`;
    const details = { order_id: orderId, expected: "5000", received: "4000", reason: "amount" };
    await raise("payment.mismatch", payment, details);
    const { alerts, counts } = await list();
    expect(alerts).toMatchObject([
      {
        kind: "payment.mismatch",
        severity: "critical",
        title: "Paiement reçu différent de la commande",
        facts: [
          { label: "Motif", value: "amount" },
          { label: "Attendu", value: "5000" },
          { label: "Reçu" },
        ],
        may_resolve: { allowed: false, reason: expect.stringContaining("se ferme d'elle-même") },
      },
    ]);
    expect(alerts[0]?.links.map(({ type, id }) => `${type}:${id}`)).toEqual([
      `order:${orderId}`,
      payment,
      `seller:${shop.seller.id}`,
    ]);
    expect(counts).toMatchObject([{ kind: "payment.mismatch", open: 1 }]);
  });

  test("are resolved once, with a note that is stored with them and in the log", async () => {
    const id = await raise("access.cannot-open", "access:1");
    expect((await resolve(id, {})).body.code).toBe("desk.reason-missing");
    const { body } = await resolve(id);
    expect(body.alert).toMatchObject({
      resolved_by: { id: agent.id },
      resolution: "Vu avec le vendeur",
    });
    expect((await resolve(id)).body.code).toBe("desk.alert-resolved");
    expect((await list()).alerts).toEqual([]);
    expect((await list({ status: "resolved" })).alerts).toHaveLength(1);
    const rows = await app.sql`
      SELECT action, subject, reason, before FROM audit_log WHERE seq > ${logged}`;
    expect(rows).toMatchObject([
      { action: "alert.resolve", subject: `alert:${id}`, reason: "Vu avec le vendeur" },
    ]);
    expect((await resolve("999999999")).status).toBe(404);
  });

  test("about the ledger are resolved by an operator, about oneself by somebody else", async () => {
    const books = await raise("ledger.broken", "posted: seller:1:free");
    const barred = { status: 403, body: { code: "desk.alert-operator-only" } };
    expect(await resolve(books)).toMatchObject(barred);
    expect((await resolve(books, { note: "Corrigé" }, operator)).status).toBe(200);
    const own = await app.signInSeller(operator.person);
    const mine = await raise("payouts.frozen-by-seller", `seller:${own.id}`);
    expect((await resolve(mine, { note: "Moi" }, operator)).body.code).toBe("desk.alert-own");
  });

  test("are read in pages, newest first", async () => {
    for (let n = 0; n < 7; n += 1) {
      app.clock.advance(n % 2 === 0 ? MINUTE_MS : 0);
      await raise("access.cannot-open", `access:${n}`);
    }
    const pages = await pagesOf((cursor) => list({ limit: 3, cursor }));
    const seen = pages.flatMap(({ alerts }) => alerts.map(({ subject }) => subject));
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `access:${n}`));
    expect((await app.send("GET /api/desk/alerts", agent, { cursor: "x" })).status).toBe(400);
  });

  test("display whatever their details contain as text", async () => {
    for (const [n, text] of HOSTILE_TEXTS.entries()) {
      const kind = text.slice(0, 50).replaceAll("\0", "");
      await raise(kind, `order:${n}x`, { said: text, reason: {} });
    }
    const { alerts } = await list({ limit: 100 });
    expect(alerts).toHaveLength(HOSTILE_TEXTS.length);
  });
});

describe("a report of a product", () => {
  let shop: Shelf;
  beforeEach(async () => {
    await leaveGroups(app);
    shop = await createGroupFixtures(app).openShop();
  });
  const report = (who: { token: string }, change: object = {}) => {
    const fields = { reference: shop.reference, motif: "scam", message: "Il ne répond pas" };
    return app.send("POST /api/reports", who, { ...fields, ...change });
  };

  test("is accepted once for each buyer, and is one alert that counts them", async () => {
    const buyer = await app.signInBuyer();
    await buyProduct(app, buyer, shop.reference);
    const stranger = await app.signInBuyer();
    expect((await report(buyer)).body.already).toBe(false);
    expect((await report(buyer, { motif: "forbidden" })).body.already).toBe(true);
    await report(stranger, { motif: "other", message: "Copie d'un autre" });
    const { alerts } = await list();
    expect(alerts).toMatchObject([{ kind: "product.reported", title: "Produit signalé" }]);
    const facts = Object.fromEntries(alerts[0]?.facts.map((f) => [f.label, f.value]) ?? []);
    expect(facts).toMatchObject({
      Signalements: "2",
      "dont acheteurs": "1",
      "Dernier motif": "Autre motif",
      "Dernier message": "Copie d'un autre",
    });
  });

  test("made many times at once is one", async () => {
    const buyer = await app.signInBuyer();
    const answers = await Promise.all(Array.from({ length: 6 }, () => report(buyer)));
    expect(answers.filter(({ body }) => !body.already)).toHaveLength(1);
  });

  test("opens its alert again", async () => {
    await report(await app.signInBuyer());
    await resolve((await list()).alerts[0]?.id ?? "");
    await report(await app.signInBuyer());
    expect((await list()).alerts).toHaveLength(1);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["of nothing", { reference: "nosuchref1" }, "report.product-not-found"],
    ["of no reference", { reference: { a: 1 } }, "report.product-not-found"],
    ["without a reason of ours", { motif: "toString" }, "report.reason-unknown"],
    ["of another kind without words", { motif: "other", message: " " }, "report.message-missing"],
    ["of a book", { message: "x".repeat(501) }, "report.message-too-long"],
  ])("is refused %s", async (_what, body, code) => {
    expect((await report(await app.signInBuyer(), body)).body.code).toBe(code);
  });

  test("is refused about one's own product, and beyond ten a day", async () => {
    expect((await report(shop.seller)).body.code).toBe("report.own-product");
    const buyer = await app.signInBuyer();
    await app.sql`
      INSERT INTO products (seller_id, group_id, reference, title, price, duration_minutes,
        created_at, updated_at)
      SELECT seller_id, group_id, 'copy-' || n || '-x', title, price, duration_minutes, created_at,
        updated_at FROM products, generate_series(1, 10) AS n WHERE reference = ${shop.reference}`;
    for (let n = 1; n <= 10; n += 1) {
      expect((await report(buyer, { reference: `copy-${n}-x` })).status).toBe(200);
    }
    expect((await report(buyer)).body.code).toBe("report.too-many");
    app.clock.advance(DAY_MS);
    expect((await report(await app.signInBuyer(buyer.person))).status).toBe(200);
  });
});

const readAudit = (query: object = {}) => app.read("GET /api/desk/audit", operator, query);

describe("the audit log in the back office", () => {
  test("is read in pages and by subject, with the state of its chain", async () => {
    // The hourly check of the chain has run.
    await app.drain();
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push(await raise("access.cannot-open", `access:${n}`));
      await resolve(ids[n] ?? "", { note: '=1+1;"x"' });
    }
    const [first, second, third] = [1n, 2n, 3n].map((nth) => String(logged + nth));
    const page = await readAudit({ limit: 2 });
    expect(page.rows).toMatchObject([
      { seq: third, actor: { id: agent.id }, role: "agent", label: "Alerte close" },
      { seq: second },
    ]);
    expect(page.state).toMatchObject({ whole: true, length: Number(third), problems: [] });
    const rest = await readAudit({ limit: 2, cursor: page.next_cursor });
    expect(rest.rows[0]).toMatchObject({ seq: first });
    expect((await readAudit({ subject: `alert:${ids[1]}` })).rows).toHaveLength(1);
    const { id: actor } = await app.signInBuyer();
    expect((await readAudit({ actor })).rows).toEqual([]);
    expect((await readAudit({ verify: 1 })).state).toMatchObject({ whole: true });
    const putBack = await keepTables(app.db, ["audit_log"]);
    await pastGuards(app.db, sql`UPDATE audit_log SET reason = 'other' WHERE seq = ${second}`);
    const broken = await readAudit({ verify: 1 });
    await putBack();
    expect(broken.state).toMatchObject({
      whole: false,
      problems: [{ invariant: "row of the log", subject: `audit:${second}` }],
    });
  });

  test("is exported as a CSV, for three months at most", async () => {
    // A day without other entries.
    app.clock.advance(DAY_MS);
    await resolve(await raise("access.cannot-open", "access:1"), { note: "=1+1" });
    const get = (from: string, to: string) =>
      app.call<string>("GET", `/api/desk/audit/export?from=${from}&to=${to}`, operator);
    const today = dayIn(app.clock, 0);
    const time = `${inFrench(today)} ${app.clock.now().toISOString().slice(11, 19)}`;
    const [head, row, end] = (await get(today, today)).body.split("\r\n");
    expect(head).toContain("N°;Date;Auteur");
    expect(row).toContain(`${logged + 1n};${time};${agent.id};Agent 0;agent;alert.resolve;`);
    expect(row).toContain(";'=1+1;");
    expect(end).toBe("");
    expect((await get(dayIn(app.clock, 1), dayIn(app.clock, 4))).status).toBe(200);
    expect((await get("2026-01-01", "2026-12-31")).status).toBe(400);
    expect((await get(today, dayIn(app.clock, -1))).status).toBe(400);
    expect((await get("0000-00-00", "2999-99-99")).status).toBe(400);
  });
});

const TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

async function addFailed(topic: string, ref: number, expired = false): Promise<void> {
  const now = app.clock.now();
  await app.sql`
    INSERT INTO outbox (topic, ref, due_at, first_due_at, failed_at, expired, attempts, last_error)
    VALUES (${topic}, ${ref}, ${now}, ${now}, ${now}, ${expired}, 3,
      ${`POST https://api.telegram.org/bot${TOKEN}/sendMessage refused`})`;
}

const listJobs = (query: object = {}) => app.read("GET /api/desk/jobs", operator, query);
const retry = (body: object) => app.send("POST /api/desk/jobs/retry", operator, body);

const failedRefs = () => app.values<bigint>`
  SELECT ref FROM outbox WHERE failed_at IS NOT NULL ORDER BY ref`;

describe("failed jobs in the back office", () => {
  test("are listed by topic and one by one, with the secrets of their errors redacted", async () => {
    await addFailed("groups.recheck", 1);
    await addFailed("groups.recheck", 2, true);
    await addFailed("access.close", 3);
    const { topics, jobs } = await listJobs();
    expect(topics).toMatchObject([
      { topic: "access.close", failed: 1, expired: 0 },
      { topic: "groups.recheck", failed: 1, expired: 1 },
    ]);
    expect(jobs.map(({ ref, state }) => [ref, state]).toSorted()).toEqual([
      ["1", "failed"],
      ["2", "expired"],
      ["3", "failed"],
    ]);
    expect(JSON.stringify({ topics, jobs })).not.toContain("AAHdqTcv");
    expect((await listJobs({ topic: "access.close" })).jobs).toHaveLength(1);
  });

  test("are listed page by page, each once", async () => {
    for (let ref = 1; ref <= 65; ref += 1) await addFailed("groups.recheck", ref);
    const pages = await pagesOf((cursor) => listJobs({ cursor }));
    const seen = pages.flatMap(({ jobs }) => jobs.map(({ ref }) => ref));
    expect(seen).toHaveLength(65);
    expect(new Set(seen).size).toBe(65);
  });

  test("are retried one, a topic or all at a time, and the audit log records by whom", async () => {
    for (const ref of [1, 2]) await addFailed("groups.recheck", ref);
    for (const ref of [3, 4]) await addFailed("access.close", ref);
    const one = (await listJobs()).jobs.find(({ ref }) => ref === "1");
    expect((await retry({ id: one?.id })).body).toMatchObject({ retried: 1 });
    expect(await failedRefs()).toEqual([2n, 3n, 4n]);
    expect((await retry({ topic: "access.close" })).body).toMatchObject({ retried: 2 });
    expect(await failedRefs()).toEqual([2n]);
    expect((await retry({ all: true })).body).toMatchObject({ retried: 1 });
    expect((await retry({ all: true })).body).toMatchObject({ retried: 0 });
    const rows = await app.sql`SELECT DISTINCT attempts, outages, expired FROM outbox`;
    expect(rows).toEqual([{ attempts: 0, outages: 0, expired: false }]);
    const ours = JSON.stringify(await readAudit()).match(/Tâches relancées/g);
    expect(ours).toHaveLength(3);
    await app.sql`DELETE FROM outbox`;
  });

  test("are not retried by a request that names none, or two kinds of choice", async () => {
    await addFailed("access.close", 1);
    for (const body of [{}, { all: false }, { id: "job:1", all: true }]) {
      expect((await retry(body)).status).toBe(400);
    }
    expect(await failedRefs()).toEqual([1n]);
  });

  test("include Telegram updates that were given up", async () => {
    const now = app.clock.now();
    await app.sql`
      INSERT INTO telegram_updates (bot, update_id, queue_key, body, received_at, due_at, handled_at,
        last_error)
      VALUES ('seller', 77, 'person:1', '{"update_id": 77}', ${now}, ${now}, ${now},
        'expired: telegram did not answer')`;
    const id = "update:seller:77";
    const { jobs } = await listJobs();
    expect(jobs).toMatchObject([{ id, topic: "telegram.seller", state: "expired" }]);
    expect((await retry({ id })).body).toMatchObject({ retried: 1 });
    await app.drain();
    const rows = await app.sql`
      SELECT handled_at IS NOT NULL AS handled, last_error FROM telegram_updates`;
    expect(rows).toEqual([{ handled: true, last_error: null }]);
  });
});
