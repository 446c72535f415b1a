import pg from "pg";
import { buildConcurrently } from "./concurrent-index.ts";
import { CONNECTING, NO_LIMITS, takeMigrationLock, type WaitOptions } from "./migration-lock.ts";
import { type Migration, ROOT, readSchema, type Schema } from "./schema.ts";

export type MigrateOptions = WaitOptions & {
  /** The repository: where tables, migrations, functions and triggers are read. */
  readonly root?: string;
  /** Names: brings a blank database to the tables that a backup was made of. */
  readonly only?: readonly string[];
};

/** What a database was made of: `made` are its functions and triggers, as DROP names them. */
type State = { readonly version: number; readonly hash: string; readonly made: readonly string[] };

/**
 * Brings a database up to date, and only forward: the missing steps of its tables, each in a
 * transaction of its own (an index built concurrently in none), then all functions and triggers, if
 * one of their files has changed. A process that is older than the database applies nothing. Two
 * starts at once take turns. A step that was changed after it ran is refused.
 */
export async function migrate(
  url: string,
  { root = ROOT, only, ...waiting }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const schema = await readSchema(root);
  const lock = await takeMigrationLock(url, waiting);
  const client = new pg.Client({ connectionString: url, ...CONNECTING });
  // A connection lost fails the statement under way, or the next.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(NO_LIMITS);
    await client.query(RECORDS);
    const found = await client.query<State>("SELECT version, hash, made FROM schema_version");
    const [state = { version: 0, hash: "", made: [] }] = found.rows;
    if (state.version > schema.version) return { applied: [] };
    const done = await recorded(client);
    const wanted = schema.migrations.filter(({ name }) => only?.includes(name) ?? true);
    const applied: string[] = [];
    for (const migration of wanted) {
      const checksum = done.get(migration.name);
      if (checksum === undefined) {
        lock.requireHeld();
        await apply(client, migration);
        applied.push(migration.name);
      } else if (checksum !== migration.checksum) {
        throw new Error(sayChanged(migration.name));
      }
    }
    if (state.hash !== schema.hash) {
      lock.requireHeld();
      await replaceFunctions(client, schema, state.made);
      applied.push("functions");
    }
    return { applied };
  } finally {
    await client.end();
    await lock.release();
  }
}

const RECORDS = `
  CREATE TABLE IF NOT EXISTS schema_migrations (
    name text PRIMARY KEY, checksum text NOT NULL, applied_at timestamptz NOT NULL);
  CREATE TABLE IF NOT EXISTS schema_version (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL, hash text NOT NULL,
    made text[] NOT NULL)`;

/** Decision 127: until the first tagged release no data is carried over. */
const AFRESH =
  "Until the first release no data is carried over from one version to the next. To start afresh, " +
  "move the data folder away (npm start makes a new one; DATA_DIR names another), or give " +
  "DATABASE_URL an empty database.";

function sayChanged(name: string): string {
  return name === "tables"
    ? `This database was made with other tables (database/tables.sql). ${AFRESH}`
    : `The migration ${name} was changed after it ran on this database. ` +
        "Put it back as it was and write the change as a new migration.";
}

async function recorded(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    "SELECT name, checksum FROM schema_migrations",
  );
  if (rows.some(({ name }) => name === "0001-ledger")) {
    throw new Error(`This database was made by version 0.1.0 or one soon after it. ${AFRESH}`);
  }
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    if (migration.index) {
      await buildConcurrently(client, migration.index);
      await record(client, migration);
    } else {
      await inTransaction(client, async () => {
        await client.query(migration.sql);
        await record(client, migration);
      });
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

/** CREATE OR REPLACE was asked to change what a function answers. */
const OTHER_SHAPE = "42P13";

/** All of them in one transaction, so that no statement ever sees half of a version. */
async function replaceFunctions(client: pg.Client, schema: Schema, before: readonly string[]) {
  const replace = (first: readonly string[]) =>
    inTransaction(client, async () => {
      // A body may name what a later file makes. Who writes to a table waits while a trigger is replaced.
      await client.query("SET LOCAL check_function_bodies = off; SET LOCAL lock_timeout = '10s'");
      for (const made of first) await client.query(`DROP ${made}`);
      for (const { path, sql } of schema.functions) {
        await client.query(sql).catch((error: pg.DatabaseError) => {
          error.message = `${path}: ${error.message}`;
          throw error;
        });
      }
      const made = (await client.query<{ made: string }>(MADE)).rows.map((row) => row.made);
      for (const gone of before.filter((each) => !made.includes(each) && !first.includes(each))) {
        await client.query(`DROP ${gone}`);
      }
      await client.query(
        `INSERT INTO schema_version (version, hash, made) VALUES ($1, $2, $3) ON CONFLICT (one)
         DO UPDATE SET version = excluded.version, hash = excluded.hash, made = excluded.made`,
        [schema.version, schema.hash, made],
      );
    });
  try {
    await replace([]);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== OTHER_SHAPE) throw error;
    await replace(before);
  }
}

/** What this transaction has written, triggers first: their functions cannot go before them. */
const MADE = `
  SELECT format('TRIGGER IF EXISTS %I ON %s', tgname, tgrelid::regclass) AS made FROM pg_trigger
  WHERE NOT tgisinternal AND xmin = pg_current_xact_id()::xid
  UNION ALL SELECT format('FUNCTION IF EXISTS %s', oid::regprocedure) FROM pg_proc
  WHERE xmin = pg_current_xact_id()::xid`;

async function inTransaction(client: pg.Client, run: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  try {
    await run();
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
