import { addMs, DAY_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Market, sellMany } from "../../../test/bulk-sales.ts";
import { type OwnDatabase, openOwnDatabase } from "../../../test/tables.ts";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { type Db, many } from "../../postgres/database.ts";
import { brokenSales } from "../../maintenance/books.view.ts";
import { closeSellerIn } from "../back-office/index.ts";
import { settle as settleIn, settleConfirmed } from "./settle.ts";

const NOW = new Date("2026-11-16T09:00:00.000Z");
const MONTH_MS = 30 * DAY_MS;

let database: OwnDatabase;

beforeEach(async () => {
  database = await openOwnDatabase();
});

afterEach(async () => {
  expect(await check(database.db)).toEqual([]);
  await database.close();
});

const market = (orders: number, buyers = 1, sellers = 1): Promise<Market> =>
  sellMany(database.db, { sellers, buyers, orders, now: NOW });

const settle = (payments: readonly (bigint | undefined)[], now = NOW) =>
  settleConfirmed(
    database.db,
    payments.map((paymentId) => ({ paymentId: paymentId ?? 0n, occurredAt: now })),
    now,
  );

type OrderRow = { status: string; is_renewal: boolean; access_until: Date };
const orders = () =>
  database.sql<OrderRow>`SELECT status, is_renewal, access_until FROM orders ORDER BY id`;
type AccessRow = { status: string; ends_at: Date; started_at: Date; joined_at: Date | null };
const accesses = () =>
  database.sql<AccessRow>`SELECT status, ends_at, started_at, joined_at FROM accesses ORDER BY id`;
const posted = (key: string) => database.balance(key);

/** As for a mismatch without a decision. */
const postSuspense = (payment: bigint | undefined, francs: number) =>
  database.sql`SELECT ledger_post(array['suspense:' || ${payment}::bigint], array[1, 1],
    array(SELECT id FROM ledger_accounts WHERE key IN ('provider:moneroo', 'suspense') ORDER BY key),
    array[-${francs}::bigint, ${francs}::bigint], array[${NOW}::timestamptz], ${NOW})`;

const firstSeller = () => database.value<bigint>`SELECT id FROM sellers ORDER BY id LIMIT 1`;
const freeAccount = async () => `seller:${await firstSeller()}:free`;

/** Another payment of the order, and what of it is in suspense as a mismatch. → its id */
const payAgain = (order: bigint | undefined, suspended: number | null = null) =>
  database.value<bigint>`
    INSERT INTO payments (order_id, provider, provider_payment_id, checkout_url,
      return_secret_hash, amount, status, suspended_amount, created_at)
    VALUES (${order}, 'moneroo', 'py_second', 'https://pay.example', 'x', 5000,
      ${suspended === null ? "pending" : "mismatched"}, ${suspended}, ${NOW})
    RETURNING id`;

describe("a settlement", () => {
  test("credits the seller, the platform and opens the membership, all at once", async () => {
    const { payments, orders: ids } = await market(1);
    const settled = await settle(payments);
    expect(settled).toMatchObject([{ outcome: "settled", order_id: ids[0], net: 4100n }]);
    expect(await posted(await freeAccount())).toBe(4100n);
    expect(await posted("platform:fees")).toBe(900n);
    expect(await posted("provider:moneroo")).toBe(-5000n);
    const until = addMs(NOW, MONTH_MS);
    expect(await orders()).toEqual([{ status: "paid", is_renewal: false, access_until: until }]);
    expect(await accesses()).toMatchObject([{ status: "waiting", ends_at: until }]);
    const jobs = await database.sql<{ topic: string; ref: bigint }>`
      SELECT topic, ref FROM outbox ORDER BY priority`;
    expect(jobs).toEqual([
      { topic: "access.open", ref: ids[0] },
      { topic: "sales.notify-seller", ref: ids[0] },
    ]);
    expect(await database.sql`SELECT 1 FROM payment_checks`).toEqual([]);
  });

  test.each(["product", "donation", "plan"] as const)(
    "of a payment that is not the price of its %s is refused, alone and with others",
    async (kind) => {
      const { payments } = await market(2);
      await database.sql`UPDATE orders SET kind = ${kind}, duration_minutes =
          CASE ${kind} WHEN 'donation' THEN 0 ELSE duration_minutes END,
        group_id = CASE ${kind} WHEN 'product' THEN group_id END,
        product_id = CASE ${kind} WHEN 'plan' THEN NULL ELSE product_id END,
        seller_id = CASE ${kind} WHEN 'plan' THEN NULL ELSE seller_id END`;
      await database.sql`UPDATE payments SET amount = 100 WHERE id = ${payments[0]}`;
      const confirm = (chosen: readonly (bigint | undefined)[]) =>
        settleConfirmed(
          database.db,
          chosen.map((paymentId) => ({ paymentId: paymentId ?? 0n, occurredAt: NOW, kind })),
          NOW,
        );
      const refusal = `payment ${payments[0]}: 100 F would pay for 5000 F`;
      await expect(confirm([payments[0]])).rejects.toThrow(refusal);
      await expect(confirm(payments)).rejects.toThrow(refusal);
      expect(await orders()).toMatchObject([{ status: "pending" }, { status: "pending" }]);
      expect(await database.sql`SELECT 1 FROM payment_checks`).toHaveLength(2);
    },
  );

  test("changes nothing that an index of its order or its payment contains: both stay on their page", async () => {
    const { payments } = await market(20, 20);
    const confirmed = payments.map((paymentId) => ({ paymentId, occurredAt: NOW }));
    const updates = await database.db.transaction().execute(async (tx) => {
      await settleIn(tx, "product", { confirmed, now: NOW });
      return many(tx)`
        SELECT relname AS name, n_tup_upd::int AS all, n_tup_hot_upd::int AS hot
        FROM pg_stat_xact_user_tables WHERE relname IN ('orders', 'payments') ORDER BY 1`;
    });
    expect(updates).toEqual([
      { name: "orders", all: 20, hot: 20 },
      { name: "payments", all: 20, hot: 20 },
    ]);
  });

  test("and the closing of its seller's account wait for each other, whichever comes first", async () => {
    const { payments } = await market(2);
    await database.sql`UPDATE orders SET status = 'failed', stock_reserved_until = NULL`;
    await database.sql`DELETE FROM payment_checks`;
    const seller = await firstSeller();
    const close = (tx: Db) => closeSellerIn(tx, seller, NOW, "Africa/Abidjan");
    const inTransaction = <T>(run: (tx: Db) => Promise<T>) =>
      database.db.transaction().execute(run);
    // For the turn that both take, not for a row.
    const waits = () =>
      eventually(async () => {
        const waiting = await database.sql`
          SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
        return waiting.length === 1;
      });

    const refused = await inTransaction(async (tx) => {
      const confirmed = [{ paymentId: payments[0] ?? 0n, occurredAt: NOW }];
      await settleIn(tx, "product", { confirmed, now: NOW });
      const closing = inTransaction(close);
      await waits();
      return { closing };
    });
    expect(await refused.closing).toMatchObject({ refusal: { kind: "account.not-empty" } });
    await database.sql`UPDATE ledger_accounts SET posted = 0 WHERE guarded`;
    await database.sql`UPDATE accesses SET status = 'removed'`;

    const closing = await inTransaction(async (tx) => {
      expect(await close(tx)).toMatchObject({ ok: true });
      const settling = settle([payments[1]]);
      await waits();
      return { settling };
    });
    expect(await closing.settling).toHaveLength(1);
    expect(await database.openAlerts()).toEqual(["sale.on-closed-account"]);
    await database.sql`UPDATE ledger_accounts SET posted = 8200 WHERE posted > 0`;
  });

  test("of the same payment again, at once, in another batch or twice in one, changes nothing", async () => {
    const { payments } = await market(1);
    const all = await Promise.all([
      settle([payments[0], payments[0]]),
      settle(payments),
      settle(payments),
    ]);
    expect(all.flat()).toHaveLength(1);
    expect(await settle(payments, addMs(NOW, DAY_MS))).toEqual([]);
    expect(await posted("platform:fees")).toBe(900n);
    expect(await database.sql`SELECT 1 FROM outbox`).toHaveLength(2);
  });

  test("adds the time of two orders of one person for one group in one batch", async () => {
    const { payments } = await market(2);
    await settle(payments);
    expect(await orders()).toEqual([
      { status: "paid", is_renewal: false, access_until: addMs(NOW, MONTH_MS) },
      { status: "paid", is_renewal: true, access_until: addMs(NOW, 2 * MONTH_MS) },
    ]);
    expect(await accesses()).toMatchObject([{ ends_at: addMs(NOW, 2 * MONTH_MS) }]);
  });

  test("while a membership runs is a renewal: time is added at its end, the member stays inside", async () => {
    const { payments } = await market(2);
    await settle([payments[0]]);
    await database.sql`UPDATE accesses SET status = 'inside', joined_at = ${NOW}`;
    const later = addMs(NOW, 10 * DAY_MS);
    await settle([payments[1]], later);
    expect((await orders())[1]).toEqual({
      status: "paid",
      is_renewal: true,
      access_until: addMs(NOW, 2 * MONTH_MS),
    });
    expect(await accesses()).toEqual([
      { status: "inside", ends_at: addMs(NOW, 2 * MONTH_MS), started_at: NOW, joined_at: NOW },
    ]);
  });

  test.each(["ended", "removed", "left", "waiting"])(
    "after the end opens again a membership that was %s, from now",
    async (status) => {
      const { payments } = await market(2);
      await settle([payments[0]]);
      await database.sql`UPDATE accesses SET status = ${status}`;
      const later = addMs(NOW, 40 * DAY_MS);
      await settle([payments[1]], later);
      expect((await orders())[1]?.is_renewal).toBe(false);
      expect(await accesses()).toEqual([
        { status: "waiting", ends_at: addMs(later, MONTH_MS), started_at: later, joined_at: null },
      ]);
    },
  );

  test("keeps the ban of a buyer whom the group's admins banned, and raises an alert", async () => {
    const { payments } = await market(2);
    await settle([payments[0]]);
    await database.sql`UPDATE accesses SET status = 'banned'`;
    await settle([payments[1]]);
    expect(await accesses()).toMatchObject([
      { status: "banned", ends_at: addMs(NOW, 2 * MONTH_MS) },
    ]);
    expect(await database.alertsAfter(0n)).toEqual(["access.paid-while-banned"]);
  });

  test("puts a second payment of a paid order in suspense, grants nothing twice, raises an alert", async () => {
    const { payments, orders: ids } = await market(1);
    await settle(payments);
    const second = await payAgain(ids[0]);
    expect(await settle([second])).toMatchObject([{ outcome: "overpayment" }]);
    expect(await settle([second])).toEqual([]);
    expect(await posted("suspense")).toBe(5000n);
    expect(await posted("provider:moneroo")).toBe(-10_000n);
    expect(await posted("platform:fees")).toBe(900n);
    expect(await accesses()).toMatchObject([{ ends_at: addMs(NOW, MONTH_MS) }]);
    expect(await database.alertsAfter(0n)).toEqual(["payment.overpayment"]);
  });

  test("of two payments of one order in one batch pays it with one", async () => {
    const { payments, orders: ids } = await market(1);
    const second = await payAgain(ids[0]);
    const settled = await settle([second, payments[0]]);
    expect(settled.map(({ outcome }) => outcome).sort()).toEqual(["overpayment", "settled"]);
    expect(await posted("suspense")).toBe(5000n);
    expect(await posted(await freeAccount())).toBe(4100n);
  });

  test("pays an order that had failed", async () => {
    const { payments } = await market(1);
    await database.sql`UPDATE orders SET status = 'failed'`;
    await database.sql`UPDATE payments SET status = 'refused'`;
    expect(await settle(payments)).toMatchObject([{ outcome: "settled" }]);
    expect(await orders()).toMatchObject([{ status: "paid" }]);
  });

  test("credits the account of the seller's current plan, with the fee of the order", async () => {
    const { payments } = await market(1);
    await database.sql`UPDATE sellers SET plan = 'premium'`;
    await settle(payments);
    const account = (await freeAccount()).replace("free", "premium");
    expect(await posted(account)).toBe(4100n);
    expect(await posted("platform:fees")).toBe(900n);
  });

  test("takes back from suspense what a mismatch had put there", async () => {
    const { payments } = await market(1);
    await database.sql`UPDATE payments SET status = 'mismatched', suspended_amount = 3000`;
    await postSuspense(payments[0], 3_000);
    await settle(payments);
    expect(await posted("suspense")).toBe(0n);
    expect(await posted("provider:moneroo")).toBe(-5000n);
    expect(await posted(await freeAccount())).toBe(4100n);
  });

  test("completes an overpayment in suspense that was short", async () => {
    const { payments, orders: ids } = await market(1);
    await settle(payments);
    const second = await payAgain(ids[0], 4_000);
    await postSuspense(second, 4_000);
    expect(await settle([second])).toMatchObject([{ outcome: "overpayment" }]);
    expect(await posted("suspense")).toBe(5000n);
    expect(await posted("provider:moneroo")).toBe(-10_000n);
    const suspended = await database.value`
      SELECT suspended_amount FROM payments WHERE id = ${second}`;
    expect(suspended).toBe(5000n);
    expect(await brokenSales(database.db, 10)).toEqual([]);
  });

  test("makes and loses no franc when eight workers settle the same payments in any order", async () => {
    const { payments } = await market(400, 40, 5);
    const shuffled = (seed: number) =>
      [...payments].sort((a, b) =>
        Number(((a * 7919n * BigInt(seed)) % 997n) - ((b * 7919n * BigInt(seed)) % 997n)),
      );
    const workers = Array.from({ length: 8 }, async (_, worker) => {
      const mine = shuffled(worker + 1);
      let settled = 0;
      for (let from = 0; from < mine.length; from += 50) {
        settled += (await settle(mine.slice(from, from + 50))).length;
      }
      return settled;
    });
    const counts = await Promise.all(workers);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(400);
    expect(await posted("platform:fees")).toBe(400n * 900n);
    expect(await posted("provider:moneroo")).toBe(-400n * 5000n);
    const [time] = await database.sql<{ paid: number; granted: number }>`
      SELECT (SELECT sum(duration_minutes)::int FROM orders WHERE status = 'paid') AS paid,
        (SELECT sum(extract(epoch FROM ends_at - ${NOW}::timestamptz) / 60)::int FROM accesses) AS granted`;
    expect(time?.granted).toBe(time?.paid);
  });
});
