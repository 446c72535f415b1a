import type pg from "pg";
import { outageReason } from "./outages.ts";
import { sql } from "kysely";
import type { Db } from "./database.ts";

/** Milliseconds of a clock that never jumps: limits are measured by it, never by the wall clock. */
export type Stopwatch = () => number;

export type Connection = {
  readonly client: pg.PoolClient;
  readonly openedAt: number;
  /** When the statement under way was sent; null while none is. */
  askedAt: number | null;
  answeredAt: number;
  /** How long a statement may take on it now. */
  limitMs: number;
  /** It is never used again. */
  broken: boolean;
};

/** A connection to a server that turned read-only is young when it may already be to another. */
const YOUNG_MS = 5_000;

/** Every open connection of a pool: which of them answer, and since when none does. */
export type Connections = ReturnType<typeof trackConnections>;

export function trackConnections(pool: pg.Pool, now: Stopwatch) {
  const open = new Map<pg.PoolClient, Connection>();
  let silentSince: number | null = null;

  const of = (client: pg.PoolClient): Connection => {
    const known = open.get(client);
    if (known) return known;
    const at = now();
    const state = { askedAt: null, answeredAt: at, limitMs: LIMITS.queryMs, broken: false };
    const made: Connection = { client, openedAt: at, ...state };
    open.set(client, made);
    return made;
  };
  pool.on("remove", (client) => void open.delete(client as pg.PoolClient));

  const destroyWhere = (isLost: (connection: Connection) => boolean) => {
    for (const connection of open.values()) {
      if (isLost(connection)) destroyConnection(connection);
    }
  };
  /** Destroys each connection that has not answered since `at`: the idle ones, and those asked before. */
  const distrust = (at: number) =>
    destroyWhere(({ askedAt, answeredAt, limitMs }) => {
      if (answeredAt >= at) return false;
      return askedAt === null || (askedAt <= at && limitMs === LIMITS.queryMs);
    });
  /** It answered, if only by an error. */
  const answered = (connection: Connection | null) => {
    silentSince = null;
    if (!connection) return;
    connection.askedAt = null;
    connection.answeredAt = now();
  };

  return {
    of,
    distrust,
    answered,
    /** Somebody asks something of the database, by this connection or for a new one. */
    asked(connection: Connection | null) {
      const at = now();
      silentSince ??= at;
      if (connection) connection.askedAt = at;
    },
    /** What the error of a statement, or of a try to connect, says about the connections. */
    failed(connection: Connection | null, error: unknown) {
      const askedAt = connection?.askedAt ?? null;
      if (!isSilence(error) && !connection?.broken) answered(connection);
      else if (connection) connection.askedAt = null;
      if (isQueryTimeout(error) && connection) {
        destroyConnection(connection);
        // A probe with a short limit speaks only for its own connection.
        if (askedAt !== null && connection.limitMs >= LIMITS.queryMs) distrust(askedAt);
      }
      if (connection && outageReason(error) === "read-only") {
        // After a failover the same address may lead elsewhere: only a new connection finds out.
        connection.broken = true;
        const old = now() - YOUNG_MS;
        destroyWhere(({ askedAt: busy, openedAt }) => busy === null && openedAt < old);
      }
    },
    /** How long the database has left everyone without any answer; 0 when it answered last. */
    silentMs: () => (silentSince === null ? 0 : now() - silentSince),
    count: () => ({
      open: open.size,
      busy: [...open.values()].filter(({ askedAt }) => askedAt !== null).length,
    }),
  };
}

/** What `pg` keeps of a connection's socket, beyond its types. */
type WithSocket = { readonly connection?: { readonly stream?: { destroy(): void } } };

/** Ends it without a word to the other side, which may not be there: statements under way fail. */
function destroyConnection(connection: Connection): void {
  connection.broken = true;
  destroySocket(connection.client);
}

export function destroySocket(client: pg.ClientBase): void {
  (client as unknown as WithSocket).connection?.stream?.destroy();
}

function isQueryTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** True when nobody answered at all: neither the database, nor a network that says it is not there. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && error.code !== undefined) return error.code === "ETIMEDOUT";
  return /timeout/i.test(error.message);
}

/**
 * A network that loses packets without a word closes no connection: only limits of our own tell a
 * slow answer from one that never comes.
 */
export const LIMITS = {
  /** A new connection, its greeting included. */
  connectMs: 5_000,
  /** The server gives a statement up, orderly: the connection stays good. */
  statementMs: 12_000,
  /** We give a statement up: its connection is destroyed. Longer than the server's own limit. */
  queryMs: 15_000,
  /** A transaction that waits for us holds locks: the server ends it. */
  idleInTransactionMs: 10_000,
  /** After how long without traffic each side asks whether the other is still there. */
  keepAliveMs: 10_000,
} as const;

/** For every connection we open, the pool's, the listener's and the commands'. */
export const KEEP_ALIVE = {
  keepAlive: true,
  keepAliveInitialDelayMillis: LIMITS.keepAliveMs,
  connectionTimeoutMillis: LIMITS.connectMs,
} as const;

/**
 * Said on each new connection, and not among its startup parameters, which poolers refuse.
 * Compiling is off because servers compile by default what looks expensive: seconds for a statement
 * of milliseconds.
 */
export const ON_CONNECT = [
  "SET jit = off",
  `SET statement_timeout = ${LIMITS.statementMs}`,
  `SET idle_in_transaction_session_timeout = ${LIMITS.idleInTransactionMs}`,
  `SET tcp_user_timeout = ${LIMITS.queryMs}`,
  `SET tcp_keepalives_idle = ${LIMITS.keepAliveMs / 1_000}`,
].join("; ");

const LONG_MARK = /^\/\* limit (\d+) ms \*\//;

/** How long a statement says that those after it may take; null for any other statement. */
export function announcedLimitMs(text: string): number | null {
  const limit = LONG_MARK.exec(text)?.[1];
  return limit === undefined ? null : Number(limit);
}

/** Longer than any honest audit of the books; a dead network still ends it. */
const LONG_MS = 600_000;

/** For statements known to read much: each may take ten minutes, in a transaction of their own. */
export function withLongStatements<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql
      .raw(`/* limit ${LONG_MS + LIMITS.queryMs} ms */ SET LOCAL statement_timeout = ${LONG_MS}`)
      .execute(tx);
    return run(tx);
  });
}
