import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, isPostmasterIn } from "./layout.ts";

/** In memory: what is forgotten there is never given back by itself. */
export const MEMORY = "/dev/shm";
const OWNED = /^sesame-[a-z-]+-(\d+)-\w{6}$/;
const STOP_MS = 10_000;

/** A folder that any account may enter, named after this process: a later run removes it if we cannot. */
export function ownFolder(what: string, place = tmpdir()): string {
  const folder = mkdtempSync(join(place, `sesame-${what}-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes what killed runs left: folders of ours whose process is dead, with the databases in them. */
export async function removeLeftovers(places: readonly string[] = [MEMORY, tmpdir()]) {
  for (const folder of new Set(places.flatMap(abandoned))) {
    for (const pid of postmastersIn(folder)) await stopPostmaster(pid, folder);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another account's, or a volume is mounted there: it stays.
    }
  }
}

function abandoned(place: string): string[] {
  return namesIn(place)
    .filter((name) => {
      const pid = Number(OWNED.exec(name)?.[1]);
      return pid > 1 && !isAlive(pid);
    })
    .map((name) => join(place, name));
}

/** The database may lie in a folder of any name there. */
function postmastersIn(folder: string): number[] {
  return namesIn(folder).flatMap((name) => {
    try {
      const file = readFileSync(join(folder, name, "postmaster.pid"), "utf8");
      return [Number(file.split("\n")[0])];
    } catch {
      return [];
    }
  });
}

async function stopPostmaster(pid: number, folder: string): Promise<void> {
  for (const signal of ["SIGQUIT", "SIGKILL"] as const) {
    const endsAt = performance.now() + STOP_MS;
    // Its number may belong to another program by now.
    if (!isPostmasterIn(folder, pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      // It ended by itself meanwhile, or is another account's.
    }
    while (isPostmasterIn(folder, pid) && performance.now() < endsAt) await sleep(20);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
