import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readVersion } from "./version.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const OTHER = "fedcba9876543210fedcba9876543210fedcba98";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "sesame-version-"));
  write("package.json", JSON.stringify({ version: "1.2.3" }));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
}

test("the version is the package's, and a commit that nobody knows is unknown", () => {
  expect(readVersion(root, {})).toEqual({ version: "1.2.3", commit: "unknown" });
});

test("the commit is the clone's: a branch in a file of its own, packed, or none", () => {
  write(".git/HEAD", "ref: refs/heads/main\n");
  write(".git/packed-refs", `# pack-refs\n${OTHER} refs/heads/main\n`);
  expect(readVersion(root, {}).commit).toBe(OTHER);
  write(".git/refs/heads/main", `${COMMIT}\n`);
  expect(readVersion(root, {}).commit).toBe(COMMIT);
  write(".git/HEAD", `${OTHER}\n`);
  expect(readVersion(root, {}).commit).toBe(OTHER);
});

test("the commit of a second work tree is found in the first one's folder", () => {
  write("first/refs/heads/other", COMMIT);
  write("first/worktrees/second/HEAD", "ref: refs/heads/other");
  write("first/worktrees/second/commondir", "../..");
  write(".git", `gitdir: ${join(root, "first/worktrees/second")}\n`);
  expect(readVersion(root, {}).commit).toBe(COMMIT);
});

test("a build's stamp comes before the clone, and SESAME_COMMIT before both", () => {
  write(".git/HEAD", OTHER);
  write(".commit", `${COMMIT}\n`);
  expect(readVersion(root, {}).commit).toBe(COMMIT);
  expect(readVersion(root, { SESAME_COMMIT: "abcdef0" }).commit).toBe("abcdef0");
  expect(readVersion(root, { SESAME_COMMIT: "not a commit" }).commit).toBe(COMMIT);
});
