import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export type Version = { readonly version: string; readonly commit: string };

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const UNKNOWN = "unknown";

/** What runs: the version of the root's package.json, its only home, and the commit it was made of. */
export const VERSION: Version = readVersion(ROOT, process.env);

/** The commit: `SESAME_COMMIT`, else the file `.commit` that a build left, else the clone's own. */
export function readVersion(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Version {
  const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as {
    version?: string;
  };
  const commit =
    asCommit(env["SESAME_COMMIT"]) ??
    asCommit(readText(resolve(root, ".commit"))) ??
    commitOfClone(root) ??
    UNKNOWN;
  return { version: version ?? UNKNOWN, commit };
}

function commitOfClone(root: string): string | null {
  const git = gitFolder(root);
  const head = readText(resolve(git, "HEAD"));
  const ref = /^ref: (\S+)$/.exec(head ?? "")?.[1];
  if (ref === undefined) return asCommit(head);
  // A second work tree keeps its branches in the first one's folder.
  const common = resolve(git, readText(resolve(git, "commondir")) ?? ".");
  const packed = readText(resolve(common, "packed-refs"))?.split("\n") ?? [];
  return (
    asCommit(readText(resolve(common, ref))) ??
    asCommit(packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0])
  );
}

function gitFolder(root: string): string {
  const place = resolve(root, ".git");
  const elsewhere = /^gitdir: (.+)$/.exec(readText(place) ?? "")?.[1];
  return elsewhere === undefined ? place : resolve(dirname(place), elsewhere);
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
