import { createHash } from "node:crypto";
import { assert } from "@sesame/kernel";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import {
  type Connections,
  type Stopwatch,
  trackConnections,
  announcedLimitMs,
  KEEP_ALIVE,
  LIMITS,
  ON_CONNECT,
} from "./connections.ts";
import { asOutage, DatabaseOutage, outageReason } from "./outages.ts";

/** A connection or a transaction: both run `sql` templates. */
export type Db = Kysely<unknown>;

/** A statement's rows: `many<Row>(db)`SELECT …``. */
export const many = <Row>(db: Db) => {
  return async (...statement: Parameters<typeof sql>): Promise<Row[]> =>
    (await sql<Row>(...statement).execute(db)).rows;
};

/** A statement's first row, if there is one. */
export const maybe = <Row>(db: Db) => {
  return async (...statement: Parameters<typeof sql>): Promise<Row | null> =>
    (await sql<Row>(...statement).execute(db)).rows[0] ?? null;
};

/** A statement's only row; a statement without one is a bug. */
export const one = <Row>(db: Db) => {
  return async (...statement: Parameters<typeof sql>): Promise<Row> => {
    const [row] = (await sql<Row>(...statement).execute(db)).rows;
    assert(row !== undefined, "a statement that always has a row had none");
    return row;
  };
};

/** Whether a statement has a row. */
export const finds = (db: Db) => {
  return async (...statement: Parameters<typeof sql>): Promise<boolean> =>
    (await sql(...statement).execute(db)).rows.length > 0;
};

/** Makes transactions about the same matter wait for each other until they end. */
export const takeTurn = (tx: Db, matter: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${matter}, 0))`.execute(tx);

/** The columns of a row or of a change of one, with their values; an absent value leaves its column out. */
export const columnsOf = (row: object) =>
  Object.entries(row).filter(([, value]) => value !== undefined);

/** What follows SET in an UPDATE. */
export const assignments = (change: object) =>
  sql.join(columnsOf(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`));

/** The cursor of the next page of a list by ids; null after its last row. */
export const nextCursor = (
  rows: readonly { readonly id: bigint | string | number }[],
  limit: number,
) => (rows.length === limit ? String(rows.at(-1)?.id) : null);

const INT8 = 20;

/** `bigint` columns are BigInt everywhere: francs and ids alike. */
export const databaseTypes = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8 && format !== "binary") return BigInt;
    return pg.types.getTypeParser(oid, format);
  },
};

export type DatabaseOptions = {
  readonly url: string;
  /** The maximum of connections. */
  readonly poolSize?: number;
  /** For tests: measures the limits instead of the process's own clock. */
  readonly stopwatch?: Stopwatch;
};

export type Database = ReturnType<typeof openDatabase>;

export const DEFAULT_POOL_SIZE = 16;

export function openDatabase(options: DatabaseOptions) {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? DEFAULT_POOL_SIZE,
    idleTimeoutMillis: 30_000,
    query_timeout: LIMITS.queryMs,
    ...KEEP_ALIVE,
    ...PREPARED_ON_CONNECT,
    types: databaseTypes,
  });
  const connections = trackConnections(pool, options.stopwatch ?? (() => performance.now()));
  // The pool replaces a connection lost while idle; without a listener the error would end the process.
  pool.on("error", () => {});
  // Nor may one lost between two queries of a transaction: the next query reports it.
  pool.on("connect", (client) => {
    client.on("error", () => {});
  });
  const guarded = guardedPool(pool, connections);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: guarded }) });
  return { db, pool, connections, close: () => db.destroy() };
}

/** The pool waits for the promise, until the limits are set; its types omit that. */
const PREPARED_ON_CONNECT: Record<string, unknown> = {
  onConnect(client: pg.ClientBase) {
    const settings = { text: ON_CONNECT, query_timeout: LIMITS.connectMs };
    return client.query(settings);
  },
};

/** A pool whose loss of the database is an Outage, at any statement, and soon. */
function guardedPool(pool: pg.Pool, connections: Connections) {
  // Kysely identifies a connection by its object: one wrapper for each.
  const faces = new WeakMap<pg.PoolClient, pg.PoolClient>();
  const faceOf = (client: pg.PoolClient): pg.PoolClient => {
    const known = faces.get(client);
    if (known) return known;
    const face = makeFace(client, connections);
    faces.set(client, face);
    return face;
  };
  const connect = async (): Promise<pg.PoolClient> => {
    connections.asked(null);
    try {
      for (;;) {
        const client = await pool.connect();
        if (!connections.of(client).broken) return faceOf(client);
        client.release(true);
      }
    } catch (error) {
      connections.failed(null, error);
      throw asOutage(error);
    }
  };
  return { options: pool.options, connect, end: () => pool.end() };
}

function makeFace(client: pg.PoolClient, connections: Connections): pg.PoolClient {
  const connection = connections.of(client);
  const ask = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const askOnce = async (query: unknown, values: unknown): Promise<unknown> => {
    connections.asked(connection);
    try {
      const result = await ask(query, values);
      connections.answered(connection);
      return result;
    } catch (error) {
      connections.failed(connection, error);
      throw asOutage(error);
    }
  };
  const query = async (text: unknown, values?: unknown): Promise<unknown> => {
    if (typeof text === "string") {
      connection.limitMs = announcedLimitMs(text) ?? connection.limitMs;
    }
    const statement = statementOf(text, values, connection.limitMs);
    for (let left = CONFLICT_RETRIES; ; left -= 1) {
      // A statement outside a transaction is rolled back whole, so it can simply be repeated.
      const isAlone = client.getTransactionStatus() === "I";
      try {
        return await askOnce(statement, values);
      } catch (error) {
        if (isStalePlan(error)) {
          connection.broken = true;
          if (isAlone) return askOnce(text, values);
        }
        const isConflict = error instanceof DatabaseOutage && error.reason === "conflict";
        if (!isConflict || !isAlone || left === 0) throw error;
      }
    }
  };
  const release = (error?: Error | boolean) => {
    connection.limitMs = LIMITS.queryMs;
    client.release(connection.broken ? true : error);
  };
  return Object.create(client, {
    query: { value: query },
    release: { value: release },
  }) as pg.PoolClient;
}

const CONFLICT_RETRIES = 3;

function statementOf(text: unknown, values: unknown, limitMs: number): unknown {
  const statement = namedIfPrepared(text, values);
  if (limitMs === LIMITS.queryMs) return statement;
  const whole = typeof statement === "string" ? { text: statement, values } : (statement as object);
  return { ...whole, query_timeout: limitMs };
}

const PREPARED_MARK = "/* prepared */";

/**
 * A statement with this prefix is planned once for a connection, not for each call: for one that
 * costs more to plan than to run, because it is large or nearly always finds nothing. Not for one
 * whose plan depends on a parameter.
 */
export const PREPARED = sql.raw(PREPARED_MARK);

const names = new Map<string, string>();

function namedIfPrepared(text: unknown, values: unknown): unknown {
  if (typeof text !== "string" || !text.startsWith(PREPARED_MARK)) return text;
  const name = names.get(text) ?? createHash("sha256").update(text).digest("base64url");
  names.set(text, name);
  return { name, text, values };
}

const FEATURE_NOT_SUPPORTED = "0A000";

/** A migration has changed the type of a result column of a prepared statement. */
function isStalePlan(error: unknown): boolean {
  return (
    hasSqlState(error, FEATURE_NOT_SUPPORTED) &&
    (error as Error).message === "cached plan must not change result type"
  );
}

/** True for an error of the database with this SQLSTATE. */
export function hasSqlState(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** True when the database did not answer, or could not: an outage, not a bug. */
export function isUnreachable(error: unknown): boolean {
  return outageReason(error) !== null;
}
