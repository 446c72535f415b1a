import { type Clock, stoppedClock } from "@sesame/kernel";
import { sql } from "kysely";
import { injectedLeaseClock } from "../src/jobs/leases.ts";
import { enqueue, LEASE_MS, type LeasedJob, leaseJobs } from "../src/jobs/outbox.store.ts";
import { createOutbox, type JobHandler, type OutboxLoop } from "../src/jobs/outbox.ts";
import type { Db } from "../src/postgres/database.ts";
import { openOwnDatabase } from "./tables.ts";

export const START = new Date("2026-11-16T09:00:00.000Z");
export const TOPIC = "bot.notify";

type OutboxRow = {
  readonly ref: bigint;
  readonly attempts: number;
  readonly outages: number;
  readonly leased: boolean;
  readonly failed: boolean;
  readonly expired: boolean;
  readonly due_at: Date;
};

export type OutboxFixtures = Awaited<ReturnType<typeof openOutboxFixtures>>;

/** A database with an outbox, workers on it, and a clock that stands still. */
export async function openOutboxFixtures() {
  const { url, db, close } = await openOwnDatabase(6);
  const clock = stoppedClock(START);
  const outboxes: OutboxLoop[] = [];
  const logged: unknown[] = [];
  const warned: unknown[] = [];
  const log = {
    info() {},
    error: (...line: unknown[]) => void logged.push(line),
    warn: (...line: unknown[]) => void warned.push(line),
  };
  const start = (handlers: readonly JobHandler[]): OutboxLoop => {
    const outbox = createOutbox({ db, clock, log }, handlers);
    outboxes.push(outbox);
    return outbox;
  };
  return {
    url,
    db,
    clock,
    /** The errors that were logged. */
    logged,
    /** The warnings. */
    warned,
    start,
    worker(run: JobHandler["run"], handling: Partial<Omit<JobHandler, "run">> = {}): OutboxLoop {
      return start([
        { topic: TOPIC, batch: 10, concurrency: 10, maxAttempts: 3, ...handling, run },
      ]);
    },
    /** Writes jobs about 1, 2, 3 … */
    async add(count: number, job: { topic?: string; priority?: 0 | 1 | 2 | 3 } = {}) {
      const refs = Array.from({ length: count }, (_, index) => BigInt(index + 1));
      const dueAt = clock.now();
      await enqueue(
        db,
        refs.map((ref) => ({ topic: TOPIC, ...job, ref, dueAt })),
      );
    },
    async rows(): Promise<OutboxRow[]> {
      const found = await sql<OutboxRow>`
        SELECT ref, attempts, outages, lease IS NOT NULL AS leased,
          failed_at IS NOT NULL AS failed, expired, due_at
        FROM outbox ORDER BY ref`.execute(db);
      return found.rows;
    },
    /** Leases jobs like a worker that then dies. */
    lease(topic: string, free: number): Promise<LeasedJob[]> {
      const topics = [{ topic, free }];
      return leaseJobs(db, { topics, clock: injectedLeaseClock(clock), leaseMs: LEASE_MS });
    },
    async close() {
      for (const outbox of outboxes) await outbox.stop();
      await close();
    },
  };
}

/** Leases one job for a millisecond, like a worker that then dies. */
export async function leaseOne(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  topic: string,
): Promise<LeasedJob | undefined> {
  const topics = [{ topic, free: 1 }];
  const [job] = await leaseJobs(db, { topics, clock: injectedLeaseClock(clock), leaseMs: 1 });
  return job;
}
