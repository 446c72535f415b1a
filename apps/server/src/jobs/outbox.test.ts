import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, Outage, stoppedClock } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../../tools/postgres/test-database.ts";
import { type Database, openDatabase } from "../postgres/database.ts";
import { createListener } from "../postgres/listener.ts";
import { databaseLeaseClock, injectedLeaseClock } from "./lease-clock.ts";
import { createOutbox, DONE, type JobHandler, LEASE_MS, type OutboxLoop } from "./outbox.ts";
import {
  enqueue,
  finishJobs,
  type Job,
  leaseJobs,
  OUTBOX_CHANNEL,
  takeJob,
} from "./outbox.store.ts";

const START = new Date("2026-11-16T09:00:00.000Z");
const TOPIC = "bot.tell";

let drop: () => Promise<void>;
let url: string;
let database: Database;
let clock: ReturnType<typeof stoppedClock>;
let outboxes: OutboxLoop[];
let logged: unknown[];

beforeEach(async () => {
  const made = await createTestDatabase();
  drop = made.drop;
  url = made.url;
  database = openDatabase({ url: made.url, poolSize: 6 });
  clock = stoppedClock(START);
  outboxes = [];
  logged = [];
});
afterEach(async () => {
  for (const outbox of outboxes) await outbox.stop();
  await database.close();
  await drop();
});

type Handling = Partial<Omit<JobHandler, "run">>;

function worker(run: JobHandler["run"], handling: Handling = {}): OutboxLoop {
  const log = { error: (...line: unknown[]) => void logged.push(line), warn: () => {} };
  const handler = { topic: TOPIC, batch: 10, concurrency: 10, maxAttempts: 3, ...handling, run };
  const outbox = createOutbox({ db: database.db, clock, log, handlers: [handler as JobHandler] });
  outboxes.push(outbox);
  return outbox;
}

async function add(count: number, job: { topic?: string; priority?: 0 | 1 | 2 | 3 } = {}) {
  const refs = Array.from({ length: count }, (_, index) => BigInt(index + 1));
  await enqueue(
    database.db,
    refs.map((ref) => ({ topic: TOPIC, ...job, ref, dueAt: clock.now() })),
  );
}

type Row = {
  readonly ref: bigint;
  readonly attempts: number;
  readonly outages: number;
  readonly leased: boolean;
  readonly failed: boolean;
  readonly expired: boolean;
  readonly due_at: Date;
};

async function rows(): Promise<Row[]> {
  const found = await sql<Row>`
    SELECT ref, attempts, outages, lease IS NOT NULL AS leased, failed_at IS NOT NULL AS failed,
      expired, due_at
    FROM outbox ORDER BY ref`.execute(database.db);
  return found.rows;
}

/** A promise that the test fulfils. */
function gate() {
  return Promise.withResolvers<void>();
}

async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setImmediate(resolve));
}

const lease = (topic: string, free: number) =>
  leaseJobs(database.db, {
    topics: [{ topic, free }],
    clock: injectedLeaseClock(clock),
    leaseMs: LEASE_MS,
  });

describe("a batch with one slow job", () => {
  test("forgets each job when it is done, and leases none of them again", async () => {
    await add(10);
    const slow = gate();
    const runs: bigint[] = [];
    const run = async ({ ref }: Job) => {
      runs.push(ref);
      if (ref === 1n) await slow.promise;
      return DONE;
    };
    const first = worker(run);
    first.wake();
    await until(async () => (await rows()).length === 1);
    const second = worker(run);
    await second.drain();
    expect(await rows()).toMatchObject([{ ref: 1n, leased: true }]);
    slow.resolve();
    await first.drain();
    expect(await rows()).toEqual([]);
    expect(runs.toSorted()).toEqual(runs.toSorted().filter((ref, at, all) => ref !== all[at - 1]));
    expect(runs).toHaveLength(10);
  });

  test("fills the places of the jobs that have ended", async () => {
    await add(30);
    const slow = gate();
    let done = 0;
    const outbox = worker(
      async ({ ref }) => {
        if (ref === 1n) await slow.promise;
        else done += 1;
        return DONE;
      },
      { batch: 3, concurrency: 3 },
    );
    outbox.wake();
    await until(() => done === 29);
    slow.resolve();
    await outbox.drain();
    expect(await rows()).toEqual([]);
  });
});

describe("a worker that dies", () => {
  test("loses its jobs to another within ten seconds, and not before", async () => {
    await add(5);
    expect(await lease(TOPIC, 5)).toHaveLength(5);
    const runs: bigint[] = [];
    const other = worker(async ({ ref }) => {
      runs.push(ref);
      return DONE;
    });
    clock.advance(9_999);
    await other.drain();
    expect(runs).toEqual([]);
    clock.advance(1);
    await other.drain();
    expect(runs.toSorted()).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(await rows()).toEqual([]);
  });

  test("does not end the lease of the worker that has its job now", async () => {
    await add(1);
    const [late] = await lease(TOPIC, 1);
    clock.advance(LEASE_MS);
    const [current] = await lease(TOPIC, 1);
    if (!late || !current) throw new Error("the job was leased twice");
    await finishJobs(database.db, [late]);
    expect(await rows()).toMatchObject([{ leased: true }]);
    await finishJobs(database.db, [current]);
    expect(await rows()).toEqual([]);
  });

  test("does a job once when it did it in the job's own transaction", async () => {
    await add(20);
    await sql`CREATE TABLE done_work (ref bigint)`.execute(database.db);
    let deaths = 0;
    const work = async (job: Job, diesAfter: boolean) => {
      await database.db.transaction().execute(async (tx) => {
        if (!(await takeJob(tx, job.id))) return;
        await sql`INSERT INTO done_work VALUES (${job.ref})`.execute(tx);
        // Before its commit on every third job, after it on every other.
        if (diesAfter && job.ref % 3n === 0n && deaths++ < 5) throw new Error("killed");
      });
      return DONE;
    };
    for (const job of await lease(TOPIC, 20)) await work(job, true).catch(() => {});
    clock.advance(LEASE_MS);
    const workers = [0, 1].map(() => worker((job) => work(job, false)));
    await Promise.all(workers.map((each) => each.drain()));
    expect(await rows()).toEqual([]);
    const done = await sql<{ ref: bigint }>`SELECT ref FROM done_work ORDER BY ref`.execute(
      database.db,
    );
    expect(done.rows.map(({ ref }) => ref)).toEqual(
      Array.from({ length: 20 }, (_, index) => BigInt(index + 1)),
    );
  });

  test("a job that runs longer than a lease is renewed, and stays with its worker", async () => {
    await add(1);
    const slow = gate();
    let runs = 0;
    const run = async () => {
      runs += 1;
      await slow.promise;
      return DONE;
    };
    const first = worker(run);
    first.wake();
    await until(() => runs === 1);
    const before = (await rows())[0]?.due_at.getTime() ?? 0;
    // A jump renews at once; without one the machine's timer does.
    clock.advance(LEASE_MS - 1_000);
    await until(async () => ((await rows())[0]?.due_at.getTime() ?? 0) > before);
    clock.advance(5_000);
    await worker(run).drain();
    expect(runs).toBe(1);
    slow.resolve();
    await first.drain();
    expect(await rows()).toEqual([]);
  });
});

describe("an outage", () => {
  const outage = () => {
    throw new Outage("telegram did not answer", {
      party: "telegram",
      retryable: true,
      cause: new Error("ECONNREFUSED"),
    });
  };

  test("of 48 hours uses up no attempt: each message is sent once after it", async () => {
    await add(40);
    let isDead = true;
    let calls = 0;
    const sent: bigint[] = [];
    const outbox = worker(async ({ ref }) => {
      calls += 1;
      if (isDead) outage();
      sent.push(ref);
      return DONE;
    });
    for (let minutes = 0; minutes < 48 * 60; minutes += 10) {
      await outbox.drain();
      clock.advance(10 * MINUTE_MS);
    }
    expect(await rows()).toHaveLength(40);
    expect((await rows()).every(({ attempts, failed }) => attempts === 0 && !failed)).toBe(true);
    // The circuit sends probes, not everything that waits.
    expect(calls).toBeLessThan(48 * 6 + 40);
    isDead = false;
    for (let turn = 0; turn < 3; turn++) {
      await outbox.drain();
      clock.advance(10 * MINUTE_MS);
    }
    await outbox.drain();
    expect(sent.length).toBe(40);
    expect(new Set(sent).size).toBe(40);
    expect(await rows()).toEqual([]);
  });

  test("longer than the topic's age limit expires its jobs, which are kept", async () => {
    await add(2);
    const outbox = worker(async () => outage());
    await outbox.drain();
    clock.advance(7 * DAY_MS - 1);
    await outbox.drain();
    expect(await rows()).toMatchObject([{ failed: false }, { failed: false }]);
    clock.advance(20 * MINUTE_MS);
    await outbox.drain();
    expect(await rows()).toMatchObject([
      { failed: true, expired: true, attempts: 0 },
      { failed: true, expired: true, attempts: 0 },
    ]);
    expect(logged.length).toBe(2);
  });

  test("of an hour expires a reminder, which is not sent late", async () => {
    await add(1, { priority: 2 });
    await add(1, { priority: 1 });
    const sent: number[] = [];
    const outbox = worker(async ({ priority }) => {
      sent.push(priority);
      return DONE;
    });
    clock.advance(HOUR_MS + 1);
    await outbox.drain();
    expect(sent).toEqual([1]);
    expect(await rows()).toMatchObject([{ failed: true, expired: true }]);
  });

  test("waits as long as the party asked, and otherwise ten minutes at most", async () => {
    await add(2);
    const asked = new Outage("429", { party: "telegram", retryable: true, retryAfterMs: 42_000 });
    const outbox = worker(async ({ ref }) => {
      if (ref === 1n) throw asked;
      return outage();
    });
    await outbox.drain();
    expect((await rows())[0]?.due_at).toEqual(addMs(START, 42_000));
    for (let turn = 0; turn < 20; turn++) {
      clock.advance(10 * MINUTE_MS);
      await outbox.drain();
    }
    const [, other] = await rows();
    expect(other?.due_at.getTime()).toBeLessThanOrEqual(clock.now().getTime() + 10 * MINUTE_MS);
  });

  test("is no answer: refusals and bugs still end a job after its attempts", async () => {
    await add(1);
    let runs = 0;
    const outbox = worker(async () => {
      runs += 1;
      if (runs % 2 === 1) outage();
      throw new Error("a bug");
    });
    for (let turn = 0; turn < 8; turn++) {
      await outbox.drain();
      clock.advance(10 * MINUTE_MS);
    }
    expect(await rows()).toMatchObject([{ attempts: 3, failed: true, expired: false }]);
  });
});

describe("a clock that ran forty days ahead and was put back", () => {
  test("leaves no job behind: leased, put off by a lease, or written meanwhile", async () => {
    await add(3);
    clock.advance(40 * DAY_MS);
    expect(await lease(TOPIC, 3)).toHaveLength(3);
    await add(2);
    clock.advance(-40 * DAY_MS);
    const runs: bigint[] = [];
    const outbox = worker(async ({ ref }) => {
      runs.push(ref);
      return DONE;
    });
    await outbox.drain();
    expect(runs).toHaveLength(5);
    expect(await rows()).toEqual([]);
  });

  test("does not move what the database's clock dates", async () => {
    await sql`INSERT INTO outbox (topic, ref, due_at) VALUES (${TOPIC}, 1, now())`.execute(
      database.db,
    );
    clock.advance(4_000 * DAY_MS);
    const topics = [{ topic: TOPIC, free: 1 }];
    const jobs = await leaseJobs(database.db, {
      topics,
      clock: databaseLeaseClock,
      leaseMs: LEASE_MS,
    });
    expect(jobs).toHaveLength(1);
    const { rows: left } = await sql<{ ms: number }>`
      SELECT extract(epoch FROM due_at - now())::float8 * 1000 AS ms FROM outbox`.execute(
      database.db,
    );
    expect(left[0]?.ms).toBeGreaterThan(0);
    expect(left[0]?.ms).toBeLessThanOrEqual(LEASE_MS);
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
    `.execute(database.db);
    await sql`ANALYZE outbox`.execute(database.db);
    await add(3);
    const counted = await database.db.transaction().execute(async (tx) => {
      await leaseJobs(tx, {
        topics: [
          { topic: TOPIC, free: 20 },
          { topic: "access.open", free: 20 },
        ],
        clock: injectedLeaseClock(clock),
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
      const leased = await medianMs(() => lease("access.open", 20));
      const nothing = await medianMs(() => sql`SELECT 1`.execute(database.db));
      console.log(`${WAITING} waiting: a lease takes ${leased} ms, SELECT 1 takes ${nothing} ms`);
    }
  });

  test("is leased by its urgency and age, without reading what is not due", async () => {
    await sql`
      INSERT INTO outbox (topic, ref, priority, due_at, first_due_at)
      SELECT ${TOPIC}, n, 0, ${addMs(START, HOUR_MS)}::timestamptz, ${START}
      FROM generate_series(1, 20000) n
    `.execute(database.db);
    await sql`ANALYZE outbox`.execute(database.db);
    await add(3, { priority: 1 });
    const fetched = await database.db.transaction().execute(async (tx) => {
      const topics = [{ topic: TOPIC, free: 2 }];
      const jobs = await leaseJobs(tx, {
        topics,
        clock: injectedLeaseClock(clock),
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

test("a commit notifies each topic it wrote to once, whether TypeScript or SQL wrote it", async () => {
  const heard: string[] = [];
  const listener = createListener(url);
  listener.on(OUTBOX_CHANNEL, (topic) => void heard.push(topic));
  await listener.start();
  await database.db.transaction().execute(async (tx) => {
    await enqueue(tx, [
      { topic: "access.open", ref: 1n, dueAt: START },
      { topic: TOPIC, ref: 2n, dueAt: START },
    ]);
    await sql`INSERT INTO outbox (topic, ref, due_at) SELECT ${TOPIC}, n, ${START}::timestamptz
      FROM generate_series(1, 100) n`.execute(tx);
  });
  await sql`SELECT pg_notify(${OUTBOX_CHANNEL}, 'end')`.execute(database.db);
  await until(() => heard.includes("end"));
  await listener.close();
  expect(heard.toSorted()).toEqual(["access.open", TOPIC, "end"]);
});

test("a notification of a topic leases from that topic only", async () => {
  await add(1);
  await add(1, { topic: "access.open" });
  const runs: string[] = [];
  const log = { error: () => {}, warn: () => {} };
  const run = async ({ topic }: Job) => {
    runs.push(topic);
    return DONE;
  };
  const handler = { batch: 1, concurrency: 1, maxAttempts: 1, run };
  const outbox = createOutbox({
    db: database.db,
    clock,
    log,
    handlers: [
      { ...handler, topic: "bot.tell" },
      { ...handler, topic: "access.open" },
    ],
  });
  outboxes.push(outbox);
  outbox.hear("a topic of another process");
  outbox.hear("access.open");
  await until(async () => (await rows()).length === 1);
  await outbox.stop();
  expect(runs).toEqual(["access.open"]);
});
