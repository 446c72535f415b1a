import { addMs, DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openOutboxFixtures, type OutboxFixtures, START, TOPIC } from "../../test/outbox.ts";
import { databaseLeaseClock, endDatesAhead, injectedLeaseClock } from "./leases.ts";
import { LEASE_MS, leaseJobs, OUTBOX_DATES } from "./outbox.store.ts";
import { DONE } from "./outbox.ts";

let on: OutboxFixtures;

beforeEach(async () => {
  on = await openOutboxFixtures();
});
afterEach(() => on.close());

describe("a clock that ran forty days ahead and was put back", () => {
  test("leaves no job behind: leased, put off by a lease, or written meanwhile", async () => {
    await on.add(3);
    on.clock.advance(40 * DAY_MS);
    expect(await on.lease(TOPIC, 3)).toHaveLength(3);
    await on.add(2);
    on.clock.advance(-40 * DAY_MS);
    const runs: bigint[] = [];
    const outbox = on.worker(async ({ ref }) => {
      runs.push(ref);
      return DONE;
    });
    for (const date of OUTBOX_DATES) {
      await endDatesAhead(on.db, date, injectedLeaseClock(on.clock));
    }
    await outbox.drain();
    expect(runs).toHaveLength(5);
    expect(await on.rows()).toEqual([]);
  });

  test("does not move what the database's clock dates", async () => {
    await sql`INSERT INTO outbox (topic, ref, due_at) VALUES (${TOPIC}, 1, now())`.execute(on.db);
    on.clock.advance(4_000 * DAY_MS);
    const topics = [{ topic: TOPIC, free: 1 }];
    const { rows: began } = await sql<{ at: Date }>`SELECT now() AS at`.execute(on.db);
    const jobs = await leaseJobs(on.db, {
      topics,
      clock: databaseLeaseClock,
      leaseMs: LEASE_MS,
    });
    expect(jobs).toHaveLength(1);
    const lease = sql`${LEASE_MS}::int * interval '1 millisecond'`;
    const { rows } = await sql<{ leased: boolean }>`
      SELECT due_at - ${lease} BETWEEN ${began[0]?.at} AND now() AS leased FROM outbox`.execute(
      on.db,
    );
    expect(rows).toEqual([{ leased: true }]);
  });
});

describe("a backlog in one topic", () => {
  const WAITING = process.env["LONG"] === "1" ? 1_000_000 : 50_000;

  /** The middle of 201 round trips, in milliseconds. */
  async function medianMs(act: () => Promise<unknown>): Promise<string> {
    const times: number[] = [];
    for (let turn = 0; turn < 201; turn++) {
      const from = performance.now();
      await act();
      times.push(performance.now() - from);
    }
    return times.toSorted((a, b) => a - b)[100]?.toFixed(2) ?? "";
  }

  test("is not read by the lease of another topic", async () => {
    await sql`
      INSERT INTO outbox (topic, ref, priority, due_at)
      SELECT 'access.close', n, n % 4, ${START}::timestamptz FROM generate_series(1, ${WAITING}::int) n
    `.execute(on.db);
    await sql`ANALYZE outbox`.execute(on.db);
    await on.add(3);
    const counted = await on.db.transaction().execute(async (tx) => {
      await leaseJobs(tx, {
        topics: [
          { topic: TOPIC, free: 20 },
          { topic: "access.open", free: 20 },
        ],
        clock: injectedLeaseClock(on.clock),
        leaseMs: LEASE_MS,
      });
      const { rows: found } = await sql<{ scanned: bigint; fetched: bigint }>`
        SELECT pg_stat_get_xact_tuples_returned('outbox'::regclass) AS scanned,
          pg_stat_get_xact_tuples_fetched('outbox'::regclass) AS fetched`.execute(tx);
      return found[0];
    });
    // Rows by sequential scans, and rows by way of an index.
    expect(counted?.scanned).toBe(0n);
    expect(Number(counted?.fetched)).toBeLessThanOrEqual(20);
    if (process.env["LONG"] === "1") {
      const leased = await medianMs(() => on.lease("access.open", 20));
      const nothing = await medianMs(() => sql`SELECT 1`.execute(on.db));
      console.log(`${WAITING} waiting: a lease takes ${leased} ms, SELECT 1 takes ${nothing} ms`);
    }
  });

  test("is leased by its urgency and age, without reading what is not due", async () => {
    await sql`
      INSERT INTO outbox (topic, ref, priority, due_at, first_due_at)
      SELECT ${TOPIC}, n, 0, ${addMs(START, HOUR_MS)}::timestamptz, ${START}
      FROM generate_series(1, 20000) n
    `.execute(on.db);
    await sql`ANALYZE outbox`.execute(on.db);
    await on.add(3, { priority: 1 });
    const fetched = await on.db.transaction().execute(async (tx) => {
      const topics = [{ topic: TOPIC, free: 2 }];
      const jobs = await leaseJobs(tx, {
        topics,
        clock: injectedLeaseClock(on.clock),
        leaseMs: LEASE_MS,
      });
      expect(jobs.map(({ ref }) => ref)).toEqual([1n, 2n]);
      const { rows: found } = await sql<{ fetched: bigint; scanned: bigint }>`
        SELECT pg_stat_get_xact_tuples_returned('outbox'::regclass)
          + pg_stat_get_xact_tuples_fetched('outbox'::regclass) AS fetched`.execute(tx);
      return found[0]?.fetched;
    });
    expect(Number(fetched)).toBeLessThanOrEqual(20);
  });
});
