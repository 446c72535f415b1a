import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sellMany } from "../../test/bulk-sales.ts";
import { type SignedInBuyer, openTestApp, type TestApp } from "../../test/harness.ts";
import { keepDatabase, keepTables, pastGuards } from "../../test/tables.ts";
import { settleConfirmed } from "../features/checkout/settle.ts";
import { type Db } from "../postgres/database.ts";
import { brokenAccesses, brokenSales } from "./books.view.ts";
import { createGroupFixtures } from "../../test/groups.ts";
import { createRefundFixtures } from "../../test/refunds.ts";
import { brokenRefunds } from "./refunds-books.view.ts";
import { auditBooks } from "./maintenance.ts";
import { createPayoutApp, type PayoutFixtures } from "../../test/payouts.ts";
import { type ScriptedPayouts, scriptPayouts } from "../../test/scripted-payouts.ts";
import { resolveIn } from "../features/treasury/decide.ts";
import { cancel } from "../features/withdrawals/withdrawals.ts";
import { brokenWithdrawals } from "./withdrawals-books.view.ts";
import { openShopIn, type Shop } from "../../test/sales.ts";
import { DATES_AHEAD } from "../application.ts";
import { endDatesAhead, leaseClockOf } from "../jobs/leases.ts";

describe("the hourly work", () => {
  let app: TestApp;
  let orders: readonly bigint[];
  let payments: readonly bigint[];

  let mend: () => Promise<void>;

  /** Two buyers, so that some buy twice or thrice: some sales are renewals. */
  beforeAll(async () => {
    app = await openTestApp();
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
      "alerts",
      "maintenance_tasks",
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

  const alerts = () => app.sql<Alert>`
    SELECT kind, subject, details FROM alerts WHERE resolved_at IS NULL ORDER BY id
    `;

  /** Breaks the tables as no code of ours can. */
  const plant = (breakage: RawBuilder<unknown>) => pastGuards(app.db, breakage);

  describe("the audit of the ledger and the sales", () => {
    test("finds nothing in valid tables, renewals and late sales included", async () => {
      expect(await brokenSales(app.db, 10)).toEqual([]);
      expect(await brokenAccesses(app.db, 10)).toEqual([]);
      await runTask("books.audit");
      expect(await alerts()).toEqual([]);
    });

    test("raises an alert for a broken ledger, once, and again after it was resolved", async () => {
      await plant(sql`UPDATE ledger_accounts SET posted = posted + 1 WHERE key = (
        SELECT min(key) FROM ledger_accounts WHERE guarded AND posted > 0)`);
      await runTask("books.audit");
      expect(await alerts()).toMatchObject([
        { kind: "ledger.broken", details: { invariant: "posted" } },
      ]);
      app.clock.advance(HOUR_MS);
      await runTask("books.audit");
      expect(await alerts()).toHaveLength(1);
      await app.sql`UPDATE alerts SET resolved_at = created_at`;
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

  describe("maintenance", () => {
    test("advances the ledger's snapshots when a minute has passed, and not before", async () => {
      const takenAt = () => app.value<Date>`SELECT max(taken_at) AS at FROM ledger_snapshots`;
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

    test("survives a ledger too busy for a snapshot", async () => {
      await app.db.transaction().execute(async (tx) => {
        await sql`SELECT ledger_enter()`.execute(tx);
        await runTask("ledger.snapshot");
      });
      const rows = await app.sql`SELECT FROM ledger_snapshots`;
      expect(rows).toEqual([]);
    });
  });
});

describe("the audit of refunds", () => {
  let app: TestApp;
  let order: bigint;
  let buyer: SignedInBuyer;

  /** A refunded sale, whose buyer has entered no number. */
  beforeAll(async () => {
    app = await openTestApp();
    const fixture = createGroupFixtures(app);
    const shop = await fixture.openShop();
    const inside = await fixture.buyerInside(shop);
    ({ buyer } = inside);
    order = BigInt(inside.orderId);
    await createRefundFixtures(app).bySeller(shop.seller, inside.orderId);
    await app.drain();
  });
  afterAll(() => app.close());

  class Undone extends Error {}

  /** The faults found after breaking the tables as no code of ours can; then they are restored. */
  async function foundAfter(breakage: RawBuilder<unknown>): Promise<string[]> {
    let found: string[] = [];
    const plant = async (tx: Db) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx);
      await breakage.execute(tx);
      found = (await brokenRefunds(tx, 50)).map(({ invariant }) => invariant);
      throw new Undone("as before");
    };
    await expect(app.db.transaction().execute(plant)).rejects.toThrow(Undone);
    return found;
  }

  test("finds nothing in valid tables, and each fault", async () => {
    expect(await brokenRefunds(app.db, 50)).toEqual([]);
    const person = BigInt(buyer.id);
    const table: [RawBuilder<unknown>, string[]][] = [
      [
        sql`UPDATE refunds SET amount = amount + 1`,
        ["francs of a refund", "refunds in transit", "order of a refund"],
      ],
      [sql`DELETE FROM refunds`, ["refund of francs", "refunds in transit", "refund of an order"]],
      [sql`UPDATE orders SET status = 'paid' WHERE id = ${order}`, ["order of a refund"]],
      [
        sql`UPDATE refunds SET status = 'done', done_at = created_at, method = 'wave-ci',
          phone = '+2250701020304', operator_reference = 'X1'`,
        ["francs of a refund", "refunds in transit"],
      ],
      [
        sql`INSERT INTO seller_advances (seller_id, owed, updated_at)
          SELECT id, 7, created_at FROM sellers LIMIT 1`,
        ["advances owed", "advance of a seller"],
      ],
      [
        sql`INSERT INTO write_offs (seller_id, amount, asked_by, asked_at, decided_by, decided_at)
          SELECT id, 7, id, created_at, id, created_at FROM sellers LIMIT 1`,
        ["francs of a write-off"],
      ],
      [
        sql`UPDATE accesses SET ends_at = ends_at + interval '1 day' WHERE person_id = ${person}`,
        ["access after a refund"],
      ],
    ];
    for (const [breakage, invariants] of table) {
      expect(await foundAfter(breakage)).toEqual(expect.arrayContaining(invariants));
    }
  });

  test("raises an alert for a fault", async () => {
    const now = app.clock.now();
    await auditBooks({ db: app.db, log: { error: () => {} } }, now);
    const kinds = () => app.values<string>`SELECT kind FROM alerts`;
    expect(await kinds()).toEqual([]);
    await app.sql`
      INSERT INTO seller_advances (seller_id, owed, updated_at)
      SELECT id, 7, created_at FROM sellers LIMIT 1`;
    await auditBooks({ db: app.db, log: { error: () => {} } }, now);
    expect(await kinds()).toContain("refund.broken");
  });
});

describe("the audit of withdrawals", () => {
  const house = createPayoutApp();
  let setup: PayoutFixtures;
  let mend: () => Promise<void>;
  let paydunya: ScriptedPayouts;
  let ids: Record<
    "pending" | "manual" | "sent" | "paid" | "failed" | "late" | "returned" | "cancelled",
    bigint
  >;

  /** One request of each kind. */
  beforeAll(async () => {
    setup = await house.openSetup(({ clock }) => {
      paydunya = scriptPayouts({ id: "paydunya", handles: true, now: () => clock.now() });
      return [paydunya];
    });
    const ask = () => setup.ask(5_000);
    ids = {
      pending: await ask(),
      manual: await ask(),
      sent: await ask(),
      paid: await ask(),
      failed: await ask(),
      late: await ask(),
      returned: await ask(),
      cancelled: await ask(),
    };
    await setup.approve(ids.manual, "manual", "CI1");
    for (const id of [ids.sent, ids.paid, ids.failed, ids.late])
      await setup.approve(id, "paydunya");
    await setup.approve(ids.returned, "manual", "CI2");
    await setup.drive();
    Object.assign(theirs(ids.paid), { status: "succeeded", cost: 75n });
    theirs(ids.failed).status = "failed";
    theirs(ids.late).status = "failed";
    await setup.advance(10_000);
    theirs(ids.late).status = "succeeded";
    await setup.advance(3_600_000);
    await setup.db.transaction().execute((tx) => {
      const resolution = {
        withdrawalId: ids.returned,
        outcome: "returned",
        reference: "CI3",
        reason: "Vu",
        by: setup.agent,
      } as const;
      return resolveIn(tx, { resolution, now: setup.clock.now() });
    });
    const sellerId = BigInt(setup.seller.id);
    await cancel(setup.engine, { id: ids.cancelled, sellerId, call: null });
    mend = await keepDatabase(setup.db);
  });
  afterEach(async () => {
    setup.close();
    await mend();
  });

  const theirs = (id: bigint) => paydunya.sendingOf(`wd-${id}-1`);
  const payoutOf = async (id: bigint) => (await setup.stateOf(id)).id;

  async function found(): Promise<string[]> {
    const broken = await brokenWithdrawals(setup.db, 50);
    return broken.map(({ invariant, subject }) => `${invariant}: ${subject}`);
  }

  /** Breaks the tables as no code of ours can. */
  const plant = (breakage: RawBuilder<unknown>) => pastGuards(setup.db, breakage);

  test("finds nothing in valid tables, one of each kind", async () => {
    expect(await setup.broken()).toEqual([]);
  });

  test.each<[string, () => RawBuilder<unknown>, () => Promise<string[]>]>([
    [
      "a hold that is gone",
      () => sql`DELETE FROM ledger_holds WHERE id = ${`hold:${ids.pending}`}`,
      async () => [`hold of a withdrawal: withdrawal:${ids.pending}`],
    ],
    [
      "a hold that ended by itself",
      () => sql`UPDATE ledger_holds SET ended_as = 'released',
        ended_at = opened_at WHERE id = ${`hold:${ids.pending}`}`,
      async () => [`end of a hold: withdrawal:${ids.pending}`],
    ],
    [
      "a hold of nobody's",
      () => sql`INSERT INTO ledger_holds (id, account_id, amount, opened_at)
        SELECT 'hold:999', account_id, 5, opened_at FROM ledger_holds LIMIT 1`,
      async () => ["withdrawal of a hold: hold:999"],
    ],
    [
      "an approval without its payout",
      () => sql`DELETE FROM payouts WHERE withdrawal_id = ${ids.sent}`,
      async () => [
        `one payout for an approval: withdrawal:${ids.sent}`,
        "francs in transit: payouts:in-transit",
      ],
    ],
    [
      "a payout of a pending request",
      () => sql`UPDATE withdrawals SET status = 'pending', decided_at = NULL
        WHERE id = ${ids.sent}`,
      async () => [
        `end of a hold: withdrawal:${ids.sent}`,
        `francs of an approval: withdrawal:${ids.sent}`,
        `one payout for an approval: withdrawal:${ids.sent}`,
      ],
    ],
    [
      "a payout of other francs",
      () => sql`UPDATE payouts SET amount = 6000 WHERE withdrawal_id = ${ids.sent}`,
      async () => [
        `payout as asked: withdrawal:${ids.sent}`,
        "francs in transit: payouts:in-transit",
      ],
    ],
    [
      "a payment reported that was not made",
      () => sql`UPDATE withdrawals SET paid_at = created_at WHERE id = ${ids.sent}`,
      async () => [`payment reported: withdrawal:${ids.sent}`],
    ],
    [
      "a success without its francs",
      () => sql`UPDATE payouts SET status = 'succeeded', settled_at = created_at
        WHERE withdrawal_id = ${ids.sent}`,
      async () => [
        `payment reported: withdrawal:${ids.sent}`,
        "francs in transit: payouts:in-transit",
        `francs of a payout: sent:${await payoutOf(ids.sent)}`,
      ],
    ],
    [
      "a failure that gave nothing back",
      () => sql`DELETE FROM ledger_transfers WHERE id = ${`return:${ids.failed}`}`,
      async () => [`francs of a payout: return:${ids.failed}`],
    ],
    [
      "a cost that is not the provider's",
      () => sql`UPDATE payouts SET cost = 70 WHERE withdrawal_id = ${ids.paid}`,
      async () => [`francs of a payout: cost:${await payoutOf(ids.paid)}`],
    ],
    [
      "a late success that was not booked",
      () => sql`UPDATE payouts SET late_at = NULL WHERE withdrawal_id = ${ids.late}`,
      async () => [
        `francs of a payout: late:${await payoutOf(ids.late)}`,
        `francs of a payout: recover:${await payoutOf(ids.late)}`,
      ],
    ],
    [
      "a return that was not booked",
      () => sql`DELETE FROM ledger_transfers
        WHERE id = 'reversed:' || (SELECT id FROM payouts WHERE withdrawal_id = ${ids.returned})`,
      async () => [`francs of a payout: reversed:${await payoutOf(ids.returned)}`],
    ],
    [
      "a payout that came back only in the books",
      () => sql`UPDATE payouts SET returned_at = NULL, returned_by = NULL, return_reference = NULL
        WHERE withdrawal_id = ${ids.returned}`,
      async () => [
        `one payout for an approval: withdrawal:${ids.returned}`,
        `payment reported: withdrawal:${ids.returned}`,
        `francs of a payout: reversed:${await payoutOf(ids.returned)}`,
      ],
    ],
    [
      "francs of no payout",
      () => sql`INSERT INTO ledger_transfers
        SELECT 'sent:999', legs, occurred_at, recorded_at FROM ledger_transfers LIMIT 1`,
      async () => ["payout of francs: sent:999"],
    ],
  ])("finds %s", async (_what, breakage, expected) => {
    const planned = await expected();
    await plant(breakage());
    expect((await found()).toSorted()).toEqual(planned.toSorted());
  });

  test("raises an alert for a fault, every hour", async () => {
    await plant(sql`UPDATE withdrawals SET paid_at = created_at WHERE id = ${ids.sent}`);
    await setup.app.app.loops.find(({ name }) => name === "books.audit")?.drain();
    expect(await setup.alerts()).toContain("withdrawal.broken");
    expect(setup.app.takeErrors()).toHaveLength(1);
  });
});

describe("what a clock that ran ahead has written", () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await openShopIn(await openTestApp());
  });
  afterAll(() => shop?.app.close());

  /** Names of columns with past instants. */
  const PAST =
    "^(.*(ed|begun|done|frozen|given|gone|last_event|last_run|late|lost_rights|out|paid|seen|set|sold|taken)_at|at|(.*_)?since|hour|minute)$";

  /** Future instants for which no work waits, or which another check covers. */
  const OTHERWISE: Record<string, string> = {
    "accesses.ends_at": "time sold",
    "complaints.seller_due_at": "a time shown to the seller",
    "membership_grants.until": "time given by a seller",
    "orders.access_until": "time sold",
    "orders.opening_until": "reserveOpening looks at it",
    "outbox.first_due_at": "says what was",
    "payment_checks.give_up_at": "no question waits for it",
    "payout_profiles.frozen_review_at": "shown to an operator, who may look before",
    "payout_profiles.next_run_at": "a day shown to the seller",
    "plan_reminders.premium_until": "time sold",
    "products.suspended_review_at": "shown to an operator, who may look before",
    "refunds.check_at": "the job's own date decides",
    "sale_deltas.until": "time sold",
    "sellers.premium_until": "time sold",
    "sellers.suspended_review_at": "shown to an operator, who may look before",
    "sessions.expires_at": "its token says it too",
    "webhook_endpoints.old_secret_until": "time given to a developer",
    "withdrawals.due_at": "shown to the seller: nothing waits for it",
  };

  test("is checked in every column that may hold a future instant", async () => {
    const { rows } = await sql<{ name: string }>`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
        AND column_name !~ ${PAST}
    `.execute(shop.app.db);
    const known = new Set(DATES_AHEAD.map(({ table, column }) => `${table}.${column}`));
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      [...known, ...Object.keys(OTHERWISE)].toSorted(),
    );
  });

  test.each(DATES_AHEAD)("is due in $table, $column, and valid instants wait", async (date) => {
    const { table, column, longestMs } = date;
    const now = shop.app.clock.now();
    const right = addMs(now, longestMs);
    const late = date.where?.includes("status = 'failed'") ?? false;
    const topic = date.where?.includes("topic = 'bot.notify'") ? "bot.notify" : "access.open";
    const status = late ? "failed" : "pending";
    const isLeased = date.where?.includes("lease IS NOT NULL") ?? false;
    const lease = isLeased ? "7d4ef7c2-3e5a-4c39-9d0f-2f3b6a1c8e55" : null;
    const name = /name = '(.+)'/.exec(date.where ?? "")?.[1] ?? "";
    const row = { name, status, topic, lease, bot_present: true, automatic: true };
    const written = [right, addMs(now, longestMs + 31_000), addMs(now, 40 * DAY_MS), null];
    const instants = await shop.app.db.transaction().execute(async (tx) => {
      const json = JSON.stringify(written.map((instant) => ({ ...row, [column]: instant })));
      // In a schema before the real table of the same name.
      await sql`
        CREATE TEMP TABLE ${sql.ref(table)} ON COMMIT DROP AS
        SELECT * FROM json_populate_recordset(NULL::${sql.table(`public.${table}`)},
          ${sql.lit(json)})
      `.execute(tx);
      expect(await endDatesAhead(tx, date, leaseClockOf(shop.app.clock))).toBe(2);
      const { rows } = await sql<{ instant: Date | null }>`
        SELECT ${sql.ref(column)} AS instant FROM ${sql.table(table)} ORDER BY 1
      `.execute(tx);
      return rows.map(({ instant }) => instant);
    });
    expect(instants).toEqual([now, now, right, null]);
  });
});
