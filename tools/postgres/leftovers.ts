import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endProcess, isAlive, isPostmasterIn, readPidFile } from "./layout.ts";

/** In memory: what is forgotten there is never given back by itself. */
export const MEMORY = "/dev/shm";
const OWNED = /^sesame-[a-z-]+-(\d+)-\w{6}$/;
const SIGNALS = [
  ["SIGQUIT", 10_000],
  ["SIGKILL", 10_000],
] as const;

/** A folder that any account may enter, named after this process: a later run removes it if we cannot. */
export function ownFolder(what: string, place = tmpdir()): string {
  const folder = mkdtempSync(join(place, `sesame-${what}-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes what killed runs left: folders of ours whose process is dead, with the databases in them. */
export async function removeLeftovers(places: readonly string[] = [MEMORY, tmpdir()]) {
  for (const folder of new Set(places.flatMap(abandoned))) {
    // The database may lie in a folder of any name there.
    for (const name of namesIn(folder)) {
      const pid = readPidFile(join(folder, name))?.pid;
      // Its number may belong to another program by now.
      if (pid) await endProcess(pid, () => isPostmasterIn(folder, pid), SIGNALS);
    }
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
