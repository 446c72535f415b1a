import { spawn } from "node:child_process";
import {
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import {
  endProcess,
  isAlive,
  isPostmasterIn,
  type Layout,
  readPidFile,
  shortHash,
  startedAs,
} from "./layout.ts";

/**
 * A process of its own, in its own session, between the program and its database. It holds the
 * folder's lock, keeps the database up, and stops it when its standard input closes: when the
 * program asks for it, and also when the program is killed.
 */
export type WatchOrder = { layout: Layout; postgres: string; args: string[] };

const FAST_STOP_MS = 5_000;
const IMMEDIATE_STOP_MS = 2_000;
const MAX_LOG_BYTES = 10_000_000;
/** A database that falls this often within its first seconds is not started again. */
const MAX_QUICK_FALLS = 5;
const QUICK_FALL_MS = 5_000;

let stopping = false;
let isUp = false;
/** The database's process, started here or found running. Its pid file is written a moment later. */
let postmaster = 0;

async function main(order: WatchOrder): Promise<void> {
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => {});
  // Resolves however the pipe ends.
  const parentGone = text(process.stdin).catch(() => "");
  process.stdout.on("error", () => {});
  const holder = await takeLock(order.layout.dataDir);
  if (holder !== null) return finish(`busy ${holder}`, 75);
  void parentGone.then(async () => {
    stopping = true;
    await endProcess(postmaster, () => isPostmasterIn(order.layout.clusterDir, postmaster), [
      ["SIGINT", FAST_STOP_MS],
      ["SIGQUIT", IMMEDIATE_STOP_MS],
      ["SIGKILL", 1_000],
    ]);
    process.exit(0);
  });
  for (let falls = 0; falls < MAX_QUICK_FALLS; ) {
    const started = Date.now();
    await runOnce(order);
    if (stopping) return;
    falls = Date.now() - started < QUICK_FALL_MS ? falls + 1 : 0;
  }
  const words = readFileSync(order.layout.logFile, "utf8").trim().split("\n").slice(-3);
  finish(`failed the database ended: ${words.join(" | ")}`, 1);
}

/** Starts the database, or uses one that still runs, and waits for its end. */
async function runOnce(order: WatchOrder): Promise<void> {
  const { layout } = order;
  postmaster = readPidFile(layout.clusterDir)?.pid ?? 0;
  if (!isPostmasterIn(layout.clusterDir, postmaster)) {
    await clearStalePidFile(layout, postmaster);
    if (stopping) return;
    postmaster = launch(order);
  }
  for (let isReady = false; isAlive(postmaster) && !stopping; await sleep(isReady ? 50 : 15)) {
    const found = isReady ? null : readPidFile(layout.clusterDir);
    // A database that was killed leaves its own file, which says that it is ready.
    if (found?.pid !== postmaster || found.status !== "ready") continue;
    isReady = isUp = true;
    process.stdout.write("up\n");
  }
}

/** → the number of its process */
function launch({ layout, postgres, args }: WatchOrder): number {
  const length = statSync(layout.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(layout.logFile, length > MAX_LOG_BYTES ? "w" : "a");
  const child = spawn(postgres, args, {
    ...startedAs(layout.user),
    detached: true,
    stdio: ["ignore", log, log],
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  // It counts as a fall, whose last words say why.
  child.once("error", (error) => writeSync(log, `${error.message}\n`));
  return child.pid ?? 0;
}

/**
 * The lock is an abstract socket, which the system removes when its holder ends, however it ends. →
 * the process that holds it, or null when it is ours
 */
async function takeLock(dataDir: string): Promise<string | null> {
  const name = `\0sesame-postgres-${shortHash(dataDir)}`;
  for (let tries = 0; ; tries += 1) {
    if (await listen(name)) return null;
    const holder = await text(connect(name)).catch(() => "stopping");
    // The holder may be stopping because its own parent died: then it closes soon.
    const isStopping = holder === "stopping" || holder === "";
    if (!isStopping && tries > 0) return holder;
    await sleep(isStopping ? 50 : 300);
  }
}

function listen(name: string): Promise<boolean> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    // Whoever asks too early asks again.
    socket.end(stopping || !isUp ? "stopping" : String(process.ppid));
  });
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(name, () => resolve(true));
  });
}

/**
 * A killed database leaves its pid file, and for a moment backends, beside which PostgreSQL refuses
 * to start: five refusals in a row take less time than the backends need to end. After a restart of
 * the container the recorded number may belong to another program, and PostgreSQL would refuse for
 * good. The file is removed only then, and only when no process works in the folder. Otherwise
 * PostgreSQL's own check decides, which also sees backends without a postmaster.
 */
async function clearStalePidFile({ clusterDir }: Layout, recorded: number): Promise<void> {
  if (recorded === 0) return;
  const deadline = Date.now() + 10_000;
  while (someoneWorksIn(clusterDir) && Date.now() < deadline) await sleep(50);
  if (isAlive(recorded) && !someoneWorksIn(clusterDir)) rmSync(join(clusterDir, "postmaster.pid"));
}

/** PostgreSQL's processes work inside their cluster's folder, the postmaster included. */
function someoneWorksIn(folder: string): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readlinkSync(`/proc/${name}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

function finish(word: string, code: number): void {
  process.stdout.write(`${word}\n`, () => process.exit(code));
}

await main(JSON.parse(process.argv[2] ?? "{}") as WatchOrder);
