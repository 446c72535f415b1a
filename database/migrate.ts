import pg from "pg";
import { buildConcurrently, type Migration, ROOT, readSchema, type Schema } from "./schema.ts";
import { setTimeout } from "node:timers/promises";

export type MigrateOptions = WaitOptions & {
  /** The root of the repository, with tables, migrations, functions and triggers. */
  readonly root?: string;
};

/** What a database was made from. */
type State = {
  readonly version: number;
  readonly functions: string;
  readonly triggers: string;
  /** Names of its functions, and of its triggers in the form of DROP. */
  readonly function_names: readonly string[];
  readonly trigger_names: readonly string[];
};

const NOTHING: State = {
  version: 0,
  functions: "",
  triggers: "",
  function_names: [],
  trigger_names: [],
};

/**
 * Brings a database up to date, forward only: the missing steps of its tables, each in a
 * transaction of its own (an index built concurrently in none); then all functions, if one of their
 * files has changed, in one transaction, which locks no table; then the triggers, if their file has
 * changed, each alone. A process that is older than the database applies nothing. Starts at the
 * same time wait for each other. A step that was changed after it ran is refused.
 */
export async function migrate(
  url: string,
  { root = ROOT, ...waiting }: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const schema = await readSchema(root);
  const lock = await takeMigrationLock(url, waiting);
  const client = new pg.Client({ connectionString: url, ...CONNECTING });
  // A lost connection fails the current statement, or the next one.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(NO_LIMITS);
    // Before the first write: a database of an older version continues with that version.
    const { rows: seen } = await client.query(
      "SELECT to_regclass('schema_migrations') IS NOT NULL AS made",
    );
    if (seen[0]?.made && (await recorded(client)).has("0001-ledger")) {
      throw new Error(`This database was made by version 0.1.0 or one soon after it. ${AFRESH}`);
    }
    await client.query(RECORDS);
    const { rows } = await client.query<State>("SELECT * FROM schema_version");
    const state = rows[0] ?? NOTHING;
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
    // A change that was undone has raised the version but no file differs.
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

/** Decision 127: before the first tagged release no data is migrated. */
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

/** CREATE OR REPLACE cannot change a function's result, or a function into a procedure. */
const OTHER_SHAPES = ["42P13", "42809"];

/** All in one transaction: no statement ever sees a part of a version. */
async function replaceFunctions(client: pg.Client, schema: Schema, state: State): Promise<void> {
  const { names, files } = schema.functions;
  const replace = (isOtherShape: boolean) =>
    inTransaction(client, async () => {
      // A body may use an object that a later file creates.
      await client.query("SET LOCAL check_function_bodies = off");
      // A trigger's function has one signature: it is replaced without its trigger, so no table is locked.
      const shapes = "prorettype <> 'trigger'::regtype";
      const ours = [...names, ...state.function_names];
      if (isOtherShape) await dropFunctions(client, ours, shapes);
      for (const { path, sql } of files) {
        await client.query(sql).catch((error: pg.DatabaseError) => {
          error.message = `${path}: ${error.message}`;
          throw error;
        });
      }
      // Functions of the same name with other arguments, which this transaction did not write.
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

/** Each alone, so that no two tables are locked at once. */
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

/** On a silent network a start must not wait for ever. */
export const CONNECTING = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** A migration has no time limit, whatever the role or the database sets. */
export const NO_LIMITS = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

export type MigrationLock = {
  /** Throws when the connection with the lock is lost: another start may be migrating. */
  requireHeld(): void;
  release(): Promise<void>;
};

export type WaitOptions = {
  readonly onWait?: (message: string) => void;
  readonly patienceMs?: number;
};

/** Any constant works, as long as every start of every version uses the same. */
const LOCK_KEY = 5_391_770_403;
const POLL_MS = 50;
const SAY_AFTER_MS = 1_000;
/** A large index may take long, and each start waits for the one before it. */
const PATIENCE_MS = 900_000;

/**
 * Allows one start to migrate at a time. The lock belongs to a transaction on a connection of its
 * own and ends with it in every case, also behind a pooler, where a session's lock would stay on a
 * pooled connection. Between its statements that transaction holds no snapshot, so an index that is
 * built concurrently does not wait for it; nor does it wait for other starts, which try again and
 * again instead of waiting inside a statement. (A statement with parameters keeps its snapshot
 * until the next one: these have none.)
 */
export async function takeMigrationLock(
  url: string,
  { onWait = () => {}, patienceMs = PATIENCE_MS }: WaitOptions = {},
): Promise<MigrationLock> {
  const client = new pg.Client({ connectionString: url, ...CONNECTING });
  let lost = false;
  client.on("error", () => {
    lost = true;
  });
  try {
    await client.connect();
    await client.query("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0");
    await untilTaken(client, { onWait, patienceMs });
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    requireHeld() {
      if (lost) throw new Error("The connection that held the lock of migrations was lost");
    },
    release: () => client.end(),
  };
}

async function untilTaken(client: pg.Client, options: Required<WaitOptions>): Promise<void> {
  const started = performance.now();
  let said = false;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS taken`,
    );
    if (rows[0]?.taken) return;
    const waitedMs = performance.now() - started;
    if (!said && waitedMs >= Math.min(SAY_AFTER_MS, options.patienceMs)) {
      said = true;
      options.onWait(`Waiting for another start to migrate the database: ${await holder(client)}`);
    }
    if (waitedMs >= options.patienceMs) {
      throw new Error(
        `Another start has held the lock of migrations for ${Math.round(waitedMs / 1_000)} s: ` +
          `${await holder(client)}. If no start is running, end that connection with ` +
          "SELECT pg_terminate_backend(pid) and start again.",
      );
    }
    await setTimeout(POLL_MS);
  }
}

type Holder = { readonly pid: number; readonly place: string; readonly doing: string };

/** The holder, for the log; a role that may not see other sessions sees only the pid. */
async function holder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<Holder>(
    `SELECT l.pid, coalesce(host(a.client_addr), 'this machine') AS place,
       coalesce(a.state || ' since ' || a.state_change::timestamptz(0), 'unknown') AS doing
     FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((l.classid::bigint << 32) | l.objid::bigint) = ${LOCK_KEY}`,
  );
  const [found] = rows;
  return found
    ? `connection ${found.pid} from ${found.place}, ${found.doing}`
    : "it has just ended";
}
