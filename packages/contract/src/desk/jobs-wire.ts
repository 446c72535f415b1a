import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";

export const failedJobsQuery = z.object({
  topic: z.string().max(80).optional(),
  cursor: z.string().max(80).optional(),
});

export const failedJobOnWire = z.object({
  /** `job:12`, or `update:seller:77` for an update of Telegram's. */
  id: z.string(),
  topic: z.string(),
  /** French: what the job does. */
  label: z.string(),
  /** The number of what it is about. */
  ref: z.string(),
  /** `failed`: refused, or a bug. `expired`: somebody outside did not answer for too long. */
  state: z.enum(["failed", "expired"]),
  failed_at: instantOnWire,
  due_since: instantOnWire.nullable(),
  attempts: z.int(),
  outages: z.int(),
  error: z.string(),
});
export type FailedJobOnWire = z.input<typeof failedJobOnWire>;

export const failedJobsAnswer = z.object({
  success: z.literal(true),
  now: instantOnWire,
  topics: z.array(
    z.object({
      topic: z.string(),
      label: z.string(),
      failed: z.int(),
      expired: z.int(),
      oldest_at: instantOnWire,
      error: z.string(),
    }),
  ),
  jobs: z.array(failedJobOnWire),
  next_cursor: z.string().nullable(),
});
export type FailedJobsAnswer = z.input<typeof failedJobsAnswer>;

export const retryJobsAnswer = z.object({
  success: z.literal(true),
  retried: z.int(),
  message: z.string(),
});
export type RetryJobsAnswer = z.input<typeof retryJobsAnswer>;
