import { addMs, assert, DAY_MS, fcfa, ok } from "@sesame/kernel";
import { type BrokenInvariant, check } from "@sesame/ledger";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import { openOwnDatabase } from "../../../test/tables.ts";
import { createTestApp } from "../../../test/harness.ts";
import { countedByHand, countedInTotals } from "../../../test/sales-by-hand.ts";
import type { Principal } from "../../http/server.ts";
import { brokenAccesses } from "../../maintenance/books.view.ts";
import { brokenRefunds } from "../../maintenance/refunds-books.view.ts";
import { foldSales } from "../reports/statistics.ts";
import { requestWithdrawal } from "../withdrawals/request.ts";
import { cancel } from "../withdrawals/withdrawals.ts";
import { ask } from "./ask.ts";
import { finishRefund, lockRefund, recover } from "./refunds.ts";

const LONG = process.env.LONG === "1";
const PRICE = 5_000;
const NET = 4_100;
const START = new Date("2026-11-16T09:00:00.000Z");
const SELLERS = 2;
const ORDERS = 24;

const database = await openOwnDatabase(12);
const { db } = database;
afterAll(database.close);

/** The same in plain numbers. */
class Model {
  readonly sellers = Array.from({ length: SELLERS }, () => ({ has: 0, held: 0, owed: 0 }));
  readonly paid = new Set<number>();
  readonly refunded = new Set<number>();
  readonly requests: { id: bigint; seller: number; amount: number }[] = [];

  of(at: number) {
    const seller = this.sellers[at % SELLERS];
    assert(seller, "the model has the shops' sellers");
    return seller;
  }

  /** Whether it is refunded; the missing part is advanced if allowed. */
  refund(at: number, seller: number, advances: boolean): boolean {
    if (!this.paid.has(at) || this.refunded.has(at)) return false;
    const balance = this.of(seller);
    const covered = Math.max(0, advances ? balance.has : balance.has - balance.owed);
    const advanced = Math.max(0, NET - covered);
    if (advanced > 0 && !advances) return false;
    balance.has -= NET - advanced;
    balance.owed += advanced;
    this.refunded.add(at);
    return true;
  }
}

const at = fc.nat(ORDERS - 1);
const amount = fc.integer({ min: 1, max: 9_000 });
const plan = fc.constantFrom("free" as const, "premium" as const);
const hours = fc.integer({ min: 1, max: 400 });
/** What needs no more than its order; sales twice as often. */
const ACTS = ["sell", "sell", "bySeller", "byOperator", "send", "recover", "cancel"] as const;
const step = fc.oneof(
  { weight: ACTS.length, arbitrary: fc.record({ do: fc.constantFrom(...ACTS), at }) },
  fc.record({ do: fc.constant("ask" as const), at, amount }),
  fc.record({ do: fc.constant("plan" as const), at, plan }),
  fc.record({ do: fc.constant("pass" as const), hours }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function play(shops: Shops, model: Model, each: Step): Promise<void> {
  switch (each.do) {
    case "pass":
      return shops.pass(each.hours);
    case "sell": {
      await shops.sell(each.at);
      if (!model.paid.has(each.at)) model.of(shops.orderAt(each.at).seller).has += NET;
      model.paid.add(each.at);
      return;
    }
    case "bySeller":
    case "byOperator": {
      const { seller } = shops.orderAt(each.at);
      const done = await shops[each.do](each.at);
      expect(done).toBe(model.refund(each.at, seller, each.do === "byOperator"));
      return;
    }
    case "send":
      await shops.send(each.at);
      return;
    case "recover": {
      const balance = model.of(each.at);
      const taken = Math.min(balance.has, balance.owed);
      expect(Number((await shops.recover(each.at)).amount)).toBe(taken);
      balance.has -= taken;
      balance.owed -= taken;
      return;
    }
    case "ask": {
      const balance = model.of(each.at);
      const id = await shops.ask(each.at, each.amount);
      expect(id !== null).toBe(each.amount <= balance.has - balance.owed);
      if (id === null) return;
      balance.has -= each.amount;
      balance.held += each.amount;
      model.requests.push({ id, seller: each.at, amount: each.amount });
      return;
    }
    case "cancel": {
      const request = model.requests.shift();
      if (!request) return;
      await shops.cancel(request.id, request.seller);
      model.of(request.seller).has += request.amount;
      model.of(request.seller).held -= request.amount;
      return;
    }
    case "plan":
      return shops.changePlan(each.at, each.plan);
  }
}

describe("refunds", () => {
  test("match a plain model after every step: no franc made or lost, nobody below zero", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 45 }), async (steps) => {
        const shops = await openShops();
        const model = new Model();
        for (const each of steps) {
          await play(shops, model, each);
          expect(await shops.read()).toEqual(
            model.sellers.map(({ has, held, owed }) => [has, held, owed]),
          );
        }
        expect(await shops.broken(await brokenAccesses(db, 20))).toEqual([]);
      }),
      { numRuns: LONG ? 300 : 8 },
    );
  });

  test("leave the ledger valid whatever happens at the same moment", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 40 }), async (steps) => {
        const shops = await openShops();
        for (let index = 0; index < ORDERS; index += 2) await shops.sell(index);
        const requests: Promise<unknown>[] = [];
        for (const each of steps) {
          if (each.do === "pass") shops.pass(each.hours);
          else if (each.do === "plan") requests.push(shops.changePlan(each.at, each.plan));
          else if (each.do === "ask") requests.push(shops.ask(each.at, each.amount));
          else if (each.do !== "cancel") requests.push(shops[each.do](each.at));
          if (requests.length === 10) await Promise.all(requests.splice(0));
        }
        await Promise.all(requests);
        expect(await shops.broken()).toEqual([]);
        for (const [has = 0, held = 0, owed = 0] of await shops.read()) {
          expect(Math.min(has, held, owed)).toBeGreaterThanOrEqual(0);
        }
        const refunded = await database.value<bigint>`
          SELECT coalesce(sum(amount), 0)::bigint FROM refunds
          WHERE seller_id = ANY(${shops.sellers}::bigint[])`;
        expect(Number(refunded) % PRICE).toBe(0);
        for (const sellerId of shops.sellers) {
          const asked = { sellerId, zone: "Africa/Abidjan", now: START };
          await foldSales(db, asked);
          expect(await countedInTotals(db, asked)).toEqual(await countedByHand(db, asked));
        }
      }),
      { numRuns: LONG ? 100 : 5 },
    );
  });
});

const personOf = (personId: bigint, isOperator: boolean): Principal => ({
  personId,
  telegramId: personId,
  audience: "seller",
  isAgent: isOperator,
  isOperator,
});

/** Buyers, sellers, refunds and withdrawals, in shops of their own. */
async function openShops() {
  let now = START;
  let weeks = 0;
  const market = await sellMany(db, { sellers: SELLERS, buyers: 3, orders: ORDERS, now });
  const sellers = await database.values<bigint>`
    SELECT id FROM (SELECT id FROM sellers ORDER BY id DESC LIMIT ${SELLERS}) AS s ORDER BY id`;
  const staff = await database.value<bigint>`
    INSERT INTO people (telegram_id, first_name, created_at, seen_at)
    SELECT max(telegram_id) + 1, 'Opérateur', ${now}, ${now} FROM people RETURNING id`;
  const owners = await database.sql<{ id: bigint; seller_id: bigint }>`
    SELECT id, seller_id FROM orders WHERE id = ANY(${[...market.orders]}::bigint[]) ORDER BY id`;
  const clock = { now: () => now, onJump: () => () => {}, isTrusted: () => true, injected: true };
  const app = createTestApp({ db, clock, providers: [] });
  const terms = await app.settings.current();
  const [least, most] = [fcfa(1), fcfa(1_000_000)];
  const settings = {
    ...app.settings,
    current: () =>
      Promise.resolve({
        ...terms,
        withdrawals: { min: least, max_free: most, max_premium: most },
        first_payout_max: most,
        methods: { ...terms.methods, "orange-money-ci": { open: true, min: least, step: least } },
      }),
  };
  const operator = personOf(staff, true);
  const sellerAt = (at: number): bigint => sellers[at % SELLERS] ?? 0n;
  const orderAt = (at: number) => {
    const order = owners[at % ORDERS];
    assert(order, "the shops have orders");
    return { id: order.id, seller: sellers.indexOf(order.seller_id) };
  };
  return {
    sellers,
    orderAt,
    pass: (hours: number) => {
      now = addMs(now, hours * (DAY_MS / 24));
    },
    async sell(at: number) {
      // No two sales at one instant: the audit of accesses reads them by their time.
      now = addMs(now, 1);
      const payment = market.payments[at % ORDERS] ?? 0n;
      await database.sql`SELECT settle_payments('product', ARRAY[${payment}]::bigint[],
        ARRAY[${now}]::timestamptz[], ${now})`;
    },
    async bySeller(at: number): Promise<boolean> {
      const { id, seller } = orderAt(at);
      const caller = personOf(sellerAt(seller), false);
      const asked = { orderId: id, caller, reason: ok("Erreur"), call: null };
      return (await ask(app, asked, "seller")).ok;
    },
    async byOperator(at: number): Promise<boolean> {
      const asked = { orderId: orderAt(at).id, caller: operator, reason: ok("Litige"), call: null };
      return (await ask(app, asked, "operator")).ok;
    },
    recover: (at: number) => db.transaction().execute((tx) => recover(tx, sellerAt(at), now)),
    async ask(at: number, amount: number): Promise<bigint | null> {
      // Limits and weeks are tested elsewhere: all may be requested, and every week is over.
      weeks += 1;
      const later = { ...clock, now: () => addMs(now, weeks * 8 * DAY_MS) };
      const phone = "0701020304";
      const form = { amount, method: "orange-money-ci", phone, whatsapp: phone };
      const request = { sellerId: sellerAt(at), form, key: null, automaticOn: null };
      const asked = await requestWithdrawal({ ...app, clock: later, settings }, request);
      return asked.ok ? BigInt(asked.value.withdrawal.id) : null;
    },
    async cancel(id: bigint, at: number): Promise<void> {
      await cancel(app, { id, sellerId: sellerAt(at), call: null });
    },
    async changePlan(at: number, plan: "free" | "premium") {
      const seller = sellerAt(at);
      const until = plan === "premium" ? addMs(now, 30 * DAY_MS) : null;
      await db.transaction().execute(async (tx) => {
        await sql`SELECT FROM sellers WHERE id = ${seller} FOR NO KEY UPDATE`.execute(tx);
        await sql`SELECT plan_change(${seller}, ${plan}, ${until}, ${now})`.execute(tx);
      });
    },
    /** An agent sends what an order's buyer is owed. */
    async send(at: number): Promise<boolean> {
      const [id] = await database.values<bigint>`
        SELECT id FROM refunds WHERE order_id = ${orderAt(at).id} AND status <> 'done'`;
      if (id === undefined) return false;
      return db.transaction().execute(async (tx) => {
        const before = await lockRefund(tx, id);
        if (before?.status === "done") return false;
        await sql`
          UPDATE refunds SET status = 'to-pay', method = 'wave-ci', phone = '+2250701020304'
          WHERE id = ${id}
        `.execute(tx);
        const refund = await lockRefund(tx, id);
        assert(refund, "a locked refund is there");
        const done = { reference: `PROP.${id}`, by: operator.personId };
        await finishRefund(app, tx, refund, done);
        return true;
      });
    },
    /** What each seller can spend and has requested, on both accounts, and the debt. */
    async read() {
      const rows = await database.sql<{ available: bigint; held: bigint; owed: bigint }>`
        SELECT (f.posted - f.held + p.posted - p.held)::bigint AS available,
          (f.held + p.held)::bigint AS held, coalesce(d.owed, 0)::bigint AS owed
        FROM sellers s
        JOIN ledger_accounts f ON f.id = s.free_account_id
        JOIN ledger_accounts p ON p.id = s.premium_account_id
        LEFT JOIN seller_advances d ON d.seller_id = s.id
        WHERE s.id = ANY(${sellers}::bigint[]) ORDER BY s.id`;
      return rows.map((row) => [Number(row.available), Number(row.held), Number(row.owed)]);
    },
    async broken(accesses: readonly BrokenInvariant[] = []): Promise<string[]> {
      const found = [...(await check(db)), ...(await brokenRefunds(db, 20)), ...accesses];
      return found.map(
        (each) => `${each.invariant}: ${each.subject} ${each.expected}/${each.found}`,
      );
    },
  };
}

type Shops = Awaited<ReturnType<typeof openShops>>;
