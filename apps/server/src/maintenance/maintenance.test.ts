import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { sellMany } from "../../test/bulk-sales.ts";
import { startTestApp, type TestApp } from "../../test/harness.ts";
import { keepDatabase, pastGuards, readerOf } from "../../test/tables.ts";
import { settleConfirmed } from "../features/checkout/settle.ts";
import { brokenAccesses, brokenSales } from "./books.view.ts";
import { startRefunds } from "../../test/refunds.ts";
import { brokenRefunds } from "./refunds-books.view.ts";
import { auditBooks } from "./maintenance.ts";
import { createPayoutApp, type PayoutFixtures } from "../../test/payouts.ts";
import { ScriptedPayouts } from "../../test/scripted-payouts.ts";
import { resolveIn } from "../features/treasury/decide.ts";
import { cancel } from "../features/withdrawals/withdrawals.ts";
import { brokenWithdrawals } from "./withdrawals-books.view.ts";
import { DATES_AHEAD } from "../application.ts";
import { endDatesAhead, leaseClockOf } from "../jobs/leases.ts";

const runTaskOf = (app: TestApp, task: string) =>
  app.app.loops.find(({ name }) => name === task)?.drain();

const app = await startTestApp();
const care = await startRefunds();
/** A refunded sale, whose buyer has entered no number. */
const shop = await care.fixture.openShop();
const { buyer, orderId } = await care.fixture.buyerInside(shop);
await care.refunds.bySeller(shop.seller, orderId);
await care.app.drain();

describe("the hourly work", () => {
  let orders: readonly bigint[];
  let payments: readonly bigint[];

  let mend: () => Promise<void>;

  /** Two buyers, so that some buy twice or thrice: some sales are renewals. */
  beforeAll(async () => {
    const dueAt = addMs(app.clock.now(), 1_000 * HOUR_MS);
    const size = { sellers: 2, buyers: 2, orders: 8, now: app.clock.now(), dueAt };
    ({ orders, payments } = await sellMany(app.db, size));
    await settle(payments.slice(0, 5));
    app.clock.advance(40 * 24 * HOUR_MS);
    await settle(payments.slice(5, 7));
    mend = await keepDatabase(app.db);
  });
  afterEach(async () => {
    expect(app.takeErrors()).toEqual([]);
    await mend();
  });

  async function settle(paid: readonly bigint[]): Promise<void> {
    const now = app.clock.now();
    const confirmed = paid.map((paymentId) => ({ paymentId, occurredAt: now }));
    await settleConfirmed(app.db, confirmed, now);
  }

  const alerts = () => app.sql<{ kind: string }>`
    SELECT kind, details FROM alerts WHERE resolved_at IS NULL ORDER BY id`;
  const runTask = (name: string) => runTaskOf(app, name);

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
      const found = async () => {
        app.clock.advance(HOUR_MS);
        await runTask("books.audit");
        return alerts();
      };
      const broken = [{ kind: "ledger.broken", details: { invariant: "posted" } }];
      expect(await found()).toMatchObject(broken);
      expect(await found()).toHaveLength(1);
      await app.sql`UPDATE alerts SET resolved_at = created_at`;
      expect(await found()).toHaveLength(1);
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
      expect(await app.sql`SELECT FROM ledger_snapshots`).toEqual([]);
    });
  });
});

describe("the audit of refunds", () => {
  const { db } = care.app;

  const addAdvance = sql`
    INSERT INTO seller_advances (seller_id, owed, updated_at)
    SELECT id, 7, created_at FROM sellers LIMIT 1`;

  test("finds nothing in valid tables, and each fault", async () => {
    const mend = await keepDatabase(db);
    expect(await brokenRefunds(db, 50)).toEqual([]);
    const table: [RawBuilder<unknown>, string[]][] = [
      [
        sql`UPDATE refunds SET amount = amount + 1`,
        ["francs of a refund", "refunds in transit", "order of a refund"],
      ],
      [sql`DELETE FROM refunds`, ["refund of francs", "refunds in transit", "refund of an order"]],
      [sql`UPDATE orders SET status = 'paid' WHERE id = ${orderId}`, ["order of a refund"]],
      [
        sql`UPDATE refunds SET status = 'done', done_at = created_at, method = 'wave-ci',
          phone = '+2250701020304', operator_reference = 'X1'`,
        ["francs of a refund", "refunds in transit"],
      ],
      [addAdvance, ["advances owed", "advance of a seller"]],
      [
        sql`INSERT INTO write_offs (seller_id, amount, asked_by, asked_at, decided_by, decided_at)
          SELECT id, 7, id, created_at, id, created_at FROM sellers LIMIT 1`,
        ["francs of a write-off"],
      ],
      [
        sql`UPDATE accesses SET ends_at = ends_at + interval '1 day' WHERE person_id = ${buyer.id}`,
        ["access after a refund"],
      ],
    ];
    for (const [breakage, invariants] of table) {
      await pastGuards(db, breakage);
      const found = (await brokenRefunds(db, 50)).map(({ invariant }) => invariant);
      // Before it may fail, so that later tests find valid tables.
      await mend();
      expect(found).toEqual(expect.arrayContaining(invariants));
    }
  });

  test("raises an alert for a fault", async () => {
    const kinds = async () => {
      await auditBooks({ db, log: { error: () => {} } }, care.app.clock.now());
      return care.app.values<string>`SELECT kind FROM alerts`;
    };
    expect(await kinds()).toEqual([]);
    await addAdvance.execute(db);
    expect(await kinds()).toContain("refund.broken");
  });
});

describe("the audit of withdrawals", () => {
  const house = createPayoutApp();
  let setup: PayoutFixtures;
  let mend: () => Promise<void>;
  let paydunya: ScriptedPayouts;
  const KINDS = [
    "pending",
    "manual",
    "sent",
    "paid",
    "failed",
    "late",
    "returned",
    "cancelled",
  ] as const;
  /** The request of each kind. */
  const ids = {} as Record<(typeof KINDS)[number], bigint>;
  /** The payouts of those that were sent, paid, late or returned. */
  const payouts = {} as typeof ids;

  beforeAll(async () => {
    setup = await house.openSetup(({ clock }) => {
      paydunya = new ScriptedPayouts({ id: "paydunya", handles: true, now: () => clock.now() });
      return [paydunya];
    });
    for (const kind of KINDS) ids[kind] = await setup.ask(5_000);
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
    await setup.advance(HOUR_MS);
    const choice = { withdrawalId: ids.returned, outcome: "returned", reference: "CI3" } as const;
    const resolution = { ...choice, reason: "Vu", by: setup.agent };
    const now = setup.clock.now();
    await setup.db.transaction().execute((tx) => resolveIn(tx, { resolution, now }));
    for (const kind of ["sent", "paid", "late", "returned"] as const)
      payouts[kind] = (await setup.stateOf(ids[kind])).id;
    const sellerId = BigInt(setup.seller.id);
    await cancel(setup.engine, { id: ids.cancelled, sellerId, call: null });
    mend = await keepDatabase(setup.db);
  });
  afterEach(async () => {
    setup.close();
    await mend();
  });

  const theirs = (id: bigint) => paydunya.sendingOf(`wd-${id}-1`);

  /** Breaks the tables as no code of ours can. */
  const plant = (breakage: RawBuilder<unknown>) => pastGuards(setup.db, breakage);

  test("finds nothing in valid tables, one of each kind", async () => {
    expect(await setup.broken()).toEqual([]);
  });

  const IN_TRANSIT = "francs in transit: payouts:in-transit";
  test.each<[string, () => RawBuilder<unknown>, () => string[]]>([
    [
      "a hold that is gone",
      () => sql`DELETE FROM ledger_holds WHERE id = ${`hold:${ids.pending}`}`,
      () => [`hold of a withdrawal: withdrawal:${ids.pending}`],
    ],
    [
      "a hold that ended by itself",
      () => sql`UPDATE ledger_holds SET ended_as = 'released',
        ended_at = opened_at WHERE id = ${`hold:${ids.pending}`}`,
      () => [`end of a hold: withdrawal:${ids.pending}`],
    ],
    [
      "a hold of nobody's",
      () => sql`INSERT INTO ledger_holds (id, account_id, amount, opened_at)
        SELECT 'hold:999', account_id, 5, opened_at FROM ledger_holds LIMIT 1`,
      () => ["withdrawal of a hold: hold:999"],
    ],
    [
      "an approval without its payout",
      () => sql`DELETE FROM payouts WHERE withdrawal_id = ${ids.sent}`,
      () => [`one payout for an approval: withdrawal:${ids.sent}`, IN_TRANSIT],
    ],
    [
      "a payout of a pending request",
      () => sql`UPDATE withdrawals SET status = 'pending', decided_at = NULL
        WHERE id = ${ids.sent}`,
      () => [
        `end of a hold: withdrawal:${ids.sent}`,
        `francs of an approval: withdrawal:${ids.sent}`,
        `one payout for an approval: withdrawal:${ids.sent}`,
      ],
    ],
    [
      "a payout of other francs",
      () => sql`UPDATE payouts SET amount = 6000 WHERE withdrawal_id = ${ids.sent}`,
      () => [`payout as asked: withdrawal:${ids.sent}`, IN_TRANSIT],
    ],
    [
      "a payment reported that was not made",
      () => sql`UPDATE withdrawals SET paid_at = created_at WHERE id = ${ids.sent}`,
      () => [`payment reported: withdrawal:${ids.sent}`],
    ],
    [
      "a success without its francs",
      () => sql`UPDATE payouts SET status = 'succeeded', settled_at = created_at
        WHERE withdrawal_id = ${ids.sent}`,
      () => [
        `payment reported: withdrawal:${ids.sent}`,
        IN_TRANSIT,
        `francs of a payout: sent:${payouts.sent}`,
      ],
    ],
    [
      "a failure that gave nothing back",
      () => sql`DELETE FROM ledger_transfers WHERE id = ${`return:${ids.failed}`}`,
      () => [`francs of a payout: return:${ids.failed}`],
    ],
    [
      "a cost that is not the provider's",
      () => sql`UPDATE payouts SET cost = 70 WHERE withdrawal_id = ${ids.paid}`,
      () => [`francs of a payout: cost:${payouts.paid}`],
    ],
    [
      "a late success that was not booked",
      () => sql`UPDATE payouts SET late_at = NULL WHERE withdrawal_id = ${ids.late}`,
      () => [
        `francs of a payout: late:${payouts.late}`,
        `francs of a payout: recover:${payouts.late}`,
      ],
    ],
    [
      "a return that was not booked",
      () => sql`DELETE FROM ledger_transfers
        WHERE id = 'reversed:' || (SELECT id FROM payouts WHERE withdrawal_id = ${ids.returned})`,
      () => [`francs of a payout: reversed:${payouts.returned}`],
    ],
    [
      "a payout that came back only in the books",
      () => sql`UPDATE payouts SET returned_at = NULL, returned_by = NULL, return_reference = NULL
        WHERE withdrawal_id = ${ids.returned}`,
      () => [
        `one payout for an approval: withdrawal:${ids.returned}`,
        `payment reported: withdrawal:${ids.returned}`,
        `francs of a payout: reversed:${payouts.returned}`,
      ],
    ],
    [
      "francs of no payout",
      () => sql`INSERT INTO ledger_transfers
        SELECT 'sent:999', legs, occurred_at, recorded_at FROM ledger_transfers LIMIT 1`,
      () => ["payout of francs: sent:999"],
    ],
  ])("finds %s", async (_what, breakage, expected) => {
    await plant(breakage());
    const broken = await brokenWithdrawals(setup.db, 50);
    const found = broken.map(({ invariant, subject }) => `${invariant}: ${subject}`);
    expect(found.toSorted()).toEqual(expected().toSorted());
  });

  test("raises an alert for a fault, every hour", async () => {
    await plant(sql`UPDATE withdrawals SET paid_at = created_at WHERE id = ${ids.sent}`);
    await runTaskOf(setup.app, "books.audit");
    expect(await setup.alerts()).toContain("withdrawal.broken");
    expect(setup.app.takeErrors()).toHaveLength(1);
  });
});

describe("what a clock that ran ahead has written", () => {
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
    const columns = await app.values<string>`
      SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND data_type = 'timestamp with time zone'
        AND column_name !~ ${PAST}`;
    const known = new Set(DATES_AHEAD.map(({ table, column }) => `${table}.${column}`));
    expect(columns.toSorted()).toEqual([...known, ...Object.keys(OTHERWISE)].toSorted());
  });

  test.each(DATES_AHEAD)("is due in $table, $column, and valid instants wait", async (date) => {
    const { table, column, longestMs } = date;
    const now = app.clock.now();
    const right = addMs(now, longestMs);
    const late = date.where?.includes("status = 'failed'") ?? false;
    const topic = date.where?.includes("topic = 'bot.notify'") ? "bot.notify" : "access.open";
    const status = late ? "failed" : "pending";
    const isLeased = date.where?.includes("lease IS NOT NULL") ?? false;
    const lease = isLeased ? "7d4ef7c2-3e5a-4c39-9d0f-2f3b6a1c8e55" : null;
    const name = /name = '(.+)'/.exec(date.where ?? "")?.[1] ?? "";
    const row = { name, status, topic, lease, bot_present: true, automatic: true };
    const written = [right, addMs(now, longestMs + 31_000), addMs(now, 40 * DAY_MS), null];
    const instants = await app.db.transaction().execute(async (tx) => {
      const json = JSON.stringify(written.map((instant) => ({ ...row, [column]: instant })));
      // In a schema before the real table of the same name.
      await sql`
        CREATE TEMP TABLE ${sql.ref(table)} ON COMMIT DROP AS
        SELECT * FROM json_populate_recordset(NULL::${sql.table(`public.${table}`)},
          ${sql.lit(json)})
      `.execute(tx);
      expect(await endDatesAhead(tx, date, leaseClockOf(app.clock))).toBe(2);
      return readerOf(tx).values`SELECT ${sql.ref(column)} FROM ${sql.table(table)} ORDER BY 1`;
    });
    expect(instants).toEqual([now, now, right, null]);
  });
});
