import { sql } from "kysely";
import type { Db } from "./database.ts";

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
