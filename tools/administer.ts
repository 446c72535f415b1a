import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readMode, readSecretsKeys } from "../apps/server/src/config.ts";
import { startEmbeddedPostgres } from "./postgres/embedded.ts";
import { backup, restore } from "./backup/backup.ts";
import { systemClock } from "../packages/kernel/src/index.ts";
import { audit, SYSTEM } from "../apps/server/src/audit/audit.store.ts";
import {
  listFailedJobs,
  listFailedTopics,
  retryFailed,
} from "../apps/server/src/jobs/failed-jobs.store.ts";
import { databaseLeaseClock } from "../apps/server/src/jobs/leases.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { rotateKeys } from "../apps/server/src/features/payment-accounts/keys.ts";
import { rotateSecrets } from "../apps/server/src/features/developers/secrets.ts";
import { createVault } from "../apps/server/src/secrets/vault.ts";

/** `npm run backup [-- FILE]`: works while the product runs, and when it does not. */
export async function backupCommand(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const file = resolve(args[0] ?? join("backups", `sesame-${stamp}.backup`));
  mkdirSync(dirname(file), { recursive: true });
  await withDatabase(env, true, async ({ url, dataDir }) => {
    const { secretsKey } = keysOf(env, dataDir);
    const report = await backup({ url, imagesDir: join(dataDir, "images"), file, secretsKey });
    console.log(`${file}: ${report.tables} tables, ${report.images} images`);
    console.log("Keep SECRETS_KEY (or DATA_DIR/secrets.key) apart: it is not in the file,");
    console.log("seals it, and is needed to restore it.");
  });
}

/** `npm run restore -- FILE`: into an empty database, the product being stopped. */
export async function restoreCommand(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const acceptFaults = args.includes("--accept-faults");
  const asked = args.find((argument) => !argument.startsWith("--"));
  if (asked === undefined) throw new Error("Which file? npm run restore -- FILE");
  await withDatabase(env, false, async ({ url, dataDir }) => {
    const { secretsKey, previousSecretsKeys } = keysOf(env, dataDir);
    const secretsKeys = [secretsKey, ...previousSecretsKeys];
    const place = { url, imagesDir: join(dataDir, "images"), file: resolve(asked) };
    const report = await restore({ ...place, secretsKeys, acceptFaults });
    console.log(
      `Restored as of ${report.madeAt}: ${report.tables} tables, ${report.images} images. ` +
        "The seal fits, and every table reads back as it was.",
    );
    if (report.faults.length === 0) console.log("The books and the audit log are whole.");
    else console.error(`Faults that the backup had:\n  ${report.faults.join("\n  ")}`);
  });
}

const keysOf = (env: NodeJS.ProcessEnv, dataDir: string) =>
  readSecretsKeys(env, { production: readMode(env).mode === "production", dataDir });

async function withDatabase<T>(
  env: NodeJS.ProcessEnv,
  share: boolean,
  work: (place: { url: string; dataDir: string }) => Promise<T>,
): Promise<T> {
  const dataDir = resolve(env.DATA_DIR || "./data");
  if (env.DATABASE_URL) return work({ url: env.DATABASE_URL, dataDir });
  const database = await startEmbeddedPostgres({ dataDir, share });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

/** Works while the product runs, and when it does not. */
const withDb = <T>(env: NodeJS.ProcessEnv, work: (db: Db, dataDir: string) => Promise<T>) =>
  withDatabase(env, true, async ({ url, dataDir }) => {
    await using db = openDatabase({ url, poolSize: 1 }).db;
    return await work(db, dataDir);
  });

const LISTED = 50;

/** `npm run jobs`. → the exit code */
export async function jobsCommand([verb, what]: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (verb !== "list" && !(verb === "retry" && what)) {
    console.error("How? npm run jobs -- list [TOPIC], or npm run jobs -- retry TOPIC | ID | all");
    return 2;
  }
  return withDb(env, async (db) => {
    if (verb === "retry") return retry(db, what ?? "");
    const jobs = what ? await listFailedJobs(db, { topic: what, after: null, limit: LISTED }) : [];
    for (const job of jobs) {
      console.log(
        `${job.id} about ${job.ref}: ${job.state} ${job.failed_at.toISOString()} after ${job.attempts} attempts and ${job.outages} outages: ${job.error}`,
      );
    }
    if (what) return 0;
    const topics = await listFailedTopics(db);
    if (topics.length === 0) console.log("No job has failed or expired.");
    for (const { topic, failed, expired, oldest_at: oldest, error } of topics) {
      console.log(
        `${topic}: ${failed} failed, ${expired} expired, oldest ${oldest.toISOString()}; last error: ${error}`,
      );
    }
    return 0;
  });
}

async function retry(db: Db, what: string): Promise<number> {
  const choice = what === "all" ? {} : what.includes(":") ? { id: what } : { topic: what };
  const retried = await db.transaction().execute(async (tx) => {
    const count = await retryFailed(tx, choice, databaseLeaseClock);
    if (count === 0) return 0;
    const entry = { actor: SYSTEM, action: "jobs.retry", subject: `jobs:${what}` };
    const result = { after: { retried: count }, reason: "npm run jobs" };
    await audit(tx, { ...entry, ...result }, systemClock.now());
    return count;
  });
  console.log(`${retried} due again.`);
  return retried > 0 ? 0 : 1;
}

/** `npm run rotate-keys`. → the exit code: 1 when some are left */
export function rotateKeysCommand(env: NodeJS.ProcessEnv): Promise<number> {
  return withDb(env, async (db, dataDir) => {
    const { secretsKey: current, previousSecretsKeys: previous } = keysOf(env, dataDir);
    const vault = createVault({ current, previous });
    const { rewritten, unreadable } = await rotateKeys(db, vault);
    const webhooks = await rotateSecrets(db, vault);
    console.log(`${rewritten} sets of keys are now under the key ${vault.keyId}.`);
    if (webhooks.rewritten > 0) console.log(`${webhooks.rewritten} webhook secrets too.`);
    const left = Object.entries({ seller_keys: unreadable, webhook_endpoints: webhooks.unreadable })
      .filter(([, ids]) => ids.length > 0)
      .map(([table, ids]) => `${table} ${ids.join(", ")}`);
    if (left.length === 0) {
      console.log("None is under another: SECRETS_KEY_PREVIOUS can be taken away.");
      return 0;
    }
    console.error(
      `${unreadable.length + webhooks.unreadable.length} could not be opened and stay as they are: ` +
        `${left.join("; ")}. Give the key they are under in SECRETS_KEY_PREVIOUS and run this again.`,
    );
    return 1;
  });
}
