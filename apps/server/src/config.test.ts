import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readVersion } from "./version.ts";
import { readCount } from "./config.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";

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

test("the version is the package's, and an unknown commit is unknown", () => {
  expect(readVersion(root, {})).toEqual({ version: "1.2.3", commit: "unknown" });
});

/** → the commit it creates */
function commitIn(folder: string): string {
  git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", "one");
  return git(folder, "rev-parse", "HEAD");
}

const git = (folder: string, ...words: string[]): string =>
  execFileSync("git", ["-C", folder, ...words], { encoding: "utf8" }).trim();

test("the commit is the clone's: a branch in a file of its own, packed, or none", () => {
  git(root, "init");
  const first = commitIn(root);
  expect(readVersion(root, {}).commit).toBe(first);
  git(root, "pack-refs", "--all");
  expect(readVersion(root, {}).commit).toBe(first);
  git(root, "checkout", "--detach");
  const second = commitIn(root);
  expect(readVersion(root, {}).commit).toBe(second);
});

test("the commit of a second work tree is its own", () => {
  git(root, "init");
  commitIn(root);
  const second = join(root, "second");
  git(root, "worktree", "add", second);
  write("second/package.json", JSON.stringify({ version: "1.2.3" }));
  const made = commitIn(second);
  expect(readVersion(second, {}).commit).toBe(made);
});

test("a folder inside a clone is not the clone", () => {
  git(root, "init");
  commitIn(root);
  write("inside/package.json", JSON.stringify({ version: "1.2.3" }));
  expect(readVersion(join(root, "inside"), {}).commit).toBe("unknown");
});

test("a build's stamp comes before the clone, and SESAME_COMMIT before both", () => {
  git(root, "init");
  commitIn(root);
  write(".commit", `${COMMIT}\n`);
  expect(readVersion(root, {}).commit).toBe(COMMIT);
  expect(readVersion(root, { SESAME_COMMIT: "abcdef0" }).commit).toBe("abcdef0");
  expect(readVersion(root, { SESAME_COMMIT: "not a commit" }).commit).toBe(COMMIT);
});

const read = (value?: string) => readCount({ DATABASE_POOL: value }, "DATABASE_POOL", [2, 500], 16);

test("DATABASE_POOL is 16 when absent, and any whole number within its bounds", () => {
  expect([read(), read(""), read("2"), read("500")]).toEqual([16, 16, 2, 500]);
});

test.each(["1", "501", "-4", "3.5", "1e2", "many", "0x10"])(
  "DATABASE_POOL=%s is refused by name",
  (value) => expect(() => read(value)).toThrow(/^DATABASE_POOL: a whole number from 2 to 500/),
);
