import { describeError, Outage } from "@sesame/kernel";
import type { App } from "../app.ts";
import { ageLimitOf } from "./age-limits.ts";
import type { Circuit } from "./circuit.ts";
import type { HeldJobs } from "./held-jobs.ts";
import { backOffMs, type JobHandler, type JobOutcome } from "./job-handler.ts";
import type { LeaseClock } from "./lease-clock.ts";
import { failJob, type LeasedJob, postponeJob } from "./outbox.store.ts";

type Worker = Pick<App, "db" | "log"> & {
  readonly leaseClock: LeaseClock;
  readonly held: HeldJobs;
};

type Lane = { readonly handler: JobHandler; readonly circuit: Circuit };

type RunEnd =
  | JobOutcome
  /** Somebody outside did not answer; `afterMs` is when to ask again. */
  | { readonly kind: "outage"; readonly afterMs: number; readonly reason: string }
  | { readonly kind: "expired"; readonly reason: string };

/** Runs a job and writes how it ended. Never throws. → true when it may be due again at once. */
export async function runJob(worker: Worker, lane: Lane, job: LeasedJob): Promise<boolean> {
  const limit = ageLimitOf(lane.handler.topic, job.priority);
  const end: RunEnd =
    limit.isStale && job.age_ms > limit.waitsMs
      ? { kind: "expired", reason: "too late to be of use" }
      : await attempt(worker, lane, job);
  try {
    return await write(worker, job, end);
  } catch (error) {
    // The lease ends by itself: the job comes back without our help.
    worker.log.warn({ err: error, topic: job.topic }, "the end of a job was not written");
    worker.held.drop(job);
    return false;
  }
}

async function attempt({ log }: Worker, lane: Lane, job: LeasedJob): Promise<RunEnd> {
  const { handler, circuit } = lane;
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

async function write(worker: Worker, job: LeasedJob, end: RunEnd): Promise<boolean> {
  const { db, log, held, leaseClock: clock } = worker;
  if (end.kind === "done") {
    await held.finish(job);
    return false;
  }
  const { reason: error } = end;
  const lease = held.leaseOf(job);
  switch (end.kind) {
    case "later":
    case "outage": {
      const by = end.kind === "later" ? "answer" : "outage";
      await postponeJob(db, lease, { by, error, afterMs: end.afterMs, clock });
      break;
    }
    case "failed":
    case "expired": {
      const expired = end.kind === "expired";
      const about = { topic: job.topic, ref: String(job.ref) };
      // A rule ended it, as it ends an update that waited too long; a person may still retry it.
      if (expired) log.warn(about, `job expired: ${error}`);
      else log.error(about, `job failed: ${error}`);
      await failJob(db, lease, { by: expired ? "outage" : "answer", error, expired, clock });
      break;
    }
  }
  held.drop(job);
  return end.kind === "later" && end.afterMs <= 0;
}
