import { addMs, stoppedClock } from "@sesame/kernel";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { openOutboxFixtures, type OutboxFixtures, START, TOPIC } from "../../test/outbox.ts";
import { createListener } from "../postgres/listener.ts";
import { createHeldJobs } from "./held-jobs.ts";
import { injectedLeaseClock } from "./leases.ts";
import {
  enqueue,
  finishJobs,
  type Job,
  LEASE_MS,
  OUTBOX_CHANNEL,
  takeJob,
} from "./outbox.store.ts";
import { DONE } from "./outbox.ts";

let on: OutboxFixtures;

beforeEach(async () => {
  on = await openOutboxFixtures();
});
afterEach(() => on.close());

describe("a batch with one slow job", () => {
  test("forgets each job when it is done, and leases none of them again", async () => {
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
    expect(runs.toSorted()).toEqual(runs.toSorted().filter((ref, at, all) => ref !== all[at - 1]));
    expect(runs).toHaveLength(10);
  });

  test("fills the places of the jobs that have ended", async () => {
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
    const runs: bigint[] = [];
    const other = on.worker(async ({ ref }) => {
      runs.push(ref);
      return DONE;
    });
    on.clock.advance(9_999);
    await other.drain();
    expect(runs).toEqual([]);
    on.clock.advance(1);
    await other.drain();
    expect(runs.toSorted()).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(await on.rows()).toEqual([]);
  });

  test("does not end the lease of the worker that has its job now", async () => {
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

  test("does a job once when it did it in the job's own transaction", async () => {
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
    const done = await sql<{ ref: bigint }>`SELECT ref FROM done_work ORDER BY ref`.execute(on.db);
    expect(done.rows.map(({ ref }) => ref)).toEqual(
      Array.from({ length: 20 }, (_, index) => BigInt(index + 1)),
    );
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
    // A jump renews at once; without one the machine's timer does, as is seen below.
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

test("a held job is renewed at each third of its lease, by the machine's stopwatch", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await on.add(1);
    const jobs = await on.lease(TOPIC, 1);
    // A second later, of which no jump tells: a jump would renew by itself.
    const leaseClock = injectedLeaseClock(stoppedClock(addMs(START, 1_000)));
    const log = { info() {}, error() {}, warn() {} };
    const held = createHeldJobs({ db: on.db, clock: on.clock, log, leaseClock, leaseMs: LEASE_MS });
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
  const heard: string[] = [];
  const listener = createListener(on.url);
  listener.on(OUTBOX_CHANNEL, (topic) => void heard.push(topic));
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
  await eventually(() => heard.includes("end"));
  await listener.close();
  expect(heard.toSorted()).toEqual(["access.open", TOPIC, "end"]);
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
    { ...handler, topic: "bot.tell" },
    { ...handler, topic: "access.open" },
  ]);
  outbox.hear("a topic of another process");
  outbox.hear("access.open");
  await eventually(async () => (await on.rows()).length === 1);
  await outbox.stop();
  expect(runs).toEqual(["access.open"]);
});
