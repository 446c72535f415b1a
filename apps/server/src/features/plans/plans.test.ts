import { DEFAULT_SETTINGS } from "@sesame/contract/back-office";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import type { UserAnswer } from "@sesame/contract/identity";
import type { PlansAnswer } from "@sesame/contract/plans";
import type { AnswerOf } from "@sesame/contract/routes";
import { addMs, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { leaveGroups, messagesTo } from "../../../test/groups.ts";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import { fundSeller } from "../../../test/withdrawals.ts";
import { type Db, openDatabase } from "../../postgres/database.ts";
import { plansLoops } from "./index.ts";
import { comparePlans } from "./messages.fr.ts";

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(() => leaveGroups(app));
afterAll(() => app?.close());

async function newSeller(): Promise<SignedInSeller> {
  const seller = await app.signInSeller();
  const { id: personId } = seller.person;
  app.emulators.telegram.sendMessage({ personId, to: { bot: "seller" }, text: "/start" });
  await fundSeller(app, seller, 0, "free");
  await app.drain();
  return seller;
}

/** By the app's own button, through a provider. → the order's id */
async function buyPremium(seller: SignedInSeller): Promise<string> {
  const made = await app.call<CreateOrderAnswer>("POST", "/api/orders", {
    token: seller.token,
    body: { plan: "payant", provider: "moneroo" },
  });
  expect(made.status).toBe(201);
  app.emulators.collectors.moneroo.settle(made.body.id, "success");
  await app.drain();
  return made.body.id;
}

const userOf = async (seller: SignedInSeller) =>
  (await app.call<UserAnswer>("GET", `/api/users/${seller.id}`, { token: seller.token })).body.user;

const purchasesOf = async (seller: SignedInSeller) =>
  (
    await app.call<AnswerOf<"GET /api/users/:id/abonnement">>(
      "GET",
      `/api/users/${seller.id}/abonnement`,
      {
        token: seller.token,
      },
    )
  ).body;

/** What the bot said since the last look. */
function listener(seller: SignedInSeller): () => string[] {
  let heard = messagesTo(app.emulators, seller.person.id, "seller").length;
  return () => {
    const all = messagesTo(app.emulators, seller.person.id, "seller").map(({ text }) => text);
    const news = all.slice(heard);
    heard = all.length;
    return news;
  };
}

async function pass(days: number): Promise<void> {
  app.clock.advance(days * DAY_MS);
  await app.drain();
}

describe("premium", () => {
  test("is what the instance's settings say, compared and broken even", async () => {
    const { body } = await app.call<PlansAnswer>("GET", "/api/plans");
    expect(body.plans.map(({ price, period_days }) => [price, period_days])).toEqual([
      [0, null],
      [5_000, 30],
    ]);
    expect(body).toMatchObject({ break_even: 27_778, grace_days: 7 });
    expect(body.plans[1]?.price_eur).toBe(7.62);
    expect(body.comparison.find(({ key }) => key === "fee")).toMatchObject({
      free: "18 %",
      premium: "0 %",
    });
    expect(body.providers.map(({ id }) => id)).toContain("moneroo");
  });

  test("buys what stands beside the free plan's terms, line by line", () => {
    const terms = comparePlans(DEFAULT_SETTINGS).map(({ key, free, premium }) => [
      key,
      [free, premium],
    ]);
    expect(Object.fromEntries(terms)).toMatchObject({
      fee: ["18 %", "0 %"],
      "own-aggregators": ["Intégrées", "Intégrées et vos propres clés"],
      "instant-withdrawals": ["Une fois par semaine", "À tout moment"],
      "custom-configuration": ["Non", "Oui"],
    });
  });

  test("is bought, said, shown and written down; its price is the platform's", async () => {
    const seller = await newSeller();
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
    const moves = async (q: string) => {
      const path = `/api/transactions?type=transfer&q=${q}`;
      return (await app.call<AnswerOf<"GET /api/transactions">>("GET", path, seller)).body
        .transactions;
    };
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
    const { rows } = await sql<{ total: bigint }>`
      SELECT sum(e.amount)::bigint AS total FROM ledger_entries e
      JOIN ledger_accounts a ON a.id = e.account_id
      WHERE a.key = 'platform:subscriptions' AND e.transfer_id = ANY (${[orderId, again].map((id) => `sale:${id}`)}::text[])
    `.execute(app.db);
    expect(rows[0]?.total).toBe(10_000n);
  });

  test("reminds at 7, 3 and 1 days, once each; grace is premium; then it ends", async () => {
    const seller = await newSeller();
    const groups = [];
    await buyPremium(seller);
    for (const title of ["Un", "Deux", "Trois", "Quatre"]) {
      groups.push(await app.linkGroup(seller, { title }));
    }
    await fundSeller(app, seller, 3_000, "premium");
    // His groups' own messages come first.
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
    expect(ended).toContain("3 000 FCFA".replace(" ", "\u202f"));
    expect(ended).toContain("Quatre");
    expect(each).toEqual([]);
    // As soon as its state has settled, the group by itself.
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
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_log WHERE subject = ${`seller:${seller.id}`} AND action = 'plan.change'
    `.execute(app.db);
    expect(rows).toHaveLength(2);
  });

  test("renewed in its days of grace counts from then, and reminds anew", async () => {
    const seller = await newSeller();
    await buyPremium(seller);
    await pass(33);
    const news = listener(seller);
    // His session is over too.
    await buyPremium(await app.signInSeller(seller.person));
    expect(news()).toEqual([expect.stringContaining("renouvelé")]);
    const user = await userOf(await app.signInSeller(seller.person));
    expect(user.premium_state).toBe("running");
    expect(user.premium_until).toBe(addMs(app.clock.now(), 30 * DAY_MS).toISOString());
    await pass(23);
    expect(news()).toEqual([expect.stringContaining("dans 7 jours")]);
  });

  test("after a pause of ours says only the last of what was due", async () => {
    const seller = await newSeller();
    await buyPremium(seller);
    const news = listener(seller);
    await pass(29.5);
    expect(news()).toEqual([expect.stringContaining("demain")]);
    const other = await newSeller();
    await buyPremium(other);
    const heard = listener(other);
    await pass(60);
    expect(heard()).toEqual([expect.stringContaining("de nouveau au plan gratuit")]);
  });

  test("of a period shorter than a reminder's days is not said to end when it begins", async () => {
    const seller = await newSeller();
    const until = addMs(app.clock.now(), 2 * DAY_MS);
    await sql`SELECT plan_change(${BigInt(seller.id)}, 'premium', ${until}, ${app.clock.now()})`.execute(
      app.db,
    );
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

describe("the loop of plans", () => {
  test("by two workers at once, one dying between the steps, says and ends each once", async () => {
    const sellers: SignedInSeller[] = [];
    for (let nth = 0; nth < 6; nth++) sellers.push(await newSeller());
    const now = app.clock.now();
    for (const [nth, { id }] of sellers.entries()) {
      // Half of them are over, half in their last day.
      const until = addMs(now, nth % 2 === 0 ? -8 * DAY_MS : DAY_MS / 2);
      await sql`SELECT plan_change(${BigInt(id)}, 'premium', ${until}, ${addMs(now, -40 * DAY_MS)})`.execute(
        app.db,
      );
    }
    const databases = [0, 1].map(() => openDatabase({ url: app.databaseUrl, poolSize: 4 }));
    const complaints: unknown[] = [];
    const complain = (...what: unknown[]) => void complaints.push(what);
    const log = { error: complain, warn: () => {}, info: () => {} };
    let deaths = 2;
    // The transaction is given up after all was written in it.
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
    const { rows } = await sql<{ plan: string; told: string[]; messages: number; audited: number }>`
      SELECT s.plan, ARRAY(
          SELECT kind FROM plan_reminders r WHERE r.seller_id = s.id ORDER BY kind) AS told,
        (SELECT count(*)::int FROM outbox o WHERE o.topic = 'bot.tell' AND o.ref = s.id) AS messages,
        (SELECT count(*)::int FROM audit_log a WHERE a.subject = 'seller:' || s.id
          AND a.action = 'plan.change') AS audited
      FROM sellers s WHERE s.id = ANY (${ids}::bigint[]) ORDER BY s.id
    `.execute(app.db);
    expect(rows).toEqual(
      sellers.map((_, nth) =>
        nth % 2 === 0
          ? { plan: "free", told: ["ended"], messages: 1, audited: 1 }
          : { plan: "premium", told: ["1-day"], messages: 1, audited: 0 },
      ),
    );
    await app.drain();
  });
});
