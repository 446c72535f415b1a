import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
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
  const folders = places.flatMap((place) => namesIn(place).map((name) => join(place, name)));
  for (const folder of new Set(folders)) {
    const owner = Number(OWNED.exec(basename(folder))?.[1]);
    if (!(owner > 1) || isAlive(owner)) continue;
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
