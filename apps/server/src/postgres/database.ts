import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";

/** A connection or a transaction: both run `sql` templates. */
export type Db = Kysely<unknown>;

const INT8 = 20;

/** `bigint` columns arrive as BigInt, everywhere: francs and ids alike (STACK §4). */
const types = {
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
    types,
  });
  // A connection lost while idle is replaced by the pool; without a listener it would end us.
  pool.on("error", () => {});
  // Nor may one lost while a transaction thinks between two queries: the next query says it.
  pool.on("connect", (client) => {
    client.on("error", () => {});
  });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
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
