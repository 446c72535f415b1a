import type { AnswerOf } from "@sesame/contract/routes";
import { addMs, assert, DAY_MS } from "@sesame/kernel";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { fundSeller } from "../../../test/funds.ts";
import { leaseOne } from "../../../test/tables.ts";
import { leaveGroups } from "../../../test/groups.ts";
import { type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { type Db, openDatabase } from "../../postgres/database.ts";
import { plansJobs, plansLoops } from "./index.ts";
import { checkLedger } from "../../maintenance/maintenance.ts";

const app = await startTestApp();
beforeEach(() => leaveGroups(app));
afterAll(async () => {
  expect(await checkLedger(app.db)).toEqual([]);
});

/** With the app's own button, through a provider. → the order's id */
async function buyPremium(seller: SignedInSeller): Promise<string> {
  const made = await app.send("POST /api/orders", seller, { plan: "payant", provider: "moneroo" });
  expect(made.status).toBe(201);
  await app.pay("moneroo", made.body.id);
  return made.body.id;
}

const userOf = async (seller: SignedInSeller) =>
  (await app.read("GET /api/users/:id", seller, { id: seller.id })).user;

/** The seller's groups, as many as letters: their ids. */
async function groupsOf(seller: SignedInSeller, titles: string) {
  const ids: string[] = [];
  for (const title of titles) ids.push((await app.linkGroup(seller, { title })).id);
  return ids;
}

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

const pass = (days: number) => app.advance(days * DAY_MS);

describe("premium", () => {
  test("is bought, notified, displayed and logged; its price is the platform's", async () => {
    const seller = await app.seller({ funds: 4_000 });
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
    expect((await purchasesOf(seller)).abonnements).toMatchObject([
      { id: again, estRenouvellement: true },
      { id: orderId, estRenouvellement: false },
    ]);
    const sales = [orderId, again].map((id) => `sale:${id}`);
    const total = await app.value`
      SELECT sum(e.amount)::bigint FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id
      WHERE a.key = 'platform:subscriptions' AND e.transfer_id = ANY (${sales}::text[])`;
    expect(total).toBe(10_000n);
  });

  test("reminds at 7, 3 and 1 days, once each; grace is premium; then it ends", async () => {
    const seller = await app.seller();
    await buyPremium(seller);
    for (const title of ["Un", "Deux", "Trois", "Quatre"]) await app.linkGroup(seller, { title });
    await fundSeller(app, seller, 3_000, "premium");
    // The messages about the seller's groups come first.
    await pass(1);
    const news = listener(seller);
    await pass(21);
    expect(news()).toEqual([]);
    for (const [days, words] of [
      [1, "dans 7 jours"],
      [4, "dans 3 jours"],
      [2, "demain"],
    ] as const) {
      await pass(days);
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
    const entries = await app.auditEntries(`seller:${seller.id}`);
    expect(entries.filter((action) => action === "plan.change")).toHaveLength(2);
  });

  test("renewed in its days of grace counts from then, and reminds anew", async () => {
    const seller = await app.seller();
    await buyPremium(seller);
    await pass(33);
    const news = listener(seller);
    // The seller's session is over too.
    await buyPremium(await app.signInSeller(seller.person));
    expect(news()).toEqual([expect.stringContaining("renouvelé")]);
    expect(await userOf(await app.signInSeller(seller.person))).toMatchObject({
      premium_state: "running",
      premium_until: addMs(app.clock.now(), 30 * DAY_MS).toISOString(),
    });
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
  const rows = await app.sql`
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
    const ids = await groupsOf(seller, "ABCDE");
    const [a = "", b = "", c = "", d = "", e = ""] = ids;
    const open = () => app.values<string>`
      SELECT id::text FROM groups g WHERE seller_id = ${seller.id} AND group_in_quota(g)
      ORDER BY g.id`;
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
    const [a = "", b = "", c = "", d = "", e = ""] = await groupsOf(seller, "ABCDE");
    const other = await app.seller();
    const [foreign] = await groupsOf(other, "Z");
    const body = { code: "plans.quota-count", message: expect.stringContaining("exactement 3") };
    for (const wrong of [[], [a, b], [a, b, c, d], [a, a, b]])
      expect(await choose(seller, wrong)).toMatchObject({ status: 422, body });
    for (const unknown of [foreign, "999999999"])
      expect((await choose(seller, [a, b, unknown])).status).toBe(404);
    const chosen = await choose(seller, [e, a, d]);
    expect(inQuota(chosen.body).sort()).toEqual([a, d, e].sort());
    const ranks = await app.values`
      SELECT quota_rank FROM groups WHERE seller_id = ${seller.id} ORDER BY id`;
    expect(ranks).toEqual([2, null, null, 3, 1]);
    await choose(seller, [e, a, d]);
    expect(inQuota((await choose(seller, [b, c, d])).body).sort()).toEqual([b, c, d].sort());
    const log = await app.values`
      SELECT after FROM audit_log WHERE subject = ${`seller:${seller.id}`} AND action = 'groups.quota'
      ORDER BY seq`;
    expect(log).toEqual([{ groups: [e, a, d] }, { groups: [b, c, d] }]);
    // Fewer groups than places: all of them.
    expect((await choose(other, [foreign])).status).toBe(200);
  });
});

test("premium bought is notified once, though the worker dies right after", async () => {
  const seller = await app.seller();
  const made = await app.send("POST /api/orders", seller, { plan: "payant", provider: "moneroo" });
  const now = app.clock.now();
  await app.sql`SELECT settle_payments('plan', array_agg(id), ARRAY[${now}]::timestamptz[], ${now})
    FROM payments WHERE order_id = ${made.body.id}`;
  const [handler] = plansJobs(app.core);
  const job = await leaseOne(app, "plans.notify-bought");
  assert(handler && job, "a paid plan has its message to be sent");
  await handler.run(job);
  await app.advance(1_000);
  const said = app.textsTo(seller.person.id, "seller");
  expect(said.filter((text) => text.includes("Votre plan Premium est actif"))).toHaveLength(1);
});
