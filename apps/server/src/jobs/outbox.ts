import { addMs, type Clock, describeError, Outage } from "@sesame/kernel";
import type { FastifyBaseLogger } from "fastify";
import type { Db } from "../postgres/database.ts";
import { claimJobs, failJob, finishJobs, type Job, postponeJob } from "./outbox.store.ts";
import type { Loop } from "./loop.ts";
import { createLoop } from "./loop.ts";

export type JobOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "later"; readonly afterMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

export const DONE: JobOutcome = { kind: "done" };

export type JobHandler = {
  readonly topic: string;
  /** Jobs taken in one claim. They run one after the other unless `concurrency` says more. */
  readonly batch: number;
  readonly concurrency: number;
  /** A thrown retryable Outage is tried again; anything else thrown, up to `maxAttempts`. */
  readonly maxAttempts: number;
  run(job: Job): Promise<JobOutcome>;
};

export type OutboxOptions = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, "error" | "warn">;
  readonly handlers: readonly JobHandler[];
};

const LEASE_MS = 60_000;
const POLL_MS = 1_000;

const LOOP_PREFIX = "outbox ";

export function outboxLoopName(topic: string): string {
  return LOOP_PREFIX + topic;
}

export function isOutboxLoop(name: string): boolean {
  return name.startsWith(LOOP_PREFIX);
}

/** One loop for each topic, so that a slow one delays no other. */
export function createOutboxLoops(options: OutboxOptions): Loop[] {
  return options.handlers.map((handler) =>
    createLoop({
      name: outboxLoopName(handler.topic),
      clock: options.clock,
      log: options.log,
      everyMs: POLL_MS,
      run: () => runOnce(options, handler),
    }),
  );
}

async function runOnce(options: OutboxOptions, handler: JobHandler): Promise<boolean> {
  const now = options.clock.now();
  const jobs = await claimJobs(options.db, {
    topic: handler.topic,
    limit: handler.batch,
    now,
    leaseMs: LEASE_MS,
  });
  const waiting = [...jobs];
  const done: bigint[] = [];
  const lane = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      if (await runJob(options, handler, job)) done.push(job.id);
    }
  };
  await Promise.all(Array.from({ length: handler.concurrency }, lane));
  await finishJobs(options.db, done);
  return jobs.length === handler.batch;
}

/** True when the job is done and may be forgotten. */
async function runJob(options: OutboxOptions, handler: JobHandler, job: Job): Promise<boolean> {
  const { db, clock } = options;
  const outcome = await attempt(options, handler, job);
  switch (outcome.kind) {
    case "done":
      return true;
    case "later":
      await postponeJob(db, {
        id: job.id,
        dueAt: addMs(clock.now(), outcome.afterMs),
        error: outcome.reason,
      });
      return false;
    case "failed":
      options.log.error(
        { topic: job.topic, ref: String(job.ref) },
        `job failed: ${outcome.reason}`,
      );
      await failJob(db, { id: job.id, now: clock.now(), error: outcome.reason });
      return false;
  }
}

async function attempt(options: OutboxOptions, handler: JobHandler, job: Job): Promise<JobOutcome> {
  try {
    return await handler.run(job);
  } catch (error) {
    const reason = describeError(error);
    if (!(error instanceof Outage))
      options.log.error({ err: error, topic: job.topic }, "job threw");
    const final = error instanceof Outage && !error.retryable;
    if (final || job.attempts >= handler.maxAttempts) return { kind: "failed", reason };
    const asked = error instanceof Outage ? error.retryAfterMs : undefined;
    return { kind: "later", afterMs: asked ?? backOffMs(job.attempts), reason };
  }
}

/** 1, 2, 4 … seconds, at most ten minutes. */
export function backOffMs(attempts: number): number {
  return Math.min(600_000, 1_000 * 2 ** Math.max(0, attempts - 1));
}
