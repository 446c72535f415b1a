import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess, isAlive, isPostmasterIn, readPidFile } from "./layout.ts";

/** A folder in memory: what is left there is never freed by itself. */
export const MEMORY = "/dev/shm";
const OWNED = /^sesame-[a-z-]+-(\d+)-\w{6}$/;
const SIGNALS = [
  ["SIGQUIT", 10_000],
  ["SIGKILL", 10_000],
] as const;

/**
 * Makes a folder that any account may enter, named after this process: a later run removes it when
 * this one cannot.
 */
export function ownFolder(what: string, place = tmpdir()): string {
  const folder = mkdtempSync(join(place, `sesame-${what}-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/**
 * Removes what killed runs left: our folders whose process is dead, and the databases that still
 * run in them.
 */
export async function removeLeftovers(places: readonly string[] = [MEMORY, tmpdir()]) {
  for (const folder of new Set(places.flatMap(abandoned))) {
    // The database may be in a folder of any name there.
    for (const name of namesIn(folder)) {
      const pid = readPidFile(join(folder, name))?.pid;
      // Its number may by now belong to another program.
      if (pid) await endProcess(pid, () => isPostmasterIn(folder, pid), SIGNALS);
    }
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // It belongs to another account, or a volume is mounted there: it stays.
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
