import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const UNKNOWN = "unknown";

/** The version of the root's package.json, its only source, and the commit of the code. */
export const VERSION = readVersion(ROOT, process.env);

/** The commit: `SESAME_COMMIT`, else the file `.commit` of a build, else the clone's own. */
export function readVersion(root: string, env: Readonly<Record<string, string | undefined>>) {
  const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as {
    version?: string;
  };
  // Of this folder only: not of a clone that contains the folder.
  const asked = [`--git-dir=${resolve(root, ".git")}`, "rev-parse", "HEAD"];
  const commit =
    asCommit(env["SESAME_COMMIT"]) ??
    asCommit(readText(resolve(root, ".commit"))) ??
    asCommit(spawnSync("git", asked, { encoding: "utf8", timeout: 2_000 }).stdout?.trim()) ??
    UNKNOWN;
  return { version: version ?? UNKNOWN, commit };
}

function asCommit(text: string | null | undefined): string | null {
  return text && /^[0-9a-f]{7,64}$/.test(text) ? text : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
