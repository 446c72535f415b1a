import { divideRate, type KnownProvider } from "@sesame/contract/checkout";
import { addMs, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import { openShop, type Shop } from "../../../test/sales.ts";
import { claimChecks, type DueCheck } from "./checks.ts";
import { claimOpening } from "./opening.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.app.close());

const now = () => shop.app.clock.now();
const run = (statement: ReturnType<typeof sql>) => statement.execute(shop.app.db);

function claim(
  paced: number,
  { limit = 400, provider = "moneroo" }: { limit?: number; provider?: KnownProvider } = {},
): Promise<DueCheck[]> {
  const leaseEnd = addMs(now(), 12_000);
  const rates = new Map<string, number>([[provider, paced]]);
  return claimChecks(shop.app.db, { now: now(), leaseEnd, limit, except: [], paced: rates });
}

const ordersOf = (checks: readonly DueCheck[]) => checks.map(({ order_id }) => order_id);

describe("what is asked about", () => {
  beforeEach(async () => {
    await run(sql`DELETE FROM payment_checks`);
    shop.app.clock.advance(10 * MINUTE_MS);
  });

  const sell = (orders: number) =>
    sellMany(shop.app.db, { sellers: 1, buyers: 1, orders, now: now() });

  test("is one order of each person in turn, the oldest first, as far as the rate allows", async () => {
    const flood = await sell(20);
    const victim = await sell(1);
    const checks = await claim(4);
    expect(ordersOf(checks)).toEqual([flood.orders[0], victim.orders[0], flood.orders[1]]);
    // The last is left to who was not asked about.
    expect(await claim(4)).toEqual([]);
    const newcomer = await sell(2);
    expect(ordersOf(await claim(4))).toEqual([newcomer.orders[0]]);
    shop.app.clock.advance(MINUTE_MS + 5_000);
    expect(ordersOf(await claim(4, { limit: 2 }))).toEqual([flood.orders[0], victim.orders[0]]);
  });

  test("is what the provider refused after what waits, if twice as many calls are left to others", async () => {
    const { payments, orders } = await sell(12);
    const refused = payments.slice(0, 6);
    await run(sql`UPDATE payments SET status = 'refused' WHERE id = ANY(${refused}::bigint[])`);
    expect(ordersOf(await claim(24))).toEqual([...orders.slice(6), ...orders.slice(0, 2)]);
  });

  test.each([1, 20])(
    "is what the provider refused at any rate, and KkiaPay by %s names that were told",
    async (names) => {
      for (let paced = 9; paced <= 40; paced += 1) {
        await run(sql`DELETE FROM payment_checks`);
        shop.app.clock.advance(10 * MINUTE_MS);
        const { payments } = await sell(1);
        const [payment] = payments;
        const provider = names === 1 ? "moneroo" : "kkiapay";
        await run(sql`UPDATE payments SET status = 'refused', provider = ${provider}
          WHERE id = ${payment}`);
        await run(sql`INSERT INTO payment_rumours
          SELECT ${payment}, 'name-' || n, ${now()} FROM generate_series(1, ${names}::int) AS n`);
        expect(await claim(paced, { provider })).toMatchObject([{ payment_id: payment }]);
      }
    },
  );

  test("is what fits, though names of another's payments do not", async () => {
    const flood = await sell(3);
    const refused = await sell(1);
    const ids = [...flood.payments, ...refused.payments];
    await run(sql`UPDATE payments SET provider = 'kkiapay' WHERE id = ANY(${ids}::bigint[])`);
    await run(sql`UPDATE payments SET status = 'refused' WHERE id = ${refused.payments[0]}`);
    await run(sql`INSERT INTO payment_rumours
      SELECT p, 'name-' || p || '-' || n, ${now()}
      FROM unnest(${flood.payments}::bigint[]) AS p, generate_series(1, 20) AS n`);
    await run(sql`INSERT INTO payment_rumours VALUES (${refused.payments[0]}, 'paid', ${now()})`);
    const asked = [
      await claim(54, { provider: "kkiapay" }),
      await claim(54, { provider: "kkiapay" }),
    ];
    expect(ordersOf(asked.flat())).toEqual([...flood.orders.slice(0, 2), refused.orders[0]]);
  });

  test("is as if nothing had been counted, where a clock that was set back had counted it", async () => {
    const { orders } = await sell(1);
    await sell(1);
    await run(sql`INSERT INTO person_calls SELECT 'moneroo', 0, 'scheduled', buyer_id, 20,
      ${addMs(now(), 60 * MINUTE_MS)} FROM orders WHERE id = ${orders[0]}`);
    expect(ordersOf(await claim(4, { limit: 1 }))).toEqual(orders);
  });

  test("is what a signed webhook spoke of before all others, whatever the rate", async () => {
    const flood = await sell(20);
    const victim = await sell(2);
    const payment = victim.payments[1];
    await run(sql`UPDATE payment_checks SET reported = true WHERE payment_id = ${payment}`);
    expect((await claim(5))[0]).toMatchObject({ payment_id: payment, reported: true });
    const late = flood.payments[19];
    await run(sql`UPDATE payment_checks SET reported = true WHERE payment_id = ${late}`);
    expect(await claim(5)).toMatchObject([{ payment_id: late }]);
  });

  test("stays within the rate when many workers ask at once", async () => {
    await sellMany(shop.app.db, { sellers: 1, buyers: 200, orders: 200, now: now() });
    const claims = await Promise.all(Array.from({ length: 12 }, () => claim(30)));
    const ids = claims.flat().map(({ payment_id }) => payment_id);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
    // Over any minute: what was asked 40 s ago counts, what was asked 65 s ago does not.
    shop.app.clock.advance(40_000);
    expect(await claim(30)).toHaveLength(0);
    shop.app.clock.advance(25_000);
    expect(await claim(30)).toHaveLength(30);
  });

  test("at a provider without a rate is not paced", async () => {
    await sell(150);
    const request = { now: now(), leaseEnd: addMs(now(), 12_000), limit: 400, except: [] };
    expect(await claimChecks(shop.app.db, { ...request, paced: new Map() })).toHaveLength(150);
  });
});

describe("payments that are opened", () => {
  async function openings(
    buyers: number,
    each: number,
    { rate, provider = "moneroo" }: { rate: number; provider?: KnownProvider },
  ): Promise<string[]> {
    const account = { provider, keyId: null };
    const size = { sellers: 1, buyers, orders: buyers * each, now: now() };
    const { orders } = await sellMany(shop.app.db, size);
    await run(sql`DELETE FROM payment_checks`);
    await run(sql`DELETE FROM payments WHERE order_id = ANY(${[...orders]}::bigint[])`);
    const taken = await Promise.all(
      orders.map((orderId) =>
        claimOpening(shop.app.db, { orderId, account, now: now(), rate, repeats: false }),
      ),
    );
    return taken.map(({ kind }) => kind);
  }

  test("take half of the rate at most, whoever opens them, and leave the rest to verifying", async () => {
    shop.app.clock.advance(10 * MINUTE_MS);
    const kinds = await openings(80, 1, { rate: 120 });
    expect(kinds.filter((kind) => kind === "open")).toHaveLength(divideRate(120).openings);
    expect(kinds.filter((kind) => kind === "account-budget")).toHaveLength(20);
  });

  test("are twenty at once for one person, then one more every thirty seconds", async () => {
    shop.app.clock.advance(10 * MINUTE_MS);
    const kinds = await openings(1, 30, { rate: 100_000 });
    expect(kinds.filter((kind) => kind === "open")).toHaveLength(20);
    expect(kinds.filter((kind) => kind === "person-budget")).toHaveLength(10);
  });

  test.each([
    ["moneroo", 120, [20, 12, 6, 3, 2, 1, 1, 1]],
    ["fedapay", 60, [5, 3, 1, 1, 1, 1, 1, 1]],
    ["paydunya", 60, [11, 5, 3, 1, 1, 1, 1, 1]],
    ["paydunya", 10, [1, 1, 1, 1, 1, 0]],
    ["fedapay", 10, [1, 1, 0]],
  ] as const)(
    "at %s, at %i a minute, leave some to those who come next: %j",
    async (provider, rate, opened) => {
      shop.app.clock.advance(10 * MINUTE_MS);
      for (const most of opened) {
        const kinds = await openings(1, 21, { rate, provider });
        expect(kinds.filter((kind) => kind === "open")).toHaveLength(most);
      }
    },
  );
});
