import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isAlive } from "./layout.ts";
import { ownFolder, removeLeftovers } from "./leftovers.ts";

const HOST = fileURLToPath(new URL("./embedded.test-host.ts", import.meta.url));
let place: string;

beforeEach(() => {
  place = ownFolder("leftovers");
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const make = (name: string) => {
  mkdirSync(join(place, name, "postgres"), { recursive: true });
  writeFileSync(join(place, name, "postgres", "file"), "");
  return join(place, name);
};

function pidIn(file: string): number {
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  assert(pid > 1, `a process stands in ${file}`);
  return pid;
}

describe("what a killed run left behind", () => {
  test("is removed; folders of running processes and of other programs stay", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const left = make(`sesame-test-${pid}-a1B2c3`);
    const kept = [
      make(`sesame-test-${process.pid}-a1B2c3`),
      make(`sesame-test-${process.ppid}-a1B2c3`),
      make(`other-test-${pid}-a1B2c3`),
      make(`sesame-test-${pid}`),
      make("sesame-test-a1B2c3"),
      make("sesame-test-0-a1B2c3"),
    ];
    await removeLeftovers([place, join(place, "absent")]);
    expect(existsSync(left)).toBe(false);
    expect(kept.filter((folder) => !existsSync(folder))).toEqual([]);
  });

  test("is removed with the database that still runs in it", async () => {
    const run = 'exec "$0" "$1" "$2/sesame-test-$$-a1B2c3"';
    const program = spawn("/bin/sh", ["-c", run, process.execPath, HOST, place], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(program.stdout, "data");
    const folder = join(place, `sesame-test-${program.pid}-a1B2c3`);
    const postmaster = pidIn(join(folder, "postgres", "postmaster.pid"));
    await removeLeftovers([place]);
    expect([isAlive(postmaster), existsSync(folder)]).toEqual([true, true]);

    // The watcher too, or it would stop the database by itself.
    process.kill(pidIn(`/proc/${program.pid}/task/${program.pid}/children`), "SIGKILL");
    program.kill("SIGKILL");
    await once(program, "exit");
    expect(isAlive(postmaster)).toBe(true);
    await removeLeftovers([place]);
    expect([isAlive(postmaster), existsSync(folder)]).toEqual([false, false]);
  });
});
