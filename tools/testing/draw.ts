import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";

/**
 * HEAD's tree. A run draws from it which tests run where, and its seed, so that a rehearsal and the
 * gate draw the same, and nobody gets an easier draw by another commit message. `none` without git.
 */
export const treeOf = (folder: string): string => git(folder, "rev-parse", "HEAD^{tree}") ?? "none";

/** Files of the repository, tracked or not, that differ from `commit` and still exist. */
export function changedSince(folder: string, commit: string): string[] {
  const asked = [
    ["diff", "--name-only", "--diff-filter=d", commit],
    ["ls-files", "--others", "--exclude-standard"],
  ];
  return asked.flatMap((args) => {
    const ran = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
    if (ran.status !== 0) throw new Error(`git ${args.join(" ")}: ${ran.stderr.trim()}`);
    return ran.stdout.split("\n").filter(Boolean);
  });
}

/** → a number from 0 to `choices` - 1, always the same for one tree and subject. */
export function draw(tree: string, subject: string, choices: number): number {
  return createHash("sha256").update(`${tree} ${subject}`).digest().readUInt32BE() % choices;
}

/** The seed of every random input of a run, from 0 to 2^31 - 1. */
export const seedOf = (tree: string): number => draw(tree, "seed", 2 ** 31);

/** The day HEAD was committed, as 2026-11-24; `null` without git. */
export const dayOf = (folder: string): string | null =>
  git(folder, "show", "--no-patch", "--format=%cd", "--date=format:%Y-%m-%d", "HEAD");

/** What git prints; `null` where it fails. */
function git(folder: string, ...args: string[]): string | null {
  const ran = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  return ran.status === 0 ? ran.stdout.trim() : null;
}
