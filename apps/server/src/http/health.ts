import { z } from "zod";
import { VERSION } from "../version.ts";
import { answerCommon } from "./answers.ts";
import type { HttpServer } from "./server.ts";
import type pg from "pg";
import { sql } from "kysely";
import { type Database, hasSqlState, maybe } from "../postgres/database.ts";

const health = z.object({ status: z.string(), version: z.string(), commit: z.string() });
const readiness = z.object({ status: z.string(), reason: z.string().optional() });

/** How long the database may answer nobody of this process before /health fails. */
export const STUCK_MS = 30_000;

type HealthOptions = {
  readonly readiness: Pick<Readiness, "whyNot">;
  /** How long the database has answered nobody of this process; 0 when it answered last. */
  silentMs(): number;
};

/**
 * /health: the process works; when it does not, a restart helps. /ready: it can be sent requests;
 * when it cannot, another process may.
 */
export function registerHealth(http: HttpServer, options: HealthOptions): void {
  http.get(
    "/health",
    {
      summary: "Le processus vit",
      config: { access: "public" },
      schema: { response: { 200: health, 503: health } },
    },
    async (_request, reply) => {
      if (options.silentMs() < STUCK_MS) return { status: "ok", ...VERSION };
      return reply.code(503).send({ status: "stuck", ...VERSION });
    },
  );
  http.get(
    "/ready",
    {
      summary: "La base répond et elle est à jour",
      config: { access: "public" },
      schema: { response: { 200: readiness, 503: readiness } },
    },
    async (_request, reply) => {
      const reason = await options.readiness.whyNot();
      if (reason === null) return { status: "ready" };
      return reply.code(503).send({ status: "not ready", reason });
    },
  );
}

/** Addresses of a process that serves nobody: its health, readiness and metrics. */
const ASIDE = new Set(["/health", "/ready", "/metrics"]);

/** A process without the role `http` has only these addresses. */
export function closeToPeople(http: HttpServer): void {
  http.addHook("onRequest", async (request, reply) => {
    if (ASIDE.has(request.routeOptions.url ?? "")) return undefined;
    return answerCommon(reply, { kind: "request.not-found" });
  });
}

/** Why a process should get no requests now. */
export type NotReady =
  | "starting"
  | "draining"
  /** No answer in time. */
  | "database-silent"
  | "database-down"
  | "database-read-only"
  | "database-full"
  /** The database is older than this code; a newer one is accepted. */
  | "schema-outdated";

export type Readiness = ReturnType<typeof createReadiness>;

export type ReadinessOptions = {
  readonly database: Pick<Database, "db" | "connections" | "pool">;
  /** The schema version for which the code was written. */
  schemaVersion(): Promise<number>;
  /** How long an answer may take; for tests. */
  readonly answerMs?: number;
  /** For tests; default: the process's own monotonic clock. */
  readonly stopwatch?: () => number;
};

/** Leaves a tenth of the promised second to the answer itself. */
const ANSWER_MS = 900;
/** A database that was ready this recently, and answers others, is only busy. */
const FRESH_MS = 10_000;
const BUSY_SILENCE_MS = 1_000;
/** A disk fills slowly compared with this. */
const WRITE_EVERY_MS = 5_000;

/** Asks the database at most once at a time, for all callers, and never waits long for it. */
export function createReadiness(options: ReadinessOptions) {
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
    /** From now on it is not ready: the process is about to close. */
    drain() {
      draining = true;
    },
    /** Null when ready. Always resolves, within a second. */
    async whyNot(): Promise<NotReady | null> {
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

async function readShortcoming({ db }: Pick<Database, "db">, version: number, limitMs: number) {
  const seen = await maybe<{ read_only: boolean; outdated: boolean }>(db)`
    ${sql.raw(`/* limit ${limitMs} ms */`)}
    SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only,
      NOT EXISTS (SELECT FROM schema_version WHERE version >= ${version}) AS outdated
  `;
  if (!seen || seen.read_only) return "database-read-only";
  return seen.outdated ? "schema-outdated" : null;
}

/**
 * Half a megabyte that the server writes to a temporary file and drops: no table and no log is
 * written, and a full disk reports an error (53100).
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
