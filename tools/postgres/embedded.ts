import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { prepareBinaries } from "./binaries.ts";
import {
  endChild,
  isAlive,
  type Layout,
  layoutOf,
  resolveDataDir,
  startedAs,
  urlOf,
} from "./layout.ts";
import type { WatchOrder } from "./watcher.ts";

export type EmbeddedPostgres = Awaited<ReturnType<typeof startEmbeddedPostgres>>;

const DATABASE = "sesame";
const SUPERUSER = "sesame";
const OWNER = "sesame_owner";
const MAX_STOP_MS = 10_000;

/**
 * Starts PostgreSQL on a folder. Creates the cluster at the first start; uses a database that still
 * runs.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  /** False for test clusters only: a crash of the machine may lose them. */
  durable?: boolean;
  /** Use the database of a program that already runs on this folder, instead of refusing. */
  share?: boolean;
}) {
  const { dataDir, movedFrom } = resolveDataDir(options.dataDir);
  const layout = layoutOf(dataDir);
  const durable = options.durable ?? true;
  const binaries = prepareBinaries(layout.user);
  if (!existsSync(layout.clusterDir)) createCluster(layout, binaries.initdb, durable);
  const args = settings(layout, durable);
  const { child, lost, owner } = await startWatcher({ layout, postgres: binaries.postgres, args });
  if (owner !== null && options.share !== true) {
    throw new Error(
      `Another program (process ${owner}) already runs on ${dataDir}. ` +
        "Stop it first, or set another DATA_DIR.",
    );
  }
  await ensureDatabase(urlOf(layout, SUPERUSER, "postgres"));
  return {
    /** Connection string of the application's database, as its owner, through the private socket. */
    url: urlOf(layout, OWNER, DATABASE),
    /** The same as the cluster's superuser: for tests and benches, never for the application. */
    adminUrl: urlOf(layout, SUPERUSER, DATABASE),
    /** The folder in use: another than the requested one where the database cannot reach that. */
    dataDir,
    movedFrom,
    /** Stops the database and waits for it: at most 10 s. */
    async stop() {
      if (owner !== null) return;
      child.stdin.end();
      await endChild(child, [0, MAX_STOP_MS]);
    },
    /**
     * Resolves with the reason when the database has fallen too often. A shared one is watched by the
     * program that runs it: here this resolves at once, and says nothing about the database.
     */
    lost,
  };
}

function settings({ clusterDir, socketDir }: Layout, durable: boolean): string[] {
  const chosen: Record<string, string> = {
    listen_addresses: "",
    unix_socket_permissions: "0700",
    unix_socket_directories: socketDir,
    shared_buffers: "128MB",
    // Several test files run at once, each with applications and pools of its own.
    max_connections: durable ? "100" : "300",
    max_wal_size: durable ? "1GB" : "256MB",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_checkpoints: "off",
    // The ledger promises durable commits: only test clusters do without.
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const given = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["-D", clusterDir, ...given];
}

/**
 * Created beside its final place and renamed: an interrupted creation starts over. In a container
 * the next start often has the process id of the interrupted one.
 */
function createCluster(layout: Layout, initdb: string, durable: boolean): void {
  for (const name of readdirSync(layout.dataDir)) {
    const maker = Number(/^postgres\.draft-(\d+)$/.exec(name)?.[1]);
    const isLeft = maker === process.pid || (maker > 0 && !isAlive(maker));
    // A maker that was killed leaves initdb, which may write for a moment.
    if (isLeft) rmSync(join(layout.dataDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  const draft = join(layout.dataDir, `postgres.draft-${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  if (layout.user !== null) chownSync(draft, layout.user.uid, layout.user.gid);
  const args = [
    ["-D", draft, "-U", SUPERUSER, "--encoding=UTF8", "--data-checksums"],
    ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
    // There is no port, and only the owner may enter the socket's folder: this is the protection.
    ["--auth-local=trust", "--auth-host=reject"],
    durable ? [] : ["--no-sync"],
  ].flat();
  try {
    const made = spawnSync(initdb, args, {
      ...startedAs(layout.user),
      encoding: "utf8",
      env: { PATH: process.env.PATH, LC_ALL: "C" },
    });
    if (made.status !== 0) {
      throw new Error(`The database could not be created: ${made.stderr || made.error?.message}`);
    }
    renameSync(draft, layout.clusterDir);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start was first: its cluster is as good.
    if (!existsSync(layout.clusterDir)) throw error;
  }
}

/**
 * The watcher lives in its own session, so Ctrl-C here does not reach the database first. `owner`:
 * the process that already runs on the folder, if any
 */
async function startWatcher(order: WatchOrder) {
  const script = fileURLToPath(new URL("./watcher.ts", import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(order)], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  let reason = "its watcher was killed";
  const lost = once(child, "exit").then(
    () => reason,
    (error: Error) => error.message,
  );
  const owner = await new Promise<string | null>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, word, said = ""] = /^(\w+) ?(.*)$/.exec(line) ?? [];
      if (word === "failed") reason = said;
      else resolve(word === "busy" ? said : null);
    });
    void lost.then((why) => reject(new Error(`The embedded database did not start: ${why}`)));
  });
  // The watcher must not keep this program alive: the program's end is its signal to stop the
  // database.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as { unref?(): void }).unref?.();
  return { child, lost, owner };
}

/** One start at a time. */
const ensureDatabase = (url: string) =>
  withClient(url, async (client) => {
    await client.query("SELECT pg_advisory_lock(hashtext('sesame'))");
    const role = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [OWNER]);
    if (role.rowCount === 0) await client.query(`CREATE ROLE ${OWNER} LOGIN`);
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`);
  });

/** Works on a connection of its own. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
