import type { App } from "../app.ts";
import { type Circuit, createCircuit, ageLimitOf } from "./retries.ts";
import type { Topic } from "../alerts/kinds.fr.ts";
import { createHeldJobs, type HeldJobs } from "./held-jobs.ts";
import { type LeaseClock, leaseClockOf } from "./leases.ts";
import { createLoop, WHOLE_ROUND_MS } from "./loop.ts";
import * as store from "./outbox.store.ts";
import { describeError, Outage } from "@sesame/kernel";
import { sql } from "kysely";
import { type Db, maybe, takeTurn } from "../postgres/database.ts";

type Ground = Pick<App, "db" | "clock" | "log">;

export type OutboxLoop = ReturnType<typeof createOutbox>;

export const OUTBOX_LOOP = "outbox";

/** The state of one topic in this process. */
type Queue = {
  readonly handler: JobHandler;
  readonly circuit: Circuit;
  /** Leased, waiting for one of the `concurrency` places. */
  readonly waiting: store.LeasedJob[];
  running: number;
  /** Whether there may be due jobs that are not leased yet. */
  wanted: boolean;
};

type Outbox = Ground & {
  readonly leaseClock: LeaseClock;
  readonly held: HeldJobs;
  readonly queues: ReadonlyMap<string, Queue>;
  /** Jobs running, and jobs being released. */
  readonly underWay: Set<Promise<void>>;
  /** Leases jobs for the queues with `wanted`. */
  wake(): void;
  stopping: boolean;
};

/**
 * Leases due jobs of all topics in one statement and runs them, each topic with places of its own,
 * so that a slow one delays no other. A place is filled again as soon as its job has ended.
 */
export function createOutbox(app: Ground, handlers: readonly JobHandler[]) {
  const { db, clock, log } = app;
  const leaseClock = leaseClockOf(clock);
  const queues: Outbox["queues"] = new Map(
    handlers.map((handler) => [
      handler.topic,
      { handler, circuit: createCircuit(clock), waiting: [], running: 0, wanted: false },
    ]),
  );
  const held = createHeldJobs({ db, clock, log, leaseClock });
  const underWay = new Set<Promise<void>>();
  const wake = () => loop.wake();
  const outbox: Outbox = { ...app, leaseClock, held, queues, underWay, wake, stopping: false };
  const run = () => look(outbox);
  // Postponed jobs; new ones are notified at once.
  const due = () => {
    const topics = [...queues.values()].filter((queue) => freeIn(queue) > 0);
    return store.hasDueJobs(
      topics.map(({ handler }) => handler.topic),
      leaseClock,
    );
  };
  const loop = createLoop({ name: OUTBOX_LOOP, clock, log, everyMs: WHOLE_ROUND_MS, due, run });
  const wantAll = () => {
    for (const queue of queues.values()) queue.wanted = true;
  };
  let poll: NodeJS.Timeout | null = null;
  let unlisten: (() => void) | null = null;
  return {
    ...loop,
    start() {
      wantAll();
      unlisten = clock.onJump(wantAll);
      poll = setInterval(wantAll, WHOLE_ROUND_MS);
      poll.unref();
      loop.start();
    },
    wake() {
      wantAll();
      loop.wake();
    },
    /** Takes a notification of OUTBOX_CHANNEL: leases jobs of that topic only. */
    receive(topic: string) {
      const queue = queues.get(topic);
      if (!queue) return;
      queue.wanted = true;
      if (freeIn(queue) > 0) loop.wake();
    },
    /** Topics whose circuit is open: their jobs wait although they are due. */
    heldTopics: () =>
      [...queues.values()]
        .filter(({ circuit }) => circuit.isOpen())
        .map(({ handler }) => handler.topic),
    async drain() {
      do {
        wantAll();
        await loop.drain();
        await settle(outbox);
        await loop.drain();
      } while (outbox.underWay.size > 0);
    },
    async stop() {
      outbox.stopping = true;
      if (poll) clearInterval(poll);
      unlisten?.();
      await loop.stop();
      // Jobs not begun are released, running ones end.
      await outbox.held.release([...queues.values()].flatMap((queue) => queue.waiting.splice(0)));
      await settle(outbox);
      await outbox.held.close();
    },
  };
}

async function look(outbox: Outbox): Promise<boolean> {
  if (outbox.stopping) return false;
  const wanted = [...outbox.queues.values()].filter((queue) => queue.wanted);
  const asked = wanted.map((queue) => ({ queue, topic: queue.handler.topic, free: freeIn(queue) }));
  const topics = asked.filter(({ free }) => free > 0);
  if (topics.length === 0) return false;
  // Before the statement: what is written while it runs is found by the next one.
  for (const { queue } of topics) queue.wanted = false;
  const lease = { topics, clock: outbox.leaseClock, leaseMs: store.LEASE_MS };
  const jobs = await store.leaseJobs(outbox.db, lease).catch((error: unknown) => {
    for (const { queue } of topics) queue.wanted = true;
    throw error;
  });
  const byTopic = Map.groupBy(jobs, ({ topic }) => topic);
  for (const { queue, topic, free } of topics) {
    const leased = byTopic.get(topic) ?? [];
    queue.wanted ||= leased.length === free;
    queue.waiting.push(...outbox.held.add(leased));
    fill(outbox, queue);
  }
  return topics.some(({ queue }) => queue.wanted && freeIn(queue) > 0);
}

/** Runs waiting jobs in the free places of the queue. */
function fill(outbox: Outbox, queue: Queue): void {
  const { held } = outbox;
  while (!outbox.stopping && queue.running < queue.handler.concurrency) {
    // The service does not answer: no more jobs than the probe.
    if (queue.circuit.admits(1, queue.running) === 0) {
      track(outbox, held.release(queue.waiting.splice(0)));
      return;
    }
    const job = queue.waiting.shift();
    if (!job) return;
    queue.running += 1;
    track(
      outbox,
      runJob(outbox, queue, job).then((again) => {
        queue.running -= 1;
        queue.wanted ||= again;
        fill(outbox, queue);
        if (queue.wanted && freeIn(queue) > 0) outbox.wake();
      }),
    );
  }
}

function track({ underWay }: Outbox, task: Promise<void>): void {
  underWay.add(task);
  void task.finally(() => underWay.delete(task));
}

async function settle({ underWay }: Outbox): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

/** How many more jobs of the topic may be leased. */
function freeIn({ handler, circuit, waiting, running }: Queue): number {
  const holds = waiting.length + running;
  const free = handler.batch - holds;
  // Several together: a lease for each ended job would be a statement for each job.
  const isWorthALook = waiting.length === 0 || free * 4 >= handler.batch;
  return isWorthALook ? circuit.admits(free, holds) : 0;
}

type RunEnd =
  | JobOutcome
  /** A service did not answer; `afterMs` is the wait before the next call. */
  | { readonly kind: "outage"; readonly afterMs: number; readonly reason: string }
  | { readonly kind: "expired"; readonly reason: string };

/** Runs a job and records its result. Never throws. → true when it may be due again at once. */
async function runJob(worker: Outbox, queue: Queue, job: store.LeasedJob): Promise<boolean> {
  const limit = ageLimitOf(queue.handler.topic, job.priority);
  const end: RunEnd =
    limit.isStale && job.age_ms > limit.waitsMs
      ? { kind: "expired", reason: "too late to be of use" }
      : await attempt(worker, queue, job);
  try {
    return await write(worker, job, end);
  } catch (error) {
    // The lease expires, and the job runs again.
    worker.log.warn({ err: error, topic: job.topic }, "the end of a job was not written");
    worker.held.drop(job);
    return false;
  }
}

async function attempt({ log }: Outbox, queue: Queue, job: store.LeasedJob): Promise<RunEnd> {
  const { handler, circuit } = queue;
  try {
    const outcome = await handler.run(job);
    circuit.noteAnswer();
    return outcome;
  } catch (error) {
    const reason = error instanceof Error ? error.message : describeError(error);
    if (error instanceof Outage && error.retryable) {
      circuit.noteOutage(error);
      const limit = ageLimitOf(handler.topic, job.priority);
      if (job.age_ms > limit.waitsMs) return { kind: "expired", reason };
      return { kind: "outage", afterMs: error.retryAfterMs ?? backOffMs(job.outages + 1), reason };
    }
    circuit.noteAnswer();
    if (error instanceof Outage) return { kind: "failed", reason };
    log.error({ err: error, topic: job.topic }, "job threw");
    if (job.attempts >= handler.maxAttempts) return { kind: "failed", reason };
    return { kind: "later", afterMs: backOffMs(job.attempts), reason };
  }
}

async function write(worker: Outbox, job: store.LeasedJob, end: RunEnd): Promise<boolean> {
  const { db, log, held, leaseClock: clock } = worker;
  if (end.kind === "done") {
    await held.finish(job);
    return false;
  }
  const { reason: error } = end;
  const lease = held.leaseOf(job);
  if (end.kind === "later" || end.kind === "outage") {
    const by = end.kind === "later" ? "answer" : "outage";
    await store.postponeJob(db, lease, { by, error, afterMs: end.afterMs, clock });
  } else {
    const expired = end.kind === "expired";
    const about = { topic: job.topic, ref: String(job.ref) };
    // Expired by a rule, as an update that waited too long is; a person may still retry it.
    if (expired) log.warn(about, `job expired: ${error}`);
    else log.error(about, `job failed: ${error}`);
    await store.failJob(db, lease, { by: expired ? "outage" : "answer", error, expired, clock });
  }
  held.drop(job);
  return end.kind === "later" && end.afterMs <= 0;
}

export type JobOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "later"; readonly afterMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

export const DONE: JobOutcome = { kind: "done" };

export type JobHandler = {
  /** Its age limit: `ageLimitOf`. */
  readonly topic: Topic;
  /** The maximum of jobs a process holds: running ones, and the next ones. */
  readonly batch: number;
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  /**
   * A thrown retryable Outage is retried up to the topic's age limit, and does not count as an
   * attempt; anything else thrown is retried up to `maxAttempts`.
   */
  readonly maxAttempts: number;
  run(job: store.Job): Promise<JobOutcome>;
};

/** 1, 2, 4 … seconds, at most ten minutes. */
export function backOffMs(attempts: number): number {
  return Math.min(600_000, 1_000 * 2 ** Math.max(0, attempts - 1));
}

type Digest = {
  /** The recipient and the subject; digests of one key are serialized. */
  readonly key: string;
  readonly everyMs: number;
  readonly now: Date;
  /** Done by each of its jobs, with or without a notification, once its turn has come. */
  first?(): Promise<void>;
};

/**
 * Notifies of what has gathered, at most once in an interval: the first item at once, what follows
 * together, by jobs that wait for it. `notifyAll` → whether there was anything.
 */
export async function digest(
  tx: Db,
  { key, everyMs, now, first }: Digest,
  notifyAll: () => Promise<boolean>,
): Promise<JobOutcome> {
  await takeTurn(tx, key);
  await first?.();
  const last = await maybe<{ notified_at: Date }>(
    tx,
  )`SELECT notified_at FROM digests WHERE key = ${key}`;
  const sinceMs = last ? now.getTime() - last.notified_at.getTime() : everyMs;
  // Notified in the future: by a clock that was set back since.
  if (sinceMs >= 0 && sinceMs < everyMs) {
    return { kind: "later", afterMs: everyMs - sinceMs, reason: "sent with the next ones" };
  }
  if (!(await notifyAll())) return DONE;
  await sql`
    INSERT INTO digests (key, notified_at) VALUES (${key}, ${now})
    ON CONFLICT (key) DO UPDATE SET notified_at = excluded.notified_at
  `.execute(tx);
  return DONE;
}
