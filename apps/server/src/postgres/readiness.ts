import type pg from "pg";
import { sql } from "kysely";
import { type Database, hasSqlState, maybe } from "./database.ts";

/** Why a process should be sent no requests now. */
export type NotReady =
  | "starting"
  | "draining"
  /** Nothing answered in time. */
  | "database-silent"
  | "database-down"
  | "database-read-only"
  | "database-full"
  /** The database is older than this code; a newer one is welcome. */
  | "schema-outdated";

export type Readiness = {
  /** Null when ready. Always resolves, within a second. */
  whyNot(): Promise<NotReady | null>;
  /** From now on it is not ready: the process is about to close. */
  drain(): void;
};

export type ReadinessOptions = {
  readonly database: Pick<Database, "db" | "connections" | "pool">;
  /** Of the schema that the code was written for. */
  schemaVersion(): Promise<number>;
  /** How long an answer may take; for tests. */
  readonly answerMs?: number;
  /** For tests: the process's own stopwatch when absent. */
  readonly stopwatch?: () => number;
};

/** Leaves a tenth of the second promised to the answer itself. */
const ANSWER_MS = 900;
/** A database that was well so shortly ago, and answers others, is only busy. */
const FRESH_MS = 10_000;
const BUSY_SILENCE_MS = 1_000;
/** A disk fills slowly compared with this. */
const WRITE_EVERY_MS = 5_000;

/** Asks the database at most once at a time, however many ask us, and never waits long for it. */
export function createReadiness(options: ReadinessOptions): Readiness {
  const { database, answerMs = ANSWER_MS, stopwatch = () => performance.now() } = options;
  let draining = false;
  let underWay: Promise<NotReady | null> | null = null;
  let lastReadyAt = Number.NEGATIVE_INFINITY;
  let lastWriteAt = Number.NEGATIVE_INFINITY;

  const look = async (): Promise<NotReady | null> => {
    try {
      const missing = await readShortcoming(database, await options.schemaVersion(), answerMs);
      if (missing) return missing;
      if (stopwatch() - lastWriteAt > WRITE_EVERY_MS) {
        await writeToDisk(database.pool, answerMs);
        lastWriteAt = stopwatch();
      }
      lastReadyAt = stopwatch();
      return null;
    } catch (error) {
      if (hasSqlState(error, DISK_FULL)) return "database-full";
      if (hasSqlState(error, READ_ONLY)) return "database-read-only";
      return "database-down";
    }
  };
  const isOnlyBusy = () =>
    stopwatch() - lastReadyAt < FRESH_MS && database.connections.silentMs() < BUSY_SILENCE_MS;

  return {
    drain() {
      draining = true;
    },
    async whyNot() {
      if (draining) return "draining";
      underWay ??= look().finally(() => {
        underWay = null;
      });
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<NotReady | null>((resolve) => {
        timer = setTimeout(() => resolve(isOnlyBusy() ? null : "database-silent"), answerMs);
      });
      const why = await Promise.race([underWay, late]);
      clearTimeout(timer);
      return draining ? "draining" : why;
    },
  };
}

const DISK_FULL = "53100";
const READ_ONLY = "25006";

async function readShortcoming(
  { db }: Pick<Database, "db">,
  version: number,
  limitMs: number,
): Promise<NotReady | null> {
  const seen = await maybe<{ read_only: boolean; outdated: boolean }>(db)`
    ${sql.raw(`/* limit ${limitMs} ms */`)}
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only,
      NOT EXISTS (SELECT FROM schema_version WHERE version >= ${version}) AS outdated
  `;
  if (!seen || seen.read_only) return "database-read-only";
  return seen.outdated ? "schema-outdated" : null;
}

/**
 * Half a megabyte that the server puts into a temporary file and forgets: nothing is written to a
 * table or to the log, and a disk without room says so (53100).
 */
const SPILL = `BEGIN; SET LOCAL work_mem = '64kB';
  SELECT count(*) FROM generate_series(1, 20000); COMMIT`;

async function writeToDisk(pool: pg.Pool, limitMs: number): Promise<void> {
  const client = await pool.connect();
  let failed = true;
  try {
    const statement = { text: SPILL, query_timeout: limitMs };
    await client.query(statement);
    failed = false;
  } finally {
    client.release(failed);
  }
}
