import { randomBytes } from "node:crypto";
import { rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../database/migrate.ts";
import { readSchema } from "../../database/schema.ts";
import { startEmbeddedPostgres, withClient } from "./embedded.ts";
import { MEMORY, ownFolder, removeLeftovers } from "./leftovers.ts";

/**
 * One PostgreSQL for a whole run of tests, one database for each test. `TEST_DATABASE_URL` names
 * the server by any of its databases, with an account that may create databases.
 */
export type TestDatabase = { url: string; drop(): Promise<void> };

/** Made by the first test that needs one: tests without a database need no valid migrations. */
let template: Promise<string> | undefined;

/** A new, migrated, empty database, cloned from the run's template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  template ??= prepareTemplate().catch((error: unknown) => {
    // The next test file tries again: one failure does not fail all.
    template = undefined;
    throw error;
  });
  return cloneOf(await template);
}

/** A new database without any table, for tests of the migrations themselves. */
export const createBlankDatabase = (): Promise<TestDatabase> => cloneOf("template0");

async function cloneOf(original: string): Promise<TestDatabase> {
  const admin = adminUrl();
  const name = `sesame_test_${randomBytes(8).toString("hex")}`;
  await run(admin, `CREATE DATABASE ${name} TEMPLATE ${original}`);
  return {
    url: withDatabase(admin, name),
    drop: () => run(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Vitest's set-up of a whole run: its server is that of TEST_DATABASE_URL, or an embedded one. */
export async function setup(): Promise<() => Promise<void>> {
  await removeLeftovers();
  if (process.env.TEST_DATABASE_URL) return async () => {};
  // Fast, because a crash of the machine may lose it.
  return openCluster(ownFolder("test", roomyPlace()), false);
}

/** Starts a server that TEST_DATABASE_URL names from here on. → what stops and removes it */
export async function openCluster(folder: string, durable: boolean) {
  const cluster = await startEmbeddedPostgres({ dataDir: folder, durable });
  process.env.TEST_DATABASE_URL = cluster.adminUrl;
  return async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
    rmSync(cluster.dataDir, { recursive: true, force: true });
  };
}

const ROOM_BYTES = 4 * 1024 ** 3;

/** In memory where there is room: a database for each test is many files that are soon deleted. */
function roomyPlace(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    // A small container has little memory, however large /dev/shm may grow.
    const room = Math.min(bavail * bsize, process.availableMemory());
    return room >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** Makes the template unless this server already has one for exactly this schema. */
async function prepareTemplate(): Promise<string> {
  const admin = adminUrl();
  const name = `sesame_template_${(await readSchema()).hash.slice(0, 16)}`;
  return connected(admin, async (client) => {
    // Two runs on one server must not make it at the same time.
    await client.query("SELECT pg_advisory_lock(hashtext($1))", [name]);
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount !== 0) return name;
    const draft = `${name}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft} TEMPLATE template0`);
    await migrate(withDatabase(admin, draft));
    await patiently(() => client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`));
    return name;
  });
}

function adminUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined || url === "") throw new Error("TEST_DATABASE_URL names no server");
  return url;
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Runs one statement, again while other tests are in its way. */
const run = (url: string, sql: string): Promise<void> =>
  connected(url, async (client) => void (await client.query(sql)));

const connected: typeof withClient = (url, work) => patiently(() => withClient(url, work));

/** Too many clients, a template in use, a server that starts, a queue that is full. */
const PASSING = new Set(["53300", "55006", "57P03", "EAGAIN"]);
const PATIENCE_MS = 50_000;

/** Tries again while the error is one that passes by itself; throws any other at once. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  const endsAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const { code = "" } = error as { code?: string };
      if (!PASSING.has(code) || performance.now() > endsAt) throw error;
      await sleep(100);
    }
  }
}
