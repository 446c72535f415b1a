import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import {
  buildConcurrently,
  type ConcurrentIndex,
  readConcurrentIndex,
} from "./concurrent-index.ts";
import { CONNECTING, NO_LIMITS, takeMigrationLock } from "./migration-lock.ts";

/** One step of the schema: a folder `NNNN-what` with its `up.sql`. There is no way back. */
export type Migration = {
  name: string;
  sql: string;
  checksum: string;
  /** Null: it runs in a transaction. */
  index: ConcurrentIndex | null;
};

export type MigrateOptions = {
  folder?: string;
  /** Names: brings a blank database to the version a backup was made at. */
  only?: string[];
  /** Says in one line who is waited for, once a second has passed. */
  onWait?: (message: string) => void;
  /** How long another start may take before this one gives up. */
  patienceMs?: number;
};

const FOLDER = fileURLToPath(new URL("./migrations", import.meta.url));
const FOLDER_NAME = /^\d{4}-[a-z0-9-]+$/;
/** Any constant does, as long as every start of every version uses the same. */

/**
 * Brings a database up to date: each missing migration in its own transaction, or outside of any
 * when it is an index built concurrently, in the order of the folders. Two starts at once take
 * turns. A migration changed after it ran is refused.
 */
export async function migrate(
  url: string,
  { folder = FOLDER, only, ...waiting }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const all = await readMigrations(folder);
  const migrations = all.filter(({ name }) => only === undefined || only.includes(name));
  const lock = await takeMigrationLock(url, waiting);
  const client = new pg.Client({ connectionString: url, ...CONNECTING });
  // A connection lost fails the statement under way, or the next.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(NO_LIMITS);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
    const done = await recorded(client);
    const applied: string[] = [];
    for (const migration of migrations) {
      const checksum = done.get(migration.name);
      if (checksum === undefined) {
        lock.requireHeld();
        await apply(client, migration);
        applied.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(
          `The migration ${migration.name} was changed after it ran on this database. ` +
            "Put it back as it was and write the change as a new migration.",
        );
      }
    }
    return { applied };
  } finally {
    await client.end();
    await lock.release();
  }
}

/** Changes whenever any migration does: names templates and backups. */
export async function migrationsHash(): Promise<string> {
  const all = await readMigrations();
  return sha256(all.map(({ name, checksum }) => `${name} ${checksum}`).join("\n"));
}

export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const odd = names.find((name) => !FOLDER_NAME.test(name));
  if (odd !== undefined) throw new Error(`database/migrations/${odd} is not named NNNN-what`);
  const numbers = names.map((name) => name.slice(0, 4));
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) throw new Error(`Two migrations have the number ${twice}`);
  return Promise.all(
    names.sort().map(async (name) => {
      const sql = await readFile(join(folder, name, "up.sql"), "utf8");
      return { name, sql, checksum: sha256(sql), index: readConcurrentIndex(name, sql) };
    }),
  );
}

async function recorded(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "SELECT name, checksum FROM schema_migrations",
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    if (migration.index) {
      await buildConcurrently(client, migration.index);
      await record(client, migration);
    } else {
      await applyInTransaction(client, migration);
    }
    // A migration's own settings (search_path, lock_timeout without LOCAL) end with it.
    await client.query("RESET ALL");
    await client.query(NO_LIMITS);
  } catch (error) {
    throw new Error(`The migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function applyInTransaction(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query(migration.sql);
    await record(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

async function record(client: pg.Client, { name, checksum }: Migration): Promise<void> {
  await client.query("INSERT INTO schema_migrations VALUES ($1, $2, clock_timestamp())", [
    name,
    checksum,
  ]);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
