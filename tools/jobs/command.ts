import { systemClock } from "../../packages/kernel/src/index.ts";
import { audit, SYSTEM } from "../../apps/server/src/audit/audit.store.ts";
import {
  listFailedJobs,
  listFailedTopics,
  type RetryChoice,
  retryFailed,
} from "../../apps/server/src/jobs/failed-jobs.store.ts";
import { databaseLeaseClock } from "../../apps/server/src/jobs/leases.ts";
import { openDatabase, type Db } from "../../apps/server/src/postgres/database.ts";
import { withDatabase } from "../backup/command.ts";

const LISTED = 50;

/** `npm run jobs`: works while the product runs, and when it does not. → the exit code. */
export async function jobsCommand(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [verb, what] = args;
  if (verb !== "list" && !(verb === "retry" && what)) {
    console.error("What? npm run jobs -- --help");
    return 2;
  }
  let code = 0;
  await withDatabase(env, true, async ({ url }) => {
    const database = openDatabase({ url, poolSize: 1 });
    try {
      if (verb === "retry") code = await retry(database.db, what ?? "");
      else if (what) await listJobs(database.db, what);
      else await listTopics(database.db);
    } finally {
      await database.close();
    }
  });
  return code;
}

async function listTopics(db: Db): Promise<void> {
  const topics = await listFailedTopics(db);
  if (topics.length === 0) console.log("No job has failed or expired.");
  for (const { topic, failed, expired, oldest_at: oldest, error } of topics) {
    console.log(
      `${topic}: ${failed} failed, ${expired} expired, oldest ${oldest.toISOString()}; last error: ${error}`,
    );
  }
}

async function listJobs(db: Db, topic: string): Promise<void> {
  for (const job of await listFailedJobs(db, { topic, after: null, limit: LISTED })) {
    const state = job.expired ? "expired" : "failed";
    console.log(
      `${job.key} about ${job.ref}: ${state} ${job.failed_at.toISOString()} after ${job.attempts} attempts and ${job.outages} outages: ${job.error}`,
    );
  }
}

async function retry(db: Db, what: string): Promise<number> {
  const choice: RetryChoice =
    what === "all" ? "all" : what.includes(":") ? { key: what } : { topic: what };
  const retried = await db.transaction().execute(async (tx) => {
    const count = await retryFailed(tx, choice, databaseLeaseClock);
    const entry = { actor: SYSTEM, action: "jobs.retry", subject: `jobs:${what}` };
    if (count > 0) {
      const reason = "npm run jobs";
      await audit(tx, { ...entry, after: { retried: count }, reason }, systemClock.now());
    }
    return count;
  });
  console.log(`${retried} due again.`);
  return retried > 0 ? 0 : 1;
}
