import pg from "pg";
import { buildConcurrently } from "./concurrent-index.ts";
import { CONNECTING, NO_LIMITS, takeMigrationLock, type WaitOptions } from "./migration-lock.ts";
import { type Migration, ROOT, readSchema, type Schema } from "./schema.ts";

export type MigrateOptions = WaitOptions & {
  /** The repository: where tables, migrations, functions and triggers are read. */
  readonly root?: string;
};

/** What a database was made of. */
type State = {
  readonly version: number;
  readonly functions: string;
  readonly triggers: string;
  /** Names of its functions, and of its triggers as DROP says them. */
  readonly function_names: readonly string[];
  readonly trigger_names: readonly string[];
};

/**
 * Brings a database up to date, and only forward: the missing steps of its tables, each in a
 * transaction of its own (an index built concurrently in none); then all functions, if one of their
 * files has changed, in one transaction, which locks no table; then the triggers, if theirs has, each
 * alone. A process that is older than the database applies nothing. Two starts at once take turns. A
 * step that was changed after it ran is refused.
 */
export async function migrate(
  url: string,
  { root = ROOT, ...waiting }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const schema = await readSchema(root);
  const lock = await takeMigrationLock(url, waiting);
  const client = new pg.Client({ connectionString: url, ...CONNECTING });
  // A connection lost fails the statement under way, or the next.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(NO_LIMITS);
    await refuseOlder(client);
    await client.query(RECORDS);
    const state = await readState(client);
    const done = await recorded(client);
    const missing = schema.migrations.filter(({ name }) => !done.has(name));
    for (const { name, checksum } of schema.migrations) {
      if ((done.get(name) ?? checksum) !== checksum) throw new Error(sayChanged(name));
    }
    if (state.version > schema.version) {
      if (missing.length === 0) return { applied: [] };
      throw new Error(
        `This database is of a newer version that lacks ${missing[0]?.name}: it was made by another branch.`,
      );
    }
    const applied: string[] = [];
    const step = async (name: string, run: () => Promise<void>) => {
      lock.requireHeld();
      await run();
      applied.push(name);
    };
    for (const migration of missing) await step(migration.name, () => apply(client, migration));
    const isNew = applied.length > 0;
    const { functions, triggers } = schema;
    if (isNew || state.functions !== functions.hash) {
      await step("functions", () => replaceFunctions(client, schema, state));
    }
    if (isNew || state.triggers !== triggers.hash) {
      await step("triggers", () => replaceTriggers(client, schema, state));
    }
    // A change that was taken back has raised the version, and left every file as it was.
    if (applied.length > 0 || state.version < schema.version) {
      await dropFunctions(client, gone(state.function_names, functions.names));
      await client.query(REMEMBER, [
        schema.version,
        functions.hash,
        triggers.hash,
        functions.names,
        triggers.names,
      ]);
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
    one boolean PRIMARY KEY DEFAULT true CHECK (one), version integer NOT NULL,
    functions text NOT NULL, triggers text NOT NULL,
    function_names text[] NOT NULL, trigger_names text[] NOT NULL)`;

const REMEMBER = `
  INSERT INTO schema_version (version, functions, triggers, function_names, trigger_names)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (one) DO UPDATE SET version = excluded.version,
    functions = excluded.functions, triggers = excluded.triggers,
    function_names = excluded.function_names, trigger_names = excluded.trigger_names`;

/** Decision 127: until the first tagged release no data is carried over. */
const AFRESH =
  "Until the first release no data is carried over from one version to the next. To start afresh, " +
  "move the data folder away (npm start makes a new one; DATA_DIR names another), or give " +
  "DATABASE_URL an empty database.";

/** Before anything is written: its own version goes on with it. */
async function refuseOlder(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS made",
  );
  if (rows[0]?.made && (await recorded(client)).has("0001-ledger")) {
    throw new Error(`This database was made by version 0.1.0 or one soon after it. ${AFRESH}`);
  }
}

function sayChanged(name: string): string {
  return name === "tables"
    ? `This database was made with other tables (database/tables.sql). ${AFRESH}`
    : `The migration ${name} was changed after it ran on this database. ` +
        "Put it back as it was and write the change as a new migration.";
}

async function readState(client: pg.Client): Promise<State> {
  const { rows } = await client.query<State>("SELECT * FROM schema_version");
  return (
    rows[0] ?? { version: 0, functions: "", triggers: "", function_names: [], trigger_names: [] }
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

/** CREATE OR REPLACE was asked to change what a function answers, or a function into a procedure. */
const OTHER_SHAPES = ["42P13", "42809"];

/** All of them in one transaction, so that no statement ever sees half of a version. */
async function replaceFunctions(client: pg.Client, schema: Schema, state: State): Promise<void> {
  const { names, files } = schema.functions;
  const replace = (isOtherShape: boolean) =>
    inTransaction(client, async () => {
      // A body may name what a later file makes.
      await client.query("SET LOCAL check_function_bodies = off");
      // A trigger's function has one shape: no trigger, so no table, is touched.
      const shapes = "prorettype <> 'trigger'::regtype";
      const ours = [...names, ...state.function_names];
      if (isOtherShape) await dropFunctions(client, ours, shapes);
      for (const { path, sql } of files) {
        await client.query(sql).catch((error: pg.DatabaseError) => {
          error.message = `${path}: ${error.message}`;
          throw error;
        });
      }
      // The same name with other arguments: not written by this transaction.
      await dropFunctions(client, names, `${shapes} AND xmin <> pg_current_xact_id()::xid`);
    });
  try {
    await replace(false);
  } catch (error) {
    if (!OTHER_SHAPES.includes((error as pg.DatabaseError).code ?? "")) throw error;
    await replace(true);
  }
}

async function dropFunctions(client: pg.Client, names: readonly string[], which = "true") {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure::text AS name FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND proname = ANY($1) AND ${which}`,
    [names],
  );
  for (const { name } of rows) await client.query(`DROP ROUTINE ${name}`);
}

/** Each alone, for as long as it takes to write it: no two tables are locked at once. */
async function replaceTriggers(client: pg.Client, { triggers }: Schema, state: State) {
  const old = gone(state.trigger_names, triggers.names).map(
    (name) => `DROP TRIGGER IF EXISTS ${name}`,
  );
  await client.query("SET lock_timeout = '2s'");
  for (const statement of [...triggers.statements, ...old]) {
    await client.query(statement).catch((error: pg.DatabaseError) => {
      error.message = `database/triggers.sql: ${error.message}: ${statement}`;
      throw error;
    });
  }
  await client.query("RESET lock_timeout");
}

const gone = (before: readonly string[], now: readonly string[]) =>
  before.filter((name) => !now.includes(name));

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
