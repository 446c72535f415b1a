import type pg from "pg";
import { outageReason } from "./outages.ts";
import { sql } from "kysely";
import type { Db } from "./database.ts";

/** Milliseconds of a clock that never jumps: it measures limits, instead of the wall clock. */
export type Stopwatch = () => number;

export type Connection = {
  readonly client: pg.PoolClient;
  readonly openedAt: number;
  /** When the statement in progress was sent; null when there is none. */
  askedAt: number | null;
  answeredAt: number;
  /** How long a statement may take on it now. */
  limitMs: number;
  /** It must not be used again. */
  broken: boolean;
};

/** A connection to a server that turned read-only is young when it may already lead to another. */
const YOUNG_MS = 5_000;

/** The open connections of a pool: which of them answer, and since when none does. */
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
  /** Destroys each connection that has not answered since `at`: idle ones, and those with an older statement. */
  const distrust = (at: number) =>
    destroyWhere(({ askedAt, answeredAt, limitMs }) => {
      if (answeredAt >= at) return false;
      return askedAt === null || (askedAt <= at && limitMs === LIMITS.queryMs);
    });
  /** It answered, perhaps with an error. */
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
    /** A statement is sent on this connection, or a new connection is opened. */
    asked(connection: Connection | null) {
      const at = now();
      silentSince ??= at;
      if (connection) connection.askedAt = at;
    },
    /** Handles the error of a statement or of a connection attempt. */
    failed(connection: Connection | null, error: unknown) {
      const askedAt = connection?.askedAt ?? null;
      if (!isSilence(error) && !connection?.broken) answered(connection);
      else if (connection) connection.askedAt = null;
      if (isQueryTimeout(error) && connection) {
        destroyConnection(connection);
        // A probe with a short limit proves something for its own connection only.
        if (askedAt !== null && connection.limitMs >= LIMITS.queryMs) distrust(askedAt);
      }
      if (connection && outageReason(error) === "read-only") {
        // After a failover the same address may lead elsewhere: only a new connection shows it.
        connection.broken = true;
        const old = now() - YOUNG_MS;
        destroyWhere(({ askedAt: busy, openedAt }) => busy === null && openedAt < old);
      }
    },
    /** How long the database has answered nobody; 0 when it answered last. */
    silentMs: () => (silentSince === null ? 0 : now() - silentSince),
    count: () => ({
      open: open.size,
      busy: [...open.values()].filter(({ askedAt }) => askedAt !== null).length,
    }),
  };
}

/** The socket of a `pg` connection, which its types omit. */
type WithSocket = { readonly connection?: { readonly stream?: { destroy(): void } } };

/** Ends it without a message to the other side, which may be gone: statements in progress fail. */
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

/** True when nothing answered: neither the database, nor a network error. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && error.code !== undefined) return error.code === "ETIMEDOUT";
  return /timeout/i.test(error.message);
}

/**
 * A network that silently loses packets closes no connection: only our own limits distinguish a
 * slow answer from one that never comes.
 */
export const LIMITS = {
  /** A new connection, its handshake included. */
  connectMs: 5_000,
  /** The server cancels a statement: the connection stays usable. */
  statementMs: 12_000,
  /** We give a statement up: its connection is destroyed. Longer than the server's own limit. */
  queryMs: 15_000,
  /** A transaction that waits for us holds locks: the server ends it. */
  idleInTransactionMs: 10_000,
  /** After this long without traffic each side checks whether the other still exists. */
  keepAliveMs: 10_000,
} as const;

/** For every connection: the pool's, the listener's and the commands'. */
export const KEEP_ALIVE = {
  keepAlive: true,
  keepAliveInitialDelayMillis: LIMITS.keepAliveMs,
  connectionTimeoutMillis: LIMITS.connectMs,
} as const;

/**
 * Sent on each new connection, and not as startup parameters, which poolers refuse. JIT is off
 * because servers compile by default what looks expensive: seconds for a statement of milliseconds.
 */
export const ON_CONNECT = [
  "SET jit = off",
  `SET statement_timeout = ${LIMITS.statementMs}`,
  `SET idle_in_transaction_session_timeout = ${LIMITS.idleInTransactionMs}`,
  `SET tcp_user_timeout = ${LIMITS.queryMs}`,
  `SET tcp_keepalives_idle = ${LIMITS.keepAliveMs / 1_000}`,
].join("; ");

const LONG_MARK = /^\/\* limit (\d+) ms \*\//;

/** The limit that a statement sets for later ones; null for any other statement. */
export function announcedLimitMs(text: string): number | null {
  const limit = LONG_MARK.exec(text)?.[1];
  return limit === undefined ? null : Number(limit);
}

/** Longer than any regular audit; a dead network still ends it. */
const LONG_MS = 600_000;

/** For statements known to read much: each may take ten minutes, in a transaction of its own. */
export function withLongStatements<T>(db: Db, run: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql
      .raw(`/* limit ${LONG_MS + LIMITS.queryMs} ms */ SET LOCAL statement_timeout = ${LONG_MS}`)
      .execute(tx);
    return run(tx);
  });
}
