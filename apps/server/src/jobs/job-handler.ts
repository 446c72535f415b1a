import type { Topic } from "./age-limits.ts";
import type { Job } from "./outbox.store.ts";

export type JobOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "later"; readonly afterMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

export const DONE: JobOutcome = { kind: "done" };

export type JobHandler = {
  /** Its age limit stands in `AGE_LIMITS`. */
  readonly topic: Topic;
  /** Jobs a process holds at most: those that run, and the next ones. */
  readonly batch: number;
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  /**
   * A thrown retryable Outage is waited out, up to the topic's age limit, and counts as no attempt;
   * anything else thrown is tried again up to `maxAttempts`.
   */
  readonly maxAttempts: number;
  run(job: Job): Promise<JobOutcome>;
};

/** 1, 2, 4 … seconds, at most ten minutes. */
export function backOffMs(attempts: number): number {
  return Math.min(600_000, 1_000 * 2 ** Math.max(0, attempts - 1));
}
