import type { App } from "../app.ts";
import { type Circuit, createCircuit } from "./circuit.ts";
import { createHeldJobs, type HeldJobs } from "./held-jobs.ts";
import type { JobHandler } from "./job-handler.ts";
import { type LeaseClock, leaseClockOf } from "./lease-clock.ts";
import { createLoop, type Loop } from "./loop.ts";
import { hasDueJobs, LEASE_MS, type LeasedJob, leaseJobs } from "./outbox.store.ts";
import { WHOLE_ROUND_MS } from "./rounds.ts";
import { runJob } from "./run-job.ts";

export { backOffMs, DONE, type JobHandler, type JobOutcome } from "./job-handler.ts";

type Ground = Pick<App, "db" | "clock" | "log">;

export type OutboxLoop = Loop & {
  /** Hears OUTBOX_CHANNEL: looks for jobs of that topic only. */
  hear(topic: string): void;
  /** Topics whose circuit is open: their jobs wait although they are due. */
  heldTopics(): string[];
};

export const OUTBOX_LOOP = "outbox";

/** What one topic does in this process. */
type Lane = {
  readonly handler: JobHandler;
  readonly circuit: Circuit;
  /** Leased, waiting for one of the `concurrency` places. */
  readonly waiting: LeasedJob[];
  running: number;
  /** Whether there may be due jobs that are not leased yet. */
  wanted: boolean;
};

type Outbox = Ground & {
  readonly leaseClock: LeaseClock;
  readonly held: HeldJobs;
  readonly lanes: ReadonlyMap<string, Lane>;
  /** Jobs that run, and jobs being given back. */
  readonly underWay: Set<Promise<void>>;
  /** Looks for jobs of the lanes that want some. */
  wake(): void;
  stopping: boolean;
};

/**
 * Leases due jobs of all topics in one statement and runs them, each topic with places of its own,
 * so that a slow one delays no other. A place is filled again as soon as its job has ended.
 */
export function createOutbox(app: Ground, handlers: readonly JobHandler[]): OutboxLoop {
  const { clock, log } = app;
  const outbox = outboxOf(app, handlers, () => loop.wake());
  const { lanes } = outbox;
  const run = () => look(outbox);
  // Jobs put off until later; new ones are heard of at once.
  const due = () => {
    const topics = [...lanes.values()].filter((lane) => freeIn(lane) > 0);
    return hasDueJobs(
      topics.map(({ handler }) => handler.topic),
      outbox.leaseClock,
    );
  };
  const loop = createLoop({ name: OUTBOX_LOOP, clock, log, everyMs: WHOLE_ROUND_MS, due, run });
  const wantAll = () => {
    for (const lane of lanes.values()) lane.wanted = true;
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
    hear(topic) {
      const lane = lanes.get(topic);
      if (!lane) return;
      lane.wanted = true;
      if (freeIn(lane) > 0) loop.wake();
    },
    heldTopics: () =>
      [...lanes.values()]
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
      // What was not begun is given back, what was ends.
      await outbox.held.release([...lanes.values()].flatMap((lane) => lane.waiting.splice(0)));
      await settle(outbox);
      await outbox.held.close();
    },
  };
}

function outboxOf(app: Ground, handlers: readonly JobHandler[], wake: () => void): Outbox {
  const { db, clock, log } = app;
  const leaseClock = leaseClockOf(clock);
  return {
    db,
    clock,
    log,
    leaseClock,
    held: createHeldJobs({ db, clock, log, leaseClock, leaseMs: LEASE_MS }),
    lanes: new Map(
      handlers.map((handler) => [
        handler.topic,
        { handler, circuit: createCircuit(clock), waiting: [], running: 0, wanted: false },
      ]),
    ),
    underWay: new Set(),
    wake,
    stopping: false,
  };
}

async function look(outbox: Outbox): Promise<boolean> {
  if (outbox.stopping) return false;
  const wanted = [...outbox.lanes.values()].filter((lane) => lane.wanted);
  const asked = wanted.map((lane) => ({ lane, topic: lane.handler.topic, free: freeIn(lane) }));
  const topics = asked.filter(({ free }) => free > 0);
  if (topics.length === 0) return false;
  // Before the statement: what is written while it runs is looked for again.
  for (const { lane } of topics) lane.wanted = false;
  const lease = { topics, clock: outbox.leaseClock, leaseMs: LEASE_MS };
  const jobs = await leaseJobs(outbox.db, lease).catch((error: unknown) => {
    for (const { lane } of topics) lane.wanted = true;
    throw error;
  });
  const byTopic = Map.groupBy(jobs, ({ topic }) => topic);
  for (const { lane, topic, free } of topics) {
    const leased = byTopic.get(topic) ?? [];
    lane.wanted ||= leased.length === free;
    lane.waiting.push(...outbox.held.add(leased));
    fill(outbox, lane);
  }
  return topics.some(({ lane }) => lane.wanted && freeIn(lane) > 0);
}

/** Runs waiting jobs in the free places of the lane. */
function fill(outbox: Outbox, lane: Lane): void {
  const { held } = outbox;
  while (!outbox.stopping && lane.running < lane.handler.concurrency) {
    // Nobody answers: the others are not sent after the probe.
    if (lane.circuit.admits(1, lane.running) === 0) {
      track(outbox, held.release(lane.waiting.splice(0)));
      return;
    }
    const job = lane.waiting.shift();
    if (!job) return;
    lane.running += 1;
    track(
      outbox,
      runJob(outbox, lane, job).then((again) => {
        lane.running -= 1;
        lane.wanted ||= again;
        fill(outbox, lane);
        if (lane.wanted && freeIn(lane) > 0) outbox.wake();
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
function freeIn({ handler, circuit, waiting, running }: Lane): number {
  const holds = waiting.length + running;
  const free = handler.batch - holds;
  // A few together: a lease for each job that ends would be a statement a job.
  const isWorthALook = waiting.length === 0 || free * 4 >= handler.batch;
  return isWorthALook ? circuit.admits(free, holds) : 0;
}
