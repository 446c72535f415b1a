import { type ChildProcess, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The account the database runs under. PostgreSQL refuses to run as root. */
export type DatabaseUser = { uid: number; gid: number; name: string };

export type Layout = ReturnType<typeof layoutOf>;

const CLUSTER_FOLDER = "postgres";

/** A socket's full name has at most 107 bytes, of which PostgreSQL adds 14 to the folder. */
const MAX_SOCKET_DIR_BYTES = 90;

/**
 * The folder that holds the data. As root, a folder that the database's account cannot reach (a
 * clone under /root) is replaced by one under /var/lib/sesame, named after it.
 */
export function resolveDataDir(wanted: string): { dataDir: string; movedFrom: string | null } {
  const asked = resolve(wanted);
  const user = databaseUser(asked);
  if (user === null) return { dataDir: asked, movedFrom: null };
  const moved = `/var/lib/sesame/${shortHash(asked)}`;
  for (const dataDir of [asked, moved]) {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    const movedFrom = dataDir === asked ? null : asked;
    if (canRun("/bin/sh", ["-c", 'cd "$1"', "sh", dataDir], user)) return { dataDir, movedFrom };
  }
  throw new Error(
    `The database's account "${user.name}" can reach neither ${asked} nor ${moved}. ` +
      "Set DATA_DIR to a folder that every account may enter, or give DATABASE_URL.",
  );
}

/** Where the parts of one embedded cluster live. `dataDir`: absolute and reachable */
export function layoutOf(dataDir: string) {
  const user = databaseUser(dataDir);
  mkdirSync(dataDir, { recursive: true });
  return {
    dataDir,
    clusterDir: join(dataDir, CLUSTER_FOLDER),
    socketDir: socketDirOf(dataDir, user),
    logFile: join(dataDir, "postgres.log"),
    /** Null for an ordinary user: the database then runs under the same account. */
    user,
  };
}

export function urlOf({ socketDir }: Layout, role: string, database: string): string {
  return `postgresql://${role}@localhost/${database}?host=${encodeURIComponent(socketDir)}`;
}

/** How a program is started as that account. */
export const startedAs = (user: DatabaseUser | null) => ({
  cwd: "/",
  ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
});

/** Runs a command as that account: permission bits alone do not show ACLs and mount options. */
export function canRun(command: string, args: string[], user: DatabaseUser | null): boolean {
  return spawnSync(command, args, { stdio: "ignore", ...startedAs(user) }).status === 0;
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}

/** The command line of a process; empty where it is dead, a zombie, or not readable. */
export const commandOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [""];
  }
};

export const isAlive = (pid: number): boolean => commandOf(pid)[0] !== "";

/**
 * Whether this process is a PostgreSQL of this folder or of a folder in it: numbers of processes
 * are used again by other programs.
 */
export function isPostmasterIn(folder: string, pid: number): boolean {
  const [program = "", ...args] = commandOf(pid);
  const isInside = (path: string) => path === folder || path.startsWith(`${folder}/`);
  return program.endsWith("postgres") && args.some(isInside);
}

/** The pid file that PostgreSQL keeps in its cluster's folder; null without one. */
export function readPidFile(clusterDir: string): { pid: number; status: string } | null {
  try {
    const lines = readFileSync(join(clusterDir, "postmaster.pid"), "utf8").split("\n");
    return { pid: Math.abs(Number(lines[0])), status: (lines[7] ?? "").trim() };
  } catch {
    return null;
  }
}

/** A signal, or 0 for none, and the milliseconds that it is given. */
type Signal = readonly [NodeJS.Signals | 0, number];

/** Sends a child the signal, and after its milliseconds SIGKILL. */
export const endChild = (child: ChildProcess, signal: Signal): Promise<void> => {
  const { pid = 0 } = child;
  const isRunning = () => pid > 0 && child.exitCode === null && child.signalCode === null;
  return endProcess(pid, isRunning, [signal, ["SIGKILL", 1_000]]);
};

/**
 * Sends the signals in order, waiting after each for its milliseconds, until the process has ended.
 */
export async function endProcess(
  pid: number,
  isRunning: () => boolean,
  signals: readonly Signal[],
): Promise<void> {
  for (const [signal, patienceMs] of signals) {
    if (!isRunning()) return;
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile, or belongs to another account.
    }
    const endsAt = performance.now() + patienceMs;
    while (isRunning() && performance.now() < endsAt) await sleep(10);
  }
}

function databaseUser(dataDir: string): DatabaseUser | null {
  if (process.getuid?.() !== 0) return null;
  const cluster = statSync(join(dataDir, CLUSTER_FOLDER), { throwIfNoEntry: false });
  if (cluster && cluster.uid !== 0)
    return { uid: cluster.uid, gid: cluster.gid, name: `uid ${cluster.uid}` };
  const accounts = readFileSync("/etc/passwd", "utf8");
  for (const name of ["postgres", "nobody"]) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "m").exec(accounts) ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid), name };
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and this machine has neither a postgres nor a nobody " +
      "account. Start as an ordinary user, or give DATABASE_URL.",
  );
}

function socketDirOf(dataDir: string, user: DatabaseUser | null): string {
  const near = join(dataDir, "postgres-socket");
  const folder =
    Buffer.byteLength(near) <= MAX_SOCKET_DIR_BYTES ? near : `/tmp/sesame-${shortHash(dataDir)}`;
  const owner = user?.uid ?? process.getuid?.();
  // In /tmp anybody may have made that name first: a link or a folder of another owner is refused.
  if (!lstatSync(folder, { throwIfNoEntry: false }))
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const ours = found.isDirectory() && (found.uid === owner || found.uid === process.getuid?.());
  if (!ours) throw new Error(`${folder} belongs to someone else: remove it, or set DATA_DIR.`);
  if (user !== null) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  return folder;
}
