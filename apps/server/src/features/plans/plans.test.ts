import type { UserAnswer } from "@sesame/contract/identity";
import type { AnswerOf } from "@sesame/contract/routes";
import { addMs, assert, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { fundSeller } from "../../../test/funds.ts";
import { leaseOne } from "../../../test/tables.ts";
import { leaveGroups } from "../../../test/groups.ts";
import { type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { type Db, openDatabase } from "../../postgres/database.ts";
import { plansJobs, plansLoops } from "./index.ts";
import { check } from "@sesame/ledger";
import { brokenSales } from "../../maintenance/books.view.ts";

const app = await startTestApp();
beforeEach(() => leaveGroups(app));
afterAll(async () => {
  expect(await check(app.db)).toEqual([]);
  expect(await brokenSales(app.db, 10)).toEqual([]);
});

/** With the app's own button, through a provider. → the order's id */
async function buyPremium(seller: SignedInSeller): Promise<string> {
  const made = await app.send("POST /api/orders", seller, { plan: "payant", provider: "moneroo" });
  expect(made.status).toBe(201);
  await app.pay("moneroo", made.body.id);
  return made.body.id;
}

const userOf = async (seller: SignedInSeller) =>
  (await app.call<UserAnswer>("GET", `/api/users/${seller.id}`, seller)).body.user;

const purchasesOf = (seller: SignedInSeller) =>
  app.read("GET /api/users/:id/abonnement", seller, { id: seller.id });

/** The bot's messages since the last call. */
function listener(seller: SignedInSeller): () => string[] {
  let received = app.messagesTo(seller.person.id, "seller").length;
  return () => {
    const all = app.textsTo(seller.person.id, "seller");
    const news = all.slice(received);
    received = all.length;
    return news;
  };
}

async function pass(days: number): Promise<void> {
  await app.advance(days * DAY_MS);
}

describe("premium", () => {
  test("is bought, notified, displayed and logged; its price is the platform's", async () => {
    const seller = await app.seller();
    await fundSeller(app, seller, 4_000);
    const news = listener(seller);
    const orderId = await buyPremium(seller);
    const until = addMs(app.clock.now(), 30 * DAY_MS).toISOString();
    expect(await userOf(seller)).toMatchObject({
      plan: true,
      type_plan: "payant",
      premium_state: "running",
      premium_until: until,
      groups_max: null,
      balanceGratuit: 0,
      balancePayant: 4_000,
      soldeDisponible: 4_000,
      capabilities: expect.arrayContaining(["own-aggregators"]),
    });
    expect(await purchasesOf(seller)).toMatchObject({
      type_plan: "payant",
      premium_until: until,
      grace_until: addMs(new Date(until), 7 * DAY_MS).toISOString(),
      abonnements: [
        { id: orderId, prix: 5_000, dateRenouvellement: until, estRenouvellement: false },
      ],
    });
    expect(news().filter((text) => text.includes("plan Premium est actif"))).toHaveLength(1);
    const moves = async (q: string) =>
      (await app.read("GET /api/transactions", seller, { type: "transfer", q })).transactions;
    expect(await moves("")).toMatchObject([
      {
        id: "t1",
        type: "transfer",
        amount: 4_000,
        methode_nom: "Solde gratuit → Solde Premium",
        reference_transaction: `CP-${seller.id}-1`,
      },
    ]);
    expect(await moves(`cp-${seller.id}-1`)).toHaveLength(1);
    expect(await moves("autre")).toEqual([]);
    const again = await buyPremium(seller);
    const later = addMs(new Date(until), 30 * DAY_MS).toISOString();
    expect(await userOf(seller)).toMatchObject({ premium_until: later });
    expect(
      (await purchasesOf(seller)).abonnements.map(({ id, estRenouvellement: renewal }) => [
        id,
        renewal,
      ]),
    ).toEqual([
      [again, true],
      [orderId, false],
    ]);
    const rows = await app.sql<{ total: bigint }>`
      SELECT sum(e.amount)::bigint AS total FROM ledger_entries e
      JOIN ledger_accounts a ON a.id = e.account_id
      WHERE a.key = 'platform:subscriptions' AND e.transfer_id = ANY (${[orderId, again].map((id) => `sale:${id}`)}::text[])
    `;
    expect(rows[0]?.total).toBe(10_000n);
  });

  test("reminds at 7, 3 and 1 days, once each; grace is premium; then it ends", async () => {
    const seller = await app.seller();
    const groups = [];
    await buyPremium(seller);
    for (const title of ["Un", "Deux", "Trois", "Quatre"]) {
      groups.push(await app.linkGroup(seller, { title }));
    }
    await fundSeller(app, seller, 3_000, "premium");
    // The messages about the seller's groups come first.
    await pass(1);
    const news = listener(seller);
    await pass(21);
    expect(news()).toEqual([]);
    for (const words of ["dans 7 jours", "dans 3 jours", "demain"]) {
      await pass(words === "dans 7 jours" ? 1 : words === "demain" ? 2 : 4);
      expect(news()).toEqual([expect.stringContaining(words)]);
      await app.drain();
      expect(news()).toEqual([]);
    }
    await pass(1);
    expect(news()).toEqual([expect.stringContaining("arrivé à sa fin")]);
    expect(await userOf(await app.signInSeller(seller.person))).toMatchObject({
      type_plan: "payant",
      premium_state: "grace",
      capabilities: expect.arrayContaining(["own-aggregators"]),
    });
    await pass(6);
    expect(news()).toEqual([]);
    await pass(1);
    const [ended = "", ...each] = news().sort((a, b) => b.length - a.length);
    expect(ended).toContain("de nouveau au plan gratuit");
    expect(ended).toContain("3 000 FCFA".replace(" ", "\u00a0"));
    expect(ended).toContain("Quatre");
    expect(each).toEqual([]);
    // The group's message follows, once its state has settled.
    await pass(1 / 1_440);
    expect(news()).toEqual([expect.stringContaining("Quatre")]);
    expect(await userOf(await app.signInSeller(seller.person))).toMatchObject({
      type_plan: "gratuit",
      premium_state: "none",
      premium_until: null,
      groups_max: 3,
      capabilities: [],
      balanceGratuit: 3_000,
      balancePayant: 0,
    });
    await pass(30);
    expect(news()).toEqual([]);
    const rows = await app.sql<{ action: string }>`
      SELECT action FROM audit_log WHERE subject = ${`seller:${seller.id}`} AND action = 'plan.change'
    `;
    expect(rows).toHaveLength(2);
  });

  test("renewed in its days of grace counts from then, and reminds anew", async () => {
    const seller = await app.seller();
    await buyPremium(seller);
    await pass(33);
    const news = listener(seller);
    // The seller's session is over too.
    await buyPremium(await app.signInSeller(seller.person));
    expect(news()).toEqual([expect.stringContaining("renouvelé")]);
    const user = await userOf(await app.signInSeller(seller.person));
    expect(user.premium_state).toBe("running");
    expect(user.premium_until).toBe(addMs(app.clock.now(), 30 * DAY_MS).toISOString());
    await pass(23);
    expect(news()).toEqual([expect.stringContaining("dans 7 jours")]);
  });

  test("after an outage of ours sends only the last due reminder", async () => {
    const seller = await app.seller();
    await buyPremium(seller);
    const news = listener(seller);
    await pass(29.5);
    expect(news()).toEqual([expect.stringContaining("demain")]);
    const other = await app.seller();
    await buyPremium(other);
    const received = listener(other);
    await pass(60);
    expect(received()).toEqual([expect.stringContaining("de nouveau au plan gratuit")]);
  });

  test("of a period shorter than a reminder's days sends no reminder when it begins", async () => {
    const seller = await app.seller();
    const until = addMs(app.clock.now(), 2 * DAY_MS);
    await app.sql`SELECT plan_change(${BigInt(seller.id)}, 'premium', ${until}, ${app.clock.now()})`;
    const news = listener(seller);
    await app.drain();
    expect(news()).toEqual([]);
    await pass(1);
    expect(news()).toEqual([expect.stringContaining("demain")]);
  });
});

/** Runs `end` at the end of each transaction, before its commit. */
function endTransactions(db: Db, end: () => void): void {
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    const begun = begin();
    const execute = begun.execute.bind(begun);
    begun.execute = (work) =>
      execute(async (tx) => {
        const done = await work(tx);
        end();
        return done;
      });
    return begun;
  };
}

test("the loop of plans by two workers at once, one dying between the steps, notifies and ends each once", async () => {
  const sellers: SignedInSeller[] = [];
  for (let nth = 0; nth < 6; nth++) sellers.push(await app.seller());
  const now = app.clock.now();
  for (const [nth, { id }] of sellers.entries()) {
    // Half of them are over, half in their last day.
    const until = addMs(now, nth % 2 === 0 ? -8 * DAY_MS : DAY_MS / 2);
    await app.sql`SELECT plan_change(${BigInt(id)}, 'premium', ${until}, ${addMs(now, -40 * DAY_MS)})`;
  }
  const databases = [0, 1].map(() => openDatabase({ url: app.databaseUrl, poolSize: 4 }));
  const complaints: unknown[] = [];
  const complain = (...what: unknown[]) => void complaints.push(what);
  const log = { error: complain, warn: () => {}, info: () => {} };
  let deaths = 2;
  // The transaction is rolled back after all its writes.
  const die = () => {
    deaths -= 1;
    if (deaths >= 0) throw new Error("the worker died");
  };
  const loops = databases.flatMap(({ db }) => {
    endTransactions(db, die);
    return plansLoops({ ...app.core, db, log });
  });
  for (let round = 0; round < 3; round++) await Promise.all(loops.map((loop) => loop.drain()));
  await Promise.all(databases.map((database) => database.close()));
  expect(complaints).toHaveLength(2);
  const ids = sellers.map(({ id }) => BigInt(id));
  const rows = await app.sql<{
    plan: string;
    notified: string[];
    messages: number;
    audited: number;
  }>`
    SELECT s.plan, ARRAY(
        SELECT kind FROM plan_reminders r WHERE r.seller_id = s.id ORDER BY kind) AS notified,
      (SELECT count(*)::int FROM outbox o WHERE o.topic = 'bot.notify' AND o.ref = s.id) AS messages,
      (SELECT count(*)::int FROM audit_log a WHERE a.subject = 'seller:' || s.id
        AND a.action = 'plan.change') AS audited
    FROM sellers s WHERE s.id = ANY (${ids}::bigint[]) ORDER BY s.id`;
  expect(rows).toEqual(
    sellers.map((_, nth) =>
      nth % 2 === 0
        ? { plan: "free", notified: ["ended"], messages: 1, audited: 1 }
        : { plan: "premium", notified: ["1-day"], messages: 1, audited: 0 },
    ),
  );
  await app.drain();
});

describe("the three groups of the free plan", () => {
  const choose = (seller: SignedInSeller, groups: readonly unknown[]) =>
    app.send("PUT /api/groups/quota", seller, { groups });
  const inQuota = ({ channels }: AnswerOf<"PUT /api/groups/quota">) =>
    channels.filter(({ details }) => details.in_quota).map(({ id }) => id);

  test("are the oldest, after those that were chosen; on premium all sell", async () => {
    const seller = await app.seller();
    const ids: string[] = [];
    for (const title of ["A", "B", "C", "D", "E"]) {
      ids.push((await app.linkGroup(seller, { title })).id);
    }
    const [a = "", b = "", c = "", d = "", e = ""] = ids;
    const open = async () => {
      const rows = await app.sql<{ id: bigint }>`
        SELECT id FROM groups g WHERE seller_id = ${BigInt(seller.id)} AND group_in_quota(g)
        ORDER BY id`;
      return rows.map(({ id }) => String(id));
    };
    expect(await open()).toEqual([a, b, c]);
    await app.sql`
      UPDATE groups SET quota_rank = CASE id WHEN ${BigInt(d)} THEN 1 ELSE 2 END
      WHERE id IN (${BigInt(d)}, ${BigInt(e)})`;
    expect(await open()).toEqual([a, d, e]);
    await fundSeller(app, seller, 0, "premium");
    expect(await open()).toEqual(ids);
  });

  test("are the seller's choice, exactly, of the seller's own, in that order", async () => {
    const seller = await app.seller();
    const ids: string[] = [];
    for (const title of ["A", "B", "C", "D", "E"]) {
      ids.push((await app.linkGroup(seller, { title })).id);
    }
    const [a = "", b = "", c = "", d = "", e = ""] = ids;
    const other = await app.seller();
    const foreign = (await app.linkGroup(other, { title: "Z" })).id;
    for (const wrong of [[], [a, b], [a, b, c, d], [a, a, b]]) {
      const refused = await choose(seller, wrong);
      expect([refused.status, refused.body.code]).toEqual([422, "plans.quota-count"]);
      expect(refused.body.message).toContain("exactement 3");
    }
    for (const unknown of [
      [a, b, foreign],
      [a, b, "999999999"],
    ]) {
      expect((await choose(seller, unknown)).status).toBe(404);
    }
    const chosen = await choose(seller, [e, a, d]);
    expect(inQuota(chosen.body).sort()).toEqual([a, d, e].sort());
    const rows = await app.sql<{ quota_rank: number | null }>`
      SELECT quota_rank FROM groups WHERE seller_id = ${BigInt(seller.id)} ORDER BY id`;
    expect(rows.map((row) => row.quota_rank)).toEqual([2, null, null, 3, 1]);
    await choose(seller, [e, a, d]);
    expect(inQuota((await choose(seller, [b, c, d])).body).sort()).toEqual([b, c, d].sort());
    const log = await app.sql<{ after: unknown }>`
      SELECT after FROM audit_log WHERE subject = ${`seller:${seller.id}`} AND action = 'groups.quota'
      ORDER BY seq`;
    expect(log.map(({ after }) => after)).toEqual([{ groups: [e, a, d] }, { groups: [b, c, d] }]);
    // Fewer groups than places: all of them.
    expect((await choose(other, [foreign])).status).toBe(200);
  });
});

test("premium bought is notified once, though the worker dies right after", async () => {
  const seller = await app.signInSeller();
  const personId = seller.person.id;
  app.write(personId, "seller", "/start");
  await app.drain();
  const { clock } = app;
  const { db } = app.core;
  const made = await app.send("POST /api/orders", seller, { plan: "payant", provider: "moneroo" });
  const now = clock.now();
  await sql`SELECT settle_payments('plan', array_agg(id), ARRAY[${now}]::timestamptz[], ${now})
    FROM payments WHERE order_id = ${made.body.id}`.execute(db);
  const [handler] = plansJobs(app.core);
  const job = await leaseOne({ db, clock }, "plans.notify-bought");
  assert(handler && job, "a paid plan has its message to be sent");
  await handler.run(job);
  clock.advance(1_000);
  await app.drain();
  const said = app.textsTo(personId, "seller");
  expect(said.filter((text) => text.includes("Votre plan Premium est actif"))).toHaveLength(1);
});
