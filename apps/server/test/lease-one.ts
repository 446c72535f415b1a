import type { Clock } from "@sesame/kernel";
import { injectedLeaseClock } from "../src/jobs/leases.ts";
import { type LeasedJob, leaseJobs } from "../src/jobs/outbox.store.ts";
import type { Db } from "../src/postgres/database.ts";

/** Leases one job for a millisecond, as a worker does that dies with it. */
export async function leaseOne(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  topic: string,
): Promise<LeasedJob | undefined> {
  const topics = [{ topic, free: 1 }];
  const [job] = await leaseJobs(db, { topics, clock: injectedLeaseClock(clock), leaseMs: 1 });
  return job;
}
