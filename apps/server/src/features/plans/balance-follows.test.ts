import { addMs, DAY_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import { openOwnDatabase } from "../../../test/tables.ts";
import { createTestApp } from "../../../test/harness.ts";
import { many } from "../../postgres/database.ts";
import { requestWithdrawal } from "../withdrawals/request.ts";
import { cancel } from "../withdrawals/withdrawals.ts";
import { endPremium } from "./plans.ts";

const START = new Date("2026-11-16T09:00:00.000Z");
const LONG = process.env.LONG === "1";
const SELLERS = 3;

const { db, value, values, close } = await openOwnDatabase(12);
afterEach(async () => expect(await check(db)).toEqual([]));
afterAll(close);

/** Sellers and orders of one run, with all that can happen to a seller's money. */
async function openStorm(orders: number) {
  const market = await sellMany(db, { sellers: SELLERS, buyers: 5, orders, now: START });
  const sellers = await values<bigint>`
    SELECT id FROM (SELECT id FROM sellers ORDER BY id DESC LIMIT ${SELLERS}) AS s ORDER BY id`;
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
    sell: (from: number, count: number) =>
      settle("product", market.payments.slice(from, from + count), now),
    /** The seller's plan order, paid; settling the payment twice changes nothing. */
    async buy(at: number) {
      const payments = [await openPlan(sellerAt(at), (bought += 1), now)];
      await Promise.all([1, 2].map(() => settle("plan", payments, now)));
    },
    end: (at: number) => endPremium(app, sellerAt(at)),
    async ask(at: number, amount: number) {
      const phone = "0701020304";
      const form = { amount, method: "orange-money-ci", phone, whatsapp: phone };
      await requestWithdrawal(app, { sellerId: sellerAt(at), form, key: null, automaticOn: null });
    },
    async cancel(at: number) {
      const sellerId = sellerAt(at);
      const [id] = await values<bigint>`
        SELECT id FROM withdrawals WHERE seller_id = ${sellerId} AND status = 'pending'
        ORDER BY id LIMIT 1`;
      if (id) await cancel(app, { id, sellerId, call: null });
    },
    balances: () => balancesOf(sellers),
  };
}

async function settle(kind: "product" | "plan", payments: readonly bigint[], now: Date) {
  const times = payments.map(() => now);
  await values`
    SELECT settle_payments(${kind}, ${[...payments]}::bigint[], ${times}::timestamptz[], ${now})`;
}

const openPlan = (sellerId: bigint, nth: number, now: Date) => value<bigint>`
  WITH made AS (
    INSERT INTO orders (kind, buyer_id, price, fee, duration_minutes, title, provider, created_at)
    VALUES ('plan', ${sellerId}, 5000, 0, 43200, 'Plan Premium', 'moneroo', ${now}) RETURNING id
  )
  INSERT INTO payments (order_id, provider, provider_payment_id, checkout_url,
    return_secret_hash, amount, created_at)
  SELECT id, 'moneroo', ${`py_plan_${sellerId}_${nth}`}, 'https://pay.example/plan',
    sha256(${`plan ${sellerId} ${nth}`}::bytea), 5000, ${now} FROM made RETURNING id`;

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

function isWhole(balances: readonly SellerBalances[]) {
  for (const { stranded, total, sold } of balances) expect([stranded, total]).toEqual([0n, sold]);
}

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

function perform(storm: StormRun, act: Act, sold: { from: number }): Promise<void> | void {
  if (act.does === "pass") return storm.pass(act.days);
  if (act.does === "ask") return storm.ask(act.at, act.amount);
  if (act.does !== "sell") return storm[act.does](act.at);
  sold.from += act.count;
  return storm.sell(sold.from - act.count, act.count);
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
    const logged = await many(db)`
      SELECT before, after FROM audit_log WHERE subject = ${`seller:${seller}`} ORDER BY seq`;
    expect(logged).toEqual([
      {
        before: { plan: "free", until: null },
        after: { plan: "premium", until: "2026-12-16T09:00:00.000Z", order: expect.any(String) },
      },
      {
        before: { plan: "premium", until: "2026-12-16T09:00:00.000Z" },
        after: { plan: "free", until: null },
      },
    ]);
    const moves = await values`
      SELECT id FROM ledger_transfers WHERE id LIKE ${`plan-move:${seller}:%`} ORDER BY id`;
    expect(moves).toEqual([`plan-move:${seller}:1`, `plan-move:${seller}:2`]);
  });
});
