import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { assert } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { migrate } from "../../database/migrate.ts";
import { askRows as ask } from "../testing/ask-rows.ts";
import { eventually } from "../testing/eventually.ts";
import { startEmbeddedPostgres } from "./embedded.ts";
import { isAlive, resolveDataDir, shortHash } from "./layout.ts";
import { ownFolder } from "./leftovers.ts";

const folders: string[] = [];
const programs: ChildProcess[] = [];
const HOST = fileURLToPath(new URL("./embedded.test-host.ts", import.meta.url));

afterEach(() => {
  for (const program of programs.splice(0)) program.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = ownFolder("supervisor");
  folders.push(folder);
  return folder;
}

/** A program of its own that starts the database and waits to be killed. */
async function hostProgram(dataDir: string, ...how: "share"[]) {
  const program = spawn(process.execPath, [HOST, dataDir, ...how], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  programs.push(program);
  const [chunk] = await Promise.race([once(program.stdout, "data"), once(program, "exit")]);
  return { program, url: String(chunk).trim() };
}

function postmasterOf(dataDir: string): number {
  const file = readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8");
  const pid = Number(file.split("\n")[0]);
  assert(pid > 1, `a process: "${file}"`);
  return pid;
}

/** The one process the program started itself: its database's watcher. */
function watcherOf({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  assert(/^\d+$/.test(children), `one watcher: "${children}"`);
  return Number(children);
}

/** That it answers, before it is stopped. */
async function stopSound(database: Awaited<ReturnType<typeof startEmbeddedPostgres>>) {
  expect(await ask(database.url, "SELECT 1")).toEqual([[1]]);
  await database.stop();
}

describe("the embedded database", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = newFolder();
  });

  test("keeps its data from one start to the next, and leaves nothing running", async () => {
    // Of a process of the same id, as in a container that was killed and started again.
    mkdirSync(join(dataDir, `postgres.draft-${process.pid}`));
    const first = await startEmbeddedPostgres({ dataDir });
    await ask(first.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    const checks = "SELECT current_setting('data_checksums'), current_setting('fsync')";
    expect(await ask(first.url, checks)).toEqual([["on", "on"]]);
    const pid = postmasterOf(dataDir);
    await first.stop();
    expect(isAlive(pid)).toBe(false);

    const second = await startEmbeddedPostgres({ dataDir });
    expect(await ask(second.url, "SELECT answer FROM kept")).toEqual([[42]]);
    await second.stop();
  });

  test("comes up for two first starts at once, over what an interrupted one left", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    mkdirSync(join(dataDir, `postgres.draft-${pid}`));
    const hosts = await Promise.all([hostProgram(dataDir, "share"), hostProgram(dataDir, "share")]);
    for (const { url } of hosts) expect(await ask(url, "SELECT 1")).toEqual([[1]]);
    const postmaster = postmasterOf(dataDir);
    expect(readdirSync(dataDir).filter((name) => name.includes("draft"))).toEqual([]);
    for (const { program } of hosts) program.kill("SIGKILL");
    await eventually(() => !isAlive(postmaster));
  });

  test("gives the application a role that owns its database and is no superuser", async () => {
    const first = await startEmbeddedPostgres({ dataDir });
    await migrate(first.url);
    const cannot = "SELECT pg_read_file('postmaster.pid')";
    await expect(ask(first.url, cannot)).rejects.toThrow("permission denied");
    await first.stop();
  });

  test("stops by itself when its program dies by kill -9", async () => {
    const { program } = await hostProgram(dataDir);
    const pid = postmasterOf(dataDir);
    program.kill("SIGKILL");
    await eventually(() => !isAlive(pid));
  });

  test("is used by the next start when program and watcher both died by kill -9", async () => {
    const { program } = await hostProgram(dataDir);
    const pid = postmasterOf(dataDir);
    process.kill(watcherOf(program), "SIGKILL");
    program.kill("SIGKILL");
    await once(program, "exit");

    const next = await startEmbeddedPostgres({ dataDir });
    expect(postmasterOf(dataDir)).toBe(pid);
    await stopSound(next);
    expect(isAlive(pid)).toBe(false);
  });

  test("comes back by itself when PostgreSQL is killed", async () => {
    const database = await startEmbeddedPostgres({ dataDir });
    const pid = postmasterOf(dataDir);
    process.kill(pid, "SIGKILL");
    await eventually(async () => expect(await ask(database.url, "SELECT 1")).toEqual([[1]]));
    expect(postmasterOf(dataDir)).not.toBe(pid);
    await database.stop();
  });

  test("starts over a pid file whose number now belongs to another program", async () => {
    await (await startEmbeddedPostgres({ dataDir })).stop();
    const cluster = join(dataDir, "postgres");
    const lines = [process.pid, cluster, 1, 5432, "/tmp", "", "1 1", "ready"];
    writeFileSync(join(cluster, "postmaster.pid"), `${lines.join("\n")}\n`);
    await stopSound(await startEmbeddedPostgres({ dataDir }));
  });

  test("lets nobody share it, nor refuses anybody, before it is up", async () => {
    const dataDir = newFolder();
    await (await startEmbeddedPostgres({ dataDir })).stop();
    const cluster = join(dataDir, "postgres");
    // With a pid file there, a start waits for whoever works in the folder.
    writeFileSync(join(cluster, "postmaster.pid"), `${process.pid}\n${cluster}\n`);
    const worker = spawn("sleep", ["600"], { cwd: cluster });
    programs.push(worker);
    const start = startEmbeddedPostgres({ dataDir });
    /** What a second start is answered. */
    const answer = () =>
      text(connect(`\0sesame-postgres-${shortHash(dataDir)}`)).catch(() => "nobody answers");
    await eventually(async () => expect(await answer()).not.toBe("nobody answers"));
    expect(await answer()).toBe("stopping");
    worker.kill("SIGKILL");
    const database = await start;
    expect(await answer()).toBe(String(process.pid));
    await database.stop();
  });

  test("refuses a second program on the same folder, unless it asks to share", async () => {
    const database = await startEmbeddedPostgres({ dataDir });
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow("already runs on");
    await (await startEmbeddedPostgres({ dataDir, share: true })).stop();
    await stopSound(database);
  });

  test("finds a socket folder when its own path is too long for one", async () => {
    dataDir = join(dataDir, "x".repeat(90));
    mkdirSync(dataDir);
    await stopSound(await startEmbeddedPostgres({ dataDir }));
    folders.push(`/tmp/sesame-${shortHash(dataDir)}`);
  });
});

describe.runIf(process.getuid?.() === 0)("the data folder, as root", () => {
  test("moves under /var/lib/sesame when the database's account cannot reach it", () => {
    const closed = newFolder();
    chmodSync(closed, 0o700);
    const { dataDir, movedFrom } = resolveDataDir(join(closed, "data"));
    folders.push(dataDir);
    expect(movedFrom).toBe(join(closed, "data"));
    expect(dataDir).toBe(`/var/lib/sesame/${shortHash(join(closed, "data"))}`);
    expect(existsSync(dataDir)).toBe(true);
  });

  test("stays where it is when it can be reached", () => {
    const open = newFolder();
    expect(resolveDataDir(open)).toEqual({ dataDir: open, movedFrom: null });
  });
});
