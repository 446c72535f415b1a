import { createHash } from "node:crypto";
import { Kysely, PostgresDialect, sql } from "kysely";
import { describeError, Outage } from "@sesame/kernel";
import pg from "pg";

/** A connection or a transaction: both run `sql` templates. */
export type Db = Kysely<unknown>;

const INT8 = 20;

/** `bigint` columns arrive as BigInt, everywhere: francs and ids alike (STACK §4). */
export const databaseTypes = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8 && format !== "binary") return BigInt;
    return pg.types.getTypeParser(oid, format);
  },
};

export type DatabaseOptions = {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize?: number;
};

export type Database = {
  readonly db: Db;
  readonly pool: pg.Pool;
  close(): Promise<void>;
};

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 16,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    // Servers compile by default what looks dear: seconds for a statement of milliseconds.
    options: "-c jit=off",
    types: databaseTypes,
  });
  // A connection lost while idle is replaced by the pool; without a listener it would end us.
  pool.on("error", () => {});
  // Nor may one lost while a transaction thinks between two queries: the next query says it.
  pool.on("connect", (client) => {
    client.on("error", () => {});
  });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: sayingOutages(pool) }) });
  return { db, pool, close: () => db.destroy() };
}

/** A pool whose loss of the database is an Outage, wherever it strikes. */
function sayingOutages(pool: pg.Pool) {
  // Kysely knows a connection by its object: one face for each.
  const faces = new WeakMap<pg.PoolClient, pg.PoolClient>();
  const faceOf = (client: pg.PoolClient): pg.PoolClient => {
    const known = faces.get(client);
    if (known) return known;
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const face = Object.create(client, {
      query: {
        value: (text: unknown, values?: unknown) =>
          query(namedIfPrepared(text, values), values).catch(throwOutage),
      },
      release: { value: (error?: Error | boolean) => client.release(error) },
    }) as pg.PoolClient;
    faces.set(client, face);
    return face;
  };
  return {
    options: pool.options,
    connect: () => pool.connect().then(faceOf, throwOutage),
    end: () => pool.end(),
  };
}

const PREPARED_MARK = "/* prepared */";

/**
 * A statement that begins with it is planned once for a connection, not for each call: for one so
 * large that planning costs more than running. No column of its answer may follow a table's: such a
 * plan fails when a migration changes it.
 */
export const PREPARED = sql.raw(PREPARED_MARK);

const names = new Map<string, string>();

function namedIfPrepared(text: unknown, values: unknown): unknown {
  if (typeof text !== "string" || !text.startsWith(PREPARED_MARK)) return text;
  const name = names.get(text) ?? createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return { name, text, values };
}

function throwOutage(error: unknown): never {
  if (!isUnreachable(error)) throw error;
  throw new Outage(`postgres: ${describeError(error)}`, {
    party: "postgres",
    retryable: true,
    cause: error,
  });
}

/** True when the database answers and has been migrated. */
export async function isReady(db: Db): Promise<boolean> {
  try {
    await sql`SELECT 1 FROM schema_migrations LIMIT 1`.execute(db);
    return true;
  } catch {
    return false;
  }
}

/** True when the database itself said no with this SQLSTATE. */
export function hasSqlState(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Classes 08 and 57P: the connection, or the server behind it, is gone or not ready yet. */
const GONE = /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
const GONE_WORDS = /^(Connection terminated|timeout exceeded when trying to connect|Client has)/;

/** True when the database did not answer: an outage, not a bug of ours. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : null;
  return (typeof code === "string" && GONE.test(code)) || GONE_WORDS.test(error.message);
}
