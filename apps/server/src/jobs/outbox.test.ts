import { addMs, DAY_MS, HOUR_MS, MINUTE_MS, Outage, stoppedClock } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { openOwnDatabase } from "../../test/tables.ts";
import { type Db, one } from "../postgres/database.ts";
import { createListener } from "../postgres/listener.ts";
import { createHeldJobs } from "./held-jobs.ts";
import { databaseLeaseClock, endDatesAhead, injectedLeaseClock } from "./leases.ts";
import {
  enqueue,
  finishJobs,
  type Job,
  type LeasedJob,
  LEASE_MS,
  leaseJobs,
  OUTBOX_CHANNEL,
  OUTBOX_DATES,
  takeJob,
} from "./outbox.store.ts";
import { createOutbox, digest, DONE, type JobHandler, type OutboxLoop } from "./outbox.ts";

const START = new Date("2026-11-16T09:00:00.000Z");
const TOPIC = "bot.notify";

type OutboxRow = { ref: bigint; due_at: Date; attempts: number } & Record<
  "leased" | "failed" | "expired",
  boolean
>;

const SILENT_LOG = { info() {}, error() {}, warn() {} };

/** A database with an outbox, workers on it, and a clock that stands still. */
async function openOutboxFixtures() {
  const { url, db, sql: rowsOf, values, close } = await openOwnDatabase(6);
  const clock = stoppedClock(START);
  const outboxes: OutboxLoop[] = [];
  const logged: unknown[] = [];
  const warned: unknown[] = [];
  const error = (...line: unknown[]) => void logged.push(line);
  const warn = (...line: unknown[]) => void warned.push(line);
  const log = { ...SILENT_LOG, error, warn };
  const start = (handlers: readonly JobHandler[]): OutboxLoop => {
    const outbox = createOutbox({ db, clock, log }, handlers);
    outboxes.push(outbox);
    return outbox;
  };
  const worker = (run: JobHandler["run"], handling: Partial<Omit<JobHandler, "run">> = {}) =>
    start([{ topic: TOPIC, batch: 10, concurrency: 10, maxAttempts: 3, ...handling, run }]);
  return {
    url,
    db,
    values,
    clock,
    /** The errors that were logged. */
    logged,
    /** The warnings. */
    warned,
    start,
    worker,
    /** A worker that does every job at once, and the numbers of those it did. */
    recorder() {
      const runs: bigint[] = [];
      const run = async ({ ref }: Job) => {
        runs.push(ref);
        return DONE;
      };
      return { runs, outbox: worker(run) };
    },
    /** Writes jobs about 1, 2, 3 … */
    async add(count: number, job: { topic?: string; priority?: 0 | 1 | 2 | 3 } = {}) {
      const dueAt = clock.now();
      const jobOf = (ref: bigint) => ({ topic: TOPIC, ...job, ref, dueAt });
      await enqueue(db, refsTo(count).map(jobOf));
    },
    rows: () => rowsOf<OutboxRow>`
      SELECT ref, attempts, lease IS NOT NULL AS leased, failed_at IS NOT NULL AS failed, expired,
        due_at
      FROM outbox ORDER BY ref`,
    /** Leases jobs like a worker that then dies. */
    lease: (topic: string, free: number): Promise<LeasedJob[]> => leaseFrom(db, [{ topic, free }]),
    async close() {
      for (const outbox of outboxes) await outbox.stop();
      await close();
    },
  };
}

const refsTo = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1));

let on: Awaited<ReturnType<typeof openOutboxFixtures>>;

const leaseFrom = (db: Db, topics: { topic: string; free: number }[]) =>
  leaseJobs(db, { topics, clock: injectedLeaseClock(on.clock), leaseMs: LEASE_MS });

beforeEach(async () => {
  on = await openOutboxFixtures();
});
afterEach(() => on.close());

describe("a batch with one slow job", () => {
  test("deletes each job when it is done, and leases none of them again", async () => {
    await on.add(10);
    const slow = Promise.withResolvers<void>();
    const runs: bigint[] = [];
    const run = async ({ ref }: Job) => {
      runs.push(ref);
      if (ref === 1n) await slow.promise;
      return DONE;
    };
    const first = on.worker(run);
    first.wake();
    await eventually(async () => (await on.rows()).length === 1);
    const second = on.worker(run);
    await second.drain();
    expect(await on.rows()).toMatchObject([{ ref: 1n, leased: true }]);
    slow.resolve();
    await first.drain();
    expect(await on.rows()).toEqual([]);
    expect(new Set(runs).size).toBe(10);
    expect(runs).toHaveLength(10);
  });

  test("fills the places of ended jobs", async () => {
    await on.add(30);
    const slow = Promise.withResolvers<void>();
    let done = 0;
    const outbox = on.worker(
      async ({ ref }) => {
        if (ref === 1n) await slow.promise;
        else done += 1;
        return DONE;
      },
      { batch: 3, concurrency: 3 },
    );
    outbox.wake();
    await eventually(() => done === 29);
    slow.resolve();
    await outbox.drain();
    expect(await on.rows()).toEqual([]);
  });
});

describe("a worker that dies", () => {
  test("loses its jobs to another within ten seconds, and not before", async () => {
    await on.add(5);
    expect(await on.lease(TOPIC, 5)).toHaveLength(5);
    const { runs, outbox: other } = on.recorder();
    on.clock.advance(9_999);
    await other.drain();
    expect(runs).toEqual([]);
    on.clock.advance(1);
    await other.drain();
    expect(runs.toSorted()).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(await on.rows()).toEqual([]);
  });

  test("does not end the lease of the job's current worker", async () => {
    await on.add(1);
    const [late] = await on.lease(TOPIC, 1);
    on.clock.advance(LEASE_MS);
    const [current] = await on.lease(TOPIC, 1);
    if (!late || !current) throw new Error("the job was leased twice");
    await finishJobs(on.db, [late]);
    expect(await on.rows()).toMatchObject([{ leased: true }]);
    await finishJobs(on.db, [current]);
    expect(await on.rows()).toEqual([]);
  });

  test("does a job once when it does it in the job's own transaction", async () => {
    await on.add(20);
    await sql`CREATE TABLE done_work (ref bigint)`.execute(on.db);
    let deaths = 0;
    const work = async (job: Job, diesAfter: boolean) => {
      await on.db.transaction().execute(async (tx) => {
        if (!(await takeJob(tx, job.id))) return;
        await sql`INSERT INTO done_work VALUES (${job.ref})`.execute(tx);
        // Before its commit on every third job, after it on every other.
        if (diesAfter && job.ref % 3n === 0n && deaths++ < 5) throw new Error("killed");
      });
      return DONE;
    };
    for (const job of await on.lease(TOPIC, 20)) await work(job, true).catch(() => {});
    on.clock.advance(LEASE_MS);
    const workers = [0, 1].map(() => on.worker((job) => work(job, false)));
    await Promise.all(workers.map((each) => each.drain()));
    expect(await on.rows()).toEqual([]);
    expect(await on.values`SELECT ref FROM done_work ORDER BY ref`).toEqual(refsTo(20));
  });

  test("a job that runs longer than a lease is renewed, and stays with its worker", async () => {
    await on.add(1);
    const slow = Promise.withResolvers<void>();
    let runs = 0;
    const run = async () => {
      runs += 1;
      await slow.promise;
      return DONE;
    };
    const first = on.worker(run);
    first.wake();
    await eventually(() => runs === 1);
    const before = (await on.rows())[0]?.due_at.getTime() ?? 0;
    // A jump renews at once; without one the machine's timer does, as the next test shows.
    on.clock.advance(LEASE_MS - 1_000);
    await eventually(async () => ((await on.rows())[0]?.due_at.getTime() ?? 0) > before);
    on.clock.advance(5_000);
    await on.worker(run).drain();
    expect(runs).toBe(1);
    slow.resolve();
    await first.drain();
    expect(await on.rows()).toEqual([]);
  });
});

test("a held job is renewed at each third of its lease, by the machine's clock", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await on.add(1);
    const jobs = await on.lease(TOPIC, 1);
    // A second later, without a jump, which would renew by itself.
    const leaseClock = injectedLeaseClock(stoppedClock(addMs(START, 1_000)));
    const { db, clock } = on;
    const held = createHeldJobs({ db, clock, log: SILENT_LOG, leaseClock });
    held.add(jobs);
    const ends = async () => (await on.rows()).map(({ due_at }) => due_at.getTime());
    const [end = 0] = await ends();
    vi.advanceTimersByTime(LEASE_MS / 3 - 1);
    expect(await ends()).toEqual([end]);
    vi.advanceTimersByTime(1);
    await eventually(async () => (await ends())[0] === end + 1_000);
    await held.close();
  } finally {
    vi.useRealTimers();
  }
});

test("a commit notifies each topic it wrote to once, whether TypeScript or SQL wrote it", async () => {
  const received: string[] = [];
  const listener = createListener(on.url);
  listener.on(OUTBOX_CHANNEL, (topic) => void received.push(topic));
  await listener.start();
  await on.db.transaction().execute(async (tx) => {
    await enqueue(tx, [
      { topic: "access.open", ref: 1n, dueAt: START },
      { topic: TOPIC, ref: 2n, dueAt: START },
    ]);
    await sql`INSERT INTO outbox (topic, ref, due_at) SELECT ${TOPIC}, n, ${START}::timestamptz
      FROM generate_series(1, 100) n`.execute(tx);
  });
  await sql`SELECT pg_notify(${OUTBOX_CHANNEL}, 'end')`.execute(on.db);
  await eventually(() => received.includes("end"));
  await listener.close();
  expect(received.toSorted()).toEqual(["access.open", TOPIC, "end"]);
});

test("a notification of a topic leases from that topic only", async () => {
  await on.add(1);
  await on.add(1, { topic: "access.open" });
  const runs: string[] = [];
  const run = async ({ topic }: Job) => {
    runs.push(topic);
    return DONE;
  };
  const handler = { batch: 1, concurrency: 1, maxAttempts: 1, run };
  const outbox = on.start([
    { ...handler, topic: TOPIC },
    { ...handler, topic: "access.open" },
  ]);
  outbox.receive("a topic of another process");
  outbox.receive("access.open");
  await eventually(async () => (await on.rows()).length === 1);
  await outbox.stop();
  expect(runs).toEqual(["access.open"]);
});

describe("a clock that ran forty days ahead and was set back", () => {
  test("leaves no job behind: leased, postponed by a lease, or written meanwhile", async () => {
    await on.add(3);
    on.clock.advance(40 * DAY_MS);
    expect(await on.lease(TOPIC, 3)).toHaveLength(3);
    await on.add(2);
    on.clock.advance(-40 * DAY_MS);
    const { runs, outbox } = on.recorder();
    for (const date of OUTBOX_DATES) await endDatesAhead(on.db, date, injectedLeaseClock(on.clock));
    await outbox.drain();
    expect(runs).toHaveLength(5);
    expect(await on.rows()).toEqual([]);
  });

  test("does not move what the database's clock wrote", async () => {
    await sql`INSERT INTO outbox (topic, ref, due_at) VALUES (${TOPIC}, 1, now())`.execute(on.db);
    on.clock.advance(4_000 * DAY_MS);
    const topics = [{ topic: TOPIC, free: 1 }];
    const [began] = await on.values<Date>`SELECT now()`;
    const jobs = await leaseJobs(on.db, { topics, clock: databaseLeaseClock, leaseMs: LEASE_MS });
    expect(jobs).toHaveLength(1);
    const lease = sql`${LEASE_MS}::int * interval '1 millisecond'`;
    const leased = await on.values`SELECT due_at - ${lease} BETWEEN ${began} AND now() FROM outbox`;
    expect(leased).toEqual([true]);
  });
});

describe("a backlog in one topic", () => {
  const WAITING = process.env["LONG"] === "1" ? 1_000_000 : 50_000;

  /** The median of 201 round trips, in milliseconds. */
  async function medianMs(act: () => Promise<unknown>): Promise<string> {
    const times: number[] = [];
    for (let turn = 0; turn < 201; turn++) {
      const from = performance.now();
      await act();
      times.push(performance.now() - from);
    }
    return times.toSorted((a, b) => a - b)[100]?.toFixed(2) ?? "";
  }

  /** Rows of the outbox by sequential scans, and by an index. */
  const leaseAndCount = (topics: { topic: string; free: number }[]) =>
    on.db.transaction().execute(async (tx) => {
      const jobs = await leaseFrom(tx, topics);
      const counted = await one<{ scanned: bigint; fetched: bigint }>(tx)`
        SELECT pg_stat_get_xact_tuples_returned('outbox'::regclass) AS scanned,
        pg_stat_get_xact_tuples_fetched('outbox'::regclass) AS fetched`;
      return { jobs, ...counted };
    });

  test("is not read by the lease of another topic", async () => {
    await sql`
      INSERT INTO outbox (topic, ref, priority, due_at)
      SELECT 'access.close', n, n % 4, ${START}::timestamptz FROM generate_series(1, ${WAITING}::int) n
    `.execute(on.db);
    await sql`ANALYZE outbox`.execute(on.db);
    await on.add(3);
    const topics = [TOPIC, "access.open"].map((topic) => ({ topic, free: 20 }));
    const { scanned, fetched } = await leaseAndCount(topics);
    expect(scanned).toBe(0n);
    expect(Number(fetched)).toBeLessThanOrEqual(20);
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
    const { jobs, scanned, fetched } = await leaseAndCount([{ topic: TOPIC, free: 2 }]);
    expect(jobs.map(({ ref }) => ref)).toEqual([1n, 2n]);
    expect(Number(scanned + fetched)).toBeLessThanOrEqual(20);
  });
});

describe("an outage", () => {
  const outage = () => {
    const cause = new Error("ECONNREFUSED");
    throw new Outage("telegram did not answer", { party: "telegram", retryable: true, cause });
  };
  /** The outbox runs again and again, ten minutes apart. */
  async function keepRunning(outbox: OutboxLoop, times: number) {
    for (let time = 0; time < times; time += 1) {
      await outbox.drain();
      on.clock.advance(10 * MINUTE_MS);
    }
  }

  test("of 48 hours uses up no attempt: each message is sent once after it", async () => {
    await on.add(40);
    let isDead = true;
    let calls = 0;
    const sent: bigint[] = [];
    const outbox = on.worker(async ({ ref }) => {
      calls += 1;
      if (isDead) outage();
      sent.push(ref);
      return DONE;
    });
    await keepRunning(outbox, 48 * 6);
    expect(await on.rows()).toHaveLength(40);
    expect((await on.rows()).every(({ attempts, failed }) => attempts === 0 && !failed)).toBe(true);
    // The circuit sends probes, not everything that waits.
    expect(calls).toBeLessThan(48 * 6 + 40);
    isDead = false;
    await keepRunning(outbox, 4);
    expect(sent.length).toBe(40);
    expect(new Set(sent).size).toBe(40);
    expect(await on.rows()).toEqual([]);
  });

  test("longer than the topic's age limit expires its jobs, which are kept", async () => {
    await on.add(2);
    const outbox = on.worker(async () => outage());
    await outbox.drain();
    on.clock.advance(7 * DAY_MS - 1);
    await outbox.drain();
    expect(await on.rows()).toMatchObject([{ failed: false }, { failed: false }]);
    on.clock.advance(20 * MINUTE_MS);
    await outbox.drain();
    const expired = { failed: true, expired: true, attempts: 0 };
    expect(await on.rows()).toMatchObject([expired, expired]);
    expect([on.logged.length, on.warned.length]).toEqual([0, 2]);
  });

  test("of an hour expires a reminder, which is not sent late", async () => {
    await on.add(1, { priority: 2 });
    await on.add(1, { priority: 1 });
    const sent: number[] = [];
    const outbox = on.worker(async ({ priority }) => {
      sent.push(priority);
      return DONE;
    });
    on.clock.advance(HOUR_MS + 1);
    await outbox.drain();
    expect(sent).toEqual([1]);
    expect(await on.rows()).toMatchObject([{ failed: true, expired: true }]);
  });

  test("waits as long as the service required, and otherwise ten minutes at most", async () => {
    await on.add(2);
    const asked = new Outage("429", { party: "telegram", retryable: true, retryAfterMs: 42_000 });
    const outbox = on.worker(async ({ ref }) => {
      if (ref === 1n) throw asked;
      return outage();
    });
    await outbox.drain();
    expect((await on.rows())[0]?.due_at).toEqual(addMs(START, 42_000));
    on.clock.advance(10 * MINUTE_MS);
    await keepRunning(outbox, 19);
    await outbox.drain();
    const [, other] = await on.rows();
    expect(other?.due_at.getTime()).toBeLessThanOrEqual(on.clock.now().getTime() + 10 * MINUTE_MS);
  });

  test("is no answer: refusals and bugs still end a job after its attempts", async () => {
    await on.add(1);
    let runs = 0;
    const outbox = on.worker(async () => {
      runs += 1;
      if (runs % 2 === 1) outage();
      throw new Error("a bug");
    });
    await keepRunning(outbox, 8);
    expect(await on.rows()).toMatchObject([{ attempts: 3, failed: true, expired: false }]);
  });
});

let notified: Date[] = [];
afterEach(() => {
  notified = [];
});

const later = (afterMs: number) => ({ kind: "later", afterMs, reason: "sent with the next ones" });

/** A job that notifies of everything gathered under this key. */
function run(key: string, { now = on.clock.now(), gathered = true } = {}) {
  return on.db.transaction().execute((tx) =>
    digest(tx, { key, everyMs: MINUTE_MS, now }, async () => {
      if (gathered) notified.push(now);
      return gathered;
    }),
  );
}

test("the first item is notified at once, and what follows together", async () => {
  const start = on.clock.now();
  expect(await run("one")).toEqual(DONE);
  expect(await run("one", { now: addMs(start, 1_000) })).toEqual(later(59_000));
  // Another person gets a notification of his own.
  expect(await run("other")).toEqual(DONE);
  const end = addMs(start, MINUTE_MS);
  expect(await run("one", { now: end })).toEqual(DONE);
  expect(notified).toEqual([start, start, end]);
});

test("an empty digest delays nobody", async () => {
  expect(await run("nothing", { gathered: false })).toEqual(DONE);
  expect(await run("nothing")).toEqual(DONE);
  expect(notified).toHaveLength(1);
});

test("a notification from a clock that was set back delays nobody", async () => {
  await run("ahead", { now: addMs(on.clock.now(), 60 * MINUTE_MS) });
  expect(await run("ahead")).toEqual(DONE);
  expect(notified).toHaveLength(2);
});

test("of several at once one notifies", async () => {
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => run("at once")));
  expect(outcomes.filter(({ kind }) => kind === "later")).toHaveLength(4);
  expect(notified).toHaveLength(1);
});
