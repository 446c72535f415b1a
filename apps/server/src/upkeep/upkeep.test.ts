import { addMs, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sellMany } from "../../test/bulk-sales.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { keepTables, pastGuards } from "../../test/tables.ts";
import { settleConfirmed } from "../features/checkout/settle.ts";
import { many } from "../postgres/database.ts";
import { brokenAccesses, brokenSales } from "./books.view.ts";

let app: TestApp;
let orders: readonly bigint[];
let payments: readonly bigint[];

let mend: () => Promise<void>;

/** Two buyers, so that some buy twice or thrice: renewals are among the sales. */
beforeAll(async () => {
  app = await startTestApp();
  const dueAt = addMs(app.clock.now(), 1_000 * HOUR_MS);
  const size = { sellers: 2, buyers: 2, orders: 8, now: app.clock.now(), dueAt };
  ({ orders, payments } = await sellMany(app.db, size));
  await settle(payments.slice(0, 5));
  app.clock.advance(40 * 24 * HOUR_MS);
  await settle(payments.slice(5, 7));
  mend = await keepTables(app.db, [
    "orders",
    "payments",
    "accesses",
    "ledger_accounts",
    "ledger_transfers",
    "ledger_snapshots",
    "desk_alerts",
    "upkeep_tasks",
  ]);
});
afterAll(() => app?.close());
afterEach(async () => {
  expect(app.takeErrors()).toEqual([]);
  await mend();
});

async function settle(paid: readonly bigint[]): Promise<void> {
  const occurredAt = app.clock.now();
  const confirmed = paid.map((paymentId) => ({ paymentId, occurredAt }));
  await settleConfirmed(app.db, confirmed, app.clock.now());
}

async function runTask(name: string): Promise<void> {
  await app.app.loops.find((loop) => loop.name === name)?.drain();
}

type Alert = { kind: string; subject: string; details: Record<string, string | null> };

async function alerts(): Promise<Alert[]> {
  return many<Alert>(app.db)`
    SELECT kind, subject, details FROM desk_alerts WHERE resolved_at IS NULL ORDER BY id
  `;
}

/** Breaks the books as no code of ours can. */
const plant = (breakage: RawBuilder<unknown>) => pastGuards(app.db, breakage);

describe("the audit of the books", () => {
  test("finds nothing in true books, renewals and late sales included", async () => {
    expect(await brokenSales(app.db, 10)).toEqual([]);
    expect(await brokenAccesses(app.db, 10)).toEqual([]);
    await runTask("books.audit");
    expect(await alerts()).toEqual([]);
  });

  test("puts a broken ledger on the desk, once, and again after it was resolved", async () => {
    await plant(sql`UPDATE ledger_accounts SET posted = posted + 1 WHERE key = (
      SELECT min(key) FROM ledger_accounts WHERE guarded AND posted > 0)`);
    await runTask("books.audit");
    expect(await alerts()).toMatchObject([
      { kind: "ledger.broken", details: { invariant: "posted" } },
    ]);
    app.clock.advance(HOUR_MS);
    await runTask("books.audit");
    expect(await alerts()).toHaveLength(1);
    await sql`UPDATE desk_alerts SET resolved_at = created_at`.execute(app.db);
    app.clock.advance(HOUR_MS);
    await runTask("books.audit");
    expect(await alerts()).toHaveLength(1);
    expect(app.takeErrors()).toHaveLength(3);
  });

  const sold = () => orders[0];
  const open = () => orders[7];
  test.each<[string, string, () => RawBuilder<unknown>]>([
    [
      "a paid order without its sale in the ledger",
      "sale in the ledger",
      () => sql`DELETE FROM ledger_transfers WHERE id = ${`sale:${sold()}`}`,
    ],
    [
      "a sale with another fee than the order's",
      "sale in the ledger",
      () => sql`UPDATE orders SET fee = fee + 1 WHERE id = ${sold()}`,
    ],
    [
      "an order marked paid that nothing paid",
      "one payment for a sale",
      () => sql`UPDATE orders SET status = 'paid', settled_at = created_at WHERE id = ${open()}`,
    ],
    [
      "a paid order that gave no access",
      "end of the access sold",
      () => sql`UPDATE orders SET access_until = NULL WHERE id = ${sold()}`,
    ],
    [
      "a sale whose order is not paid",
      "order of a sale",
      () => sql`UPDATE orders SET status = 'pending' WHERE id = ${sold()}`,
    ],
    [
      "a payment that was taken and forgotten",
      "order of a payment",
      () => sql`UPDATE payments SET status = 'paid' WHERE order_id = ${open()}`,
    ],
    [
      "francs set aside that the ledger does not hold",
      "francs in suspense",
      () => sql`UPDATE payments SET suspended_amount = 1 WHERE order_id = ${open()}`,
    ],
  ])("finds %s", async (_what, invariant, breakage) => {
    await plant(breakage());
    const broken = await brokenSales(app.db, 10);
    expect(broken.map((each) => each.invariant)).toContain(invariant);
  });

  test.each<[string, () => RawBuilder<unknown>]>([
    [
      "an access that ends later than was paid",
      () => sql`UPDATE accesses SET ends_at = ends_at + interval '1 hour'
        WHERE id = (SELECT min(id) FROM accesses)`,
    ],
    [
      "an access that ends earlier",
      () => sql`UPDATE accesses SET ends_at = ends_at - interval '1 hour'
        WHERE id = (SELECT min(id) FROM accesses)`,
    ],
    ["time paid and no access", () => sql`DELETE FROM accesses`],
    [
      "an access nobody paid",
      () => sql`INSERT INTO accesses (person_id, group_id, status, ends_at, started_at, order_id,
          updated_at)
        SELECT seller_id, group_id, 'waiting', created_at, created_at, id, created_at
        FROM orders LIMIT 1`,
    ],
    [
      "an order that promised another end",
      () => sql`UPDATE orders SET access_until = access_until + interval '1 day'
        WHERE id = ${sold()}`,
    ],
  ])("finds %s", async (_what, breakage) => {
    await plant(breakage());
    expect(await brokenAccesses(app.db, 10)).not.toEqual([]);
    await runTask("books.audit");
    expect((await alerts()).map(({ kind }) => kind)).toContain("access.broken");
    expect(app.takeErrors()).not.toEqual([]);
  });
});

describe("upkeep", () => {
  test("advances the ledger's balances when a minute has passed, and not before", async () => {
    const takenAt = async () => {
      const { rows } = await sql<{ at: Date }>`
        SELECT max(taken_at) AS at FROM ledger_snapshots
      `.execute(app.db);
      return rows[0]?.at;
    };
    await runTask("ledger.snapshot");
    const first = app.clock.now();
    expect(await takenAt()).toEqual(first);
    app.clock.advance(MINUTE_MS - 1);
    await runTask("ledger.snapshot");
    expect(await takenAt()).toEqual(first);
    app.clock.advance(1);
    await runTask("ledger.snapshot");
    expect(await takenAt()).toEqual(app.clock.now());
  });

  test("goes on when the clock was set back", async () => {
    await runTask("books.audit");
    await plant(sql`UPDATE accesses SET ends_at = ends_at + interval '1 hour'`);
    const offsetMs = app.clock.offsetMs();
    app.clock.setOffset(0);
    await runTask("dates ahead");
    await runTask("books.audit");
    app.clock.setOffset(offsetMs);
    expect(app.takeErrors()).not.toEqual([]);
  });

  test("survives a ledger too busy for a snapshot", async () => {
    await app.db.transaction().execute(async (tx) => {
      await sql`SELECT ledger_enter()`.execute(tx);
      await runTask("ledger.snapshot");
    });
    const { rows } = await sql`SELECT FROM ledger_snapshots`.execute(app.db);
    expect(rows).toEqual([]);
  });
});
