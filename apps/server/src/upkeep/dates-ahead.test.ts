import { addMs, DAY_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcomeOf, settleAt, tryAt } from "../../test/payments.ts";
import { openShop, type Shop } from "../../test/sales.ts";
import { DATES_AHEAD } from "../application.ts";
import { claimChecks } from "../features/checkout/checks.ts";
import { endDatesAhead, leaseClockOf } from "../jobs/leases.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.app.close());

/** Names of columns that say what was. */
const PAST =
  "^(.*(ed|begun|done|frozen|gone|heard|last_event|last_run|late|lost_rights|out|paid|seen|set|sold|taken|told)_at|at|(.*_)?since|hour|minute)$";

/** Instants ahead of now for which no work waits; or who looks at them otherwise. */
const OTHERWISE: Record<string, string> = {
  "accesses.ends_at": "time sold",
  "claims.seller_due_at": "time told to a seller",
  "membership_grants.until": "time given by a seller",
  "orders.access_until": "time sold",
  "orders.opening_until": "claimOpening looks at it",
  "outbox.first_due_at": "says what was",
  "payment_checks.give_up_at": "no question waits for it",
  "payout_profiles.frozen_review_at": "told to an operator, who may look before",
  "payout_profiles.next_run_at": "a day told to the seller",
  "plan_reminders.premium_until": "time sold",
  "products.suspended_review_at": "told to an operator, who may look before",
  "refunds.check_at": "the job's own date decides",
  "sale_deltas.until": "time sold",
  "sellers.premium_until": "time sold",
  "sellers.suspended_review_at": "told to an operator, who may look before",
  "sessions.expires_at": "its token says it too",
  "webhook_endpoints.old_secret_until": "time given to a developer",
  "withdrawals.due_at": "told to a seller: nothing waits for it",
};

describe("what a clock that ran ahead has written", () => {
  test("is looked at in every column that may hold an instant ahead", async () => {
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

  test.each(DATES_AHEAD)(
    "is due in $table, $column, and what was written rightly waits",
    async (date) => {
      const { table, column, longestMs } = date;
      const now = shop.app.clock.now();
      const right = addMs(now, longestMs);
      const late = date.where?.includes("status = 'failed'") ?? false;
      const topic = date.where?.includes("topic = 'bot.tell'") ? "bot.tell" : "access.open";
      const status = late ? "failed" : "pending";
      const isLeased = date.where?.includes("lease IS NOT NULL") ?? false;
      const lease = isLeased ? "7d4ef7c2-3e5a-4c39-9d0f-2f3b6a1c8e55" : null;
      const name = /name = '(.+)'/.exec(date.where ?? "")?.[1] ?? "";
      const row = { name, status, topic, lease, bot_present: true, automatic: true };
      const written = [right, addMs(now, longestMs + 31_000), addMs(now, 40 * DAY_MS), null];
      const instants = await shop.app.db.transaction().execute(async (tx) => {
        const json = JSON.stringify(written.map((instant) => ({ ...row, [column]: instant })));
        // Before the real table of the same name.
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
    },
  );

  test("costs no buyer a sale: who was asking about the payment died, and the clock was set back", async () => {
    const { app } = shop;
    const buyer = await app.signInBuyer();
    const product = shop.product.reference;
    const paid = await tryAt(app, { buyer, provider: "moneroo", product });
    const rightly = app.clock.offsetMs();
    app.clock.advance(2 * DAY_MS);
    const now = app.clock.now();
    const claim = { now, leaseEnd: addMs(now, 12_000), limit: 9, except: [], paced: new Map() };
    expect(await claimChecks(app.db, claim)).toHaveLength(1);
    app.clock.setOffset(rightly);
    settleAt(app, paid, "silent success");
    await app.drain();
    expect(await outcomeOf(app, paid.orderId)).toMatchObject({ order: "paid", sales: 1 });
  });
});
