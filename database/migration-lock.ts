import { setTimeout } from "node:timers/promises";
import pg from "pg";

/** A network that falls silent must not leave a start waiting for ever. */
export const CONNECTING = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/** A migration takes the time it takes, whatever the role or the database is set to. */
export const NO_LIMITS = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0";

export type MigrationLock = {
  /** Throws when the connection that holds the lock is gone: another start may be migrating. */
  requireHeld(): void;
  release(): Promise<void>;
};

export type WaitOptions = {
  readonly onWait?: (message: string) => void;
  readonly patienceMs?: number;
};

/** Any constant does, as long as every start of every version uses the same. */
const LOCK_KEY = 5_391_770_403;
const POLL_MS = 50;
const SAY_AFTER_MS = 1_000;
/** A big index may take long, and each start waits for the one before it. */
const PATIENCE_MS = 900_000;

/**
 * Lets one start migrate at a time. The lock belongs to a transaction of a connection of its own:
 * it ends with it in every case, behind a pooler too, where a lock of the session would stay on a
 * pooled connection. Between its statements that transaction holds no snapshot, so an index that is
 * built concurrently does not wait for it; nor for those who wait here, since they ask again and
 * again instead of waiting inside a statement. (A statement with
 * parameters keeps its snapshot until the next one: those here have none.)
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
  while (!(await tryLock(client))) {
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

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${LOCK_KEY}) AS taken`,
  );
  return rows[0]?.taken === true;
}

type Holder = { readonly pid: number; readonly place: string; readonly doing: string };

/** Who holds it, in words for the log; a role that may not see others' sessions sees the pid. */
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
