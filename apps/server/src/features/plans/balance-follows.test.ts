import { addMs, DAY_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Market, sellMany } from "../../../test/bulk-sales.ts";
import { openOwnDatabase } from "../../../test/tables.ts";
import { createTestApp } from "../../../test/harness.ts";
import { many } from "../../postgres/database.ts";
import { requestWithdrawal } from "../withdrawals/request.ts";
import { cancel } from "../withdrawals/withdrawals.ts";
import { endPremium } from "./plans.ts";

const START = new Date("2026-11-16T09:00:00.000Z");
const LONG = process.env.LONG === "1";
const SELLERS = 3;

const { db, close } = await openOwnDatabase(12);
afterEach(async () => expect(await check(db)).toEqual([]));
afterAll(close);

/** Sellers and orders of one run, with all that can happen to a seller's money. */
async function openStorm(orders: number) {
  const market: Market = await sellMany(db, { sellers: SELLERS, buyers: 5, orders, now: START });
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM (SELECT id FROM sellers ORDER BY id DESC LIMIT ${SELLERS}) AS s ORDER BY id
  `.execute(db);
  const sellers = rows.map(({ id }) => id);
  let bought = 0;
  let now = START;
  const clock = { now: () => now, onJump: () => () => {}, isTrusted: () => true, injected: true };
  const app = createTestApp({ db, clock });
  const sellerAt = (at: number): bigint => sellers[at % SELLERS] ?? 0n;
  return {
    sellers,
    pass: (days: number) => {
      now = addMs(now, days * DAY_MS);
    },
    async sell(from: number, count: number) {
      const payments = market.payments.slice(from, from + count);
      const times = payments.map(() => now);
      await sql`SELECT settle_payments('product', ${payments}::bigint[], ${times}::timestamptz[], ${now})`.execute(
        db,
      );
    },
    /** The seller's plan order, paid; settling the payment twice changes nothing. */
    async buy(at: number) {
      const payment = await openPlan(sellerAt(at), (bought += 1), now);
      const settle = () =>
        sql`SELECT settle_payments('plan', array[${payment}::bigint], array[${now}::timestamptz], ${now})`.execute(
          db,
        );
      await Promise.all([settle(), settle()]);
    },
    end: (at: number) => endPremium(app, sellerAt(at)),
    async ask(at: number, amount: number) {
      const form = {
        amount,
        method: "orange-money-ci",
        phone: "0701020304",
        whatsapp: "0701020304",
      };
      await requestWithdrawal(app, { sellerId: sellerAt(at), form, key: null, automaticOn: null });
    },
    async cancel(at: number) {
      const sellerId = sellerAt(at);
      const open = await sql<{ id: bigint }>`
        SELECT id FROM withdrawals WHERE seller_id = ${sellerId} AND status = 'pending'
        ORDER BY id LIMIT 1
      `.execute(db);
      const id = open.rows[0]?.id;
      if (id) await cancel(app, { id, sellerId, call: null });
    },
    balances: () => balancesOf(sellers),
  };
}

async function openPlan(sellerId: bigint, nth: number, now: Date): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`
    WITH made AS (
      INSERT INTO orders (kind, buyer_id, price, fee, duration_minutes, title, provider, created_at)
      VALUES ('plan', ${sellerId}, 5000, 0, 43200, 'Plan Premium', 'moneroo', ${now}) RETURNING id
    )
    INSERT INTO payments (order_id, provider, provider_payment_id, checkout_url,
      return_secret_hash, amount, created_at)
    SELECT id, 'moneroo', ${`py_plan_${sellerId}_${nth}`}, 'https://pay.example/plan',
      sha256(${`plan ${sellerId} ${nth}`}::bytea), 5000, ${now} FROM made RETURNING id
  `.execute(db);
  return rows[0]?.id ?? 0n;
}

/** `stranded`: available francs on the account of the other plan. */
type SellerBalances = { plan: string } & Record<"id" | "stranded" | "total" | "sold", bigint>;

const balancesOf = (sellers: readonly bigint[]) => many<SellerBalances>(db)`
  SELECT s.id, coalesce(s.plan, 'free') AS plan, other.posted - other.held AS stranded,
    other.posted + own.posted AS total,
    (SELECT coalesce(sum(o.price - o.fee), 0)::bigint FROM orders o
      WHERE o.seller_id = s.id AND o.status = 'paid') AS sold
  FROM sellers s
  JOIN ledger_accounts own
    ON own.id = CASE s.plan WHEN 'premium' THEN s.premium_account_id ELSE s.free_account_id END
  JOIN ledger_accounts other
    ON other.id = CASE s.plan WHEN 'premium' THEN s.free_account_id ELSE s.premium_account_id END
  WHERE s.id = ANY (${[...sellers]}::bigint[]) ORDER BY s.id
  `;

const isWhole = (balances: readonly SellerBalances[]) =>
  expect(balances.filter(({ stranded, total, sold }) => stranded !== 0n || total !== sold)).toEqual(
    [],
  );

const at = fc.nat({ max: SELLERS - 1 });
const anyAct = fc.oneof(
  fc.record({ does: fc.constant("sell" as const), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constantFrom("buy" as const, "end" as const, "cancel" as const), at }),
  fc.record({
    does: fc.constant("ask" as const),
    at,
    amount: fc.integer({ min: 100, max: 9_000 }),
  }),
  fc.record({ does: fc.constant("pass" as const), days: fc.constantFrom(1, 20, 40) }),
);
type Act = typeof anyAct extends fc.Arbitrary<infer A> ? A : never;

type StormRun = Awaited<ReturnType<typeof openStorm>>;

function perform(storm: StormRun, act: Act, sold: { from: number }): Promise<void> | undefined {
  switch (act.does) {
    case "sell": {
      const { from } = sold;
      sold.from += act.count;
      return storm.sell(from, act.count);
    }
    case "buy":
      return storm.buy(act.at);
    case "end":
      return storm.end(act.at);
    case "cancel":
      return storm.cancel(act.at);
    case "ask":
      return storm.ask(act.at, act.amount);
    case "pass":
      storm.pass(act.days);
      return undefined;
  }
}

describe("a seller's balance follows his plan", () => {
  test("whatever happens in whatever order: no franc stays where the seller cannot spend it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 3, maxLength: 25 }), async (acts) => {
        const storm = await openStorm(80);
        const sold = { from: 0 };
        for (const act of acts) {
          await perform(storm, act, sold);
          isWhole(await storm.balances());
        }
      }),
      { numRuns: LONG ? 500 : 12 },
    );
  });

  test("when purchases, ends, sales, requests and cancellations coincide", async () => {
    for (let round = 0; round < (LONG ? 100 : 4); round++) {
      const storm = await openStorm(60);
      await Promise.all([0, 1, 2].map((seller) => storm.buy(seller)));
      await storm.sell(0, 12);
      // After the days of grace: a seller who does not buy now returns to the free plan, in any order.
      storm.pass(40);
      await Promise.all([
        ...Array.from({ length: 12 }, (_, nth) => storm.sell(12 + nth * 4, 4)),
        ...[0, 1, 2].flatMap((seller) => [
          storm.end(seller),
          storm.ask(seller, 700),
          storm.cancel(seller),
          storm.end(seller),
        ]),
        storm.buy(0),
        storm.buy(1),
        storm.cancel(0),
      ]);
      const balances = await storm.balances();
      isWhole(balances);
      expect(balances.map(({ plan }) => plan)).toEqual(["premium", "premium", "free"]);
      await Promise.all([0, 1, 2].map((seller) => storm.cancel(seller)));
      isWhole(await storm.balances());
    }
  });

  test("each change has its row in the log, and the move its own name", async () => {
    const storm = await openStorm(10);
    const [seller = 0n] = storm.sellers;
    await storm.sell(0, 10);
    await storm.buy(0);
    storm.pass(40);
    await storm.end(0);
    const log = await sql<{ before: unknown; after: { plan: string } }>`
      SELECT before, after FROM audit_log WHERE subject = ${`seller:${seller}`} ORDER BY seq
    `.execute(db);
    expect(log.rows).toEqual([
      {
        before: { plan: "free", until: null },
        after: { plan: "premium", until: "2026-12-16T09:00:00.000Z", order: expect.any(String) },
      },
      {
        before: { plan: "premium", until: "2026-12-16T09:00:00.000Z" },
        after: { plan: "free", until: null },
      },
    ]);
    const moves = await sql<{ id: string; legs: string }>`
      SELECT id FROM ledger_transfers WHERE id LIKE ${`plan-move:${seller}:%`} ORDER BY id
    `.execute(db);
    expect(moves.rows.map(({ id }) => id)).toEqual([
      `plan-move:${seller}:1`,
      `plan-move:${seller}:2`,
    ]);
  });
});
