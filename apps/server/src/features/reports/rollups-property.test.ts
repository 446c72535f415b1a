import { addMs, assert, HOUR_MS } from "@sesame/kernel";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import { openOwnDatabase } from "../../../test/tables.ts";
import { countedByHand, countedInTotals } from "../../../test/sales-by-hand.ts";
import { settleConfirmed } from "../checkout/settle.ts";
import { foldSales } from "./statistics.ts";

const LONG = process.env["LONG"] === "1";
const START = new Date("2025-12-20T09:00:00.000Z");
const SELLERS = 2;
const ORDERS = 30;
const ZONES = ["Africa/Abidjan", "Europe/Paris"];

const { db, close } = await openOwnDatabase(8);
afterAll(close);

const at = fc.nat(ORDERS - 1);
const hours = fc.integer({ min: 1, max: 1_600 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("sell" as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("sellMany" as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund" as const), at }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("shorten" as const), at, hours }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("touch" as const), at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("fold" as const), at }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pass" as const), hours }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("zone" as const), at }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A market of this test only, with its clock and time zone. */
async function openMarket() {
  const market = await sellMany(db, { sellers: SELLERS, buyers: 3, orders: ORDERS, now: START });
  const { rows } = await sql<{ id: bigint }>`
    SELECT DISTINCT seller_id AS id FROM orders WHERE id = ANY(${[...market.orders]}::bigint[])
    ORDER BY id`.execute(db);
  // Durations of a week, a month and a hundred days, so that some cross many ends of months; and
  // some sold when the product opened another group.
  await sql`UPDATE orders SET duration_minutes = (ARRAY[10080, 43200, 144000])[1 + id % 3],
      group_id = CASE WHEN id % 4 = 0 THEN (SELECT max(id) FROM groups) ELSE group_id END
    WHERE id = ANY(${[...market.orders]}::bigint[])`.execute(db);
  const state = { now: START, zone: ZONES[0] ?? "" };
  const orderAt = (index: number) => market.orders[index] ?? 0n;
  const pay = (places: readonly number[]) =>
    settleConfirmed(
      db,
      places.map((each) => ({ paymentId: market.payments[each] ?? 0n, occurredAt: state.now })),
      state.now,
    );
  return {
    sellers: rows.map(({ id }) => id),
    state,
    async play(each: Step): Promise<void> {
      switch (each.do) {
        case "sell":
          await pay([each.at]);
          return;
        case "sellMany":
          await pay([each.at, (each.at + 7) % ORDERS, (each.at + 11) % ORDERS]);
          return;
        case "refund":
          await sql`UPDATE orders SET status = 'refunded'
            WHERE id = ${orderAt(each.at)} AND status = 'paid'`.execute(db);
          return;
        case "shorten":
          await sql`UPDATE orders SET access_until = access_until
              - make_interval(hours => ${each.hours}::int)
            WHERE id >= ${orderAt(each.at)} AND id < ${orderAt(each.at)} + 4`.execute(db);
          return;
        case "touch":
          await sql`UPDATE orders SET opening_until = ${state.now}
            WHERE id = ANY(${[...market.orders]}::bigint[])`.execute(db);
          return;
        case "fold": {
          const sellerId = rows[each.at % SELLERS]?.id;
          assert(sellerId, "the market has sellers");
          await foldSales(db, { sellerId, zone: state.zone, now: state.now });
          return;
        }
        case "pass":
          state.now = addMs(state.now, each.hours * HOUR_MS);
          return;
        case "zone":
          state.zone = ZONES[each.at % ZONES.length] ?? "";
          return;
      }
    },
  };
}

describe("a seller's totals", () => {
  test("equal a plain SQL count of the orders, whatever happened in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60 }), async (steps) => {
        const market = await openMarket();
        for (const each of steps) await market.play(each);
        const { zone, now } = market.state;
        for (const sellerId of market.sellers) {
          const asked = { sellerId, zone, now };
          const byHand = await countedByHand(db, asked);
          // The card at home, the products and the groups, before the fold.
          const before = await countedInTotals(db, asked);
          expect(before.sparkline).toEqual(byHand.sparkline);
          expect(before.sums).toEqual(byHand.sums);
          await foldSales(db, asked);
          expect(await countedInTotals(db, asked)).toEqual(byHand);
        }
      }),
      { numRuns: LONG ? 400 : 20 },
    );
  });

  test("are exact while sales and folds run at the same time", async () => {
    const market = await openMarket();
    const places = Array.from({ length: ORDERS }, (_, index) => index);
    const { zone, now } = market.state;
    const folds = market.sellers.flatMap((sellerId) =>
      places.slice(0, 10).map(() => foldSales(db, { sellerId, zone, now })),
    );
    const sales = places.map((index) => market.play({ do: "sell", at: index }));
    const refunds = places.slice(0, 8).map((index) => market.play({ do: "refund", at: index }));
    await Promise.all([...sales, ...folds, ...refunds]);
    for (const sellerId of market.sellers) {
      const asked = { sellerId, zone, now };
      await foldSales(db, asked);
      expect(await countedInTotals(db, asked)).toEqual(await countedByHand(db, asked));
    }
  });

  test("count a donation as a sale, and its donor as no subscriber", async () => {
    const market = await openMarket();
    const [sellerId = 0n] = market.sellers;
    const { zone, now } = market.state;
    const asked = { sellerId, zone, now };
    // Each by a fold of its own: the second updates the row of the first.
    for (let giver = 0; giver < 2; giver += 1) {
      await foldSales(db, asked);
      await sql`INSERT INTO orders (kind, buyer_id, seller_id, product_id, status, price, fee,
          duration_minutes, title, provider, created_at, paid_at)
        SELECT 'donation', (SELECT min(id) FROM people), ${sellerId}, min(id), 'paid', 2000, 360, 0,
          'Un don', 'moneroo', ${now}, ${now} FROM products
        WHERE seller_id = ${sellerId}`.execute(db);
    }
    await foldSales(db, asked);
    const { totals, runs, cohorts, sums } = await countedInTotals(db, asked);
    expect(totals).toMatchObject([
      { grain: "day", sales: 2, gross: 4_000, fees: 720 },
      { grain: "month", sales: 2, gross: 4_000, fees: 720 },
    ]);
    expect(sums).toMatchObject([{ group_id: null, sales: 2, gross: 4_000, fees: 720 }]);
    expect([runs, cohorts]).toEqual([[], []]);
  });
});
