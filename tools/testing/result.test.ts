import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../launch/build.ts";
import { readVitest } from "./reports.ts";
import { runTool } from "./run-tool.ts";
import { countFiles, overdue, runSuite, formatResult, type Suite } from "./result.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sesame-planted-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A real run of vitest on files of this test, which have `test` and `expect` as globals. */
function plant(name: string, files: Record<string, string>): Suite & { readonly runs: string[] } {
  const root = join(folder, name);
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), code);
  }
  const runs: string[] = [];
  const run = async (file: string | null) => {
    runs.push(file ?? "all");
    const report = join(root, "report.json");
    const { ok } = await runTool(join(ROOT, "node_modules/vitest/vitest.mjs"), [
      "run",
      "--globals",
      "--maxWorkers=1",
      "--pool=threads",
      "--no-isolate",
      `--root=${root}`,
      "--reporter=json",
      `--outputFile=${report}`,
      ...(file === null ? [] : [file]),
    ]);
    return readVitest(JSON.parse(readFileSync(report, "utf8")), ok ? 0 : 1, root);
  };
  return { name, run, runs, runsAgain: true, skip: null };
}

const PASSES = 'test("passes", () => {});\n';
const FAILS = 'test("adds", () => { expect(1 + 1).toBe(3); });\n';

/** Fails when it is run for the first time, then passes. */
const unsteady = (at: string) => `
  import { existsSync, writeFileSync } from "node:fs";
  test("is late", () => {
    const isSecond = existsSync(${JSON.stringify(at)});
    writeFileSync(${JSON.stringify(at)}, "");
    expect(isSecond).toBe(true);
  });`;

/** → the lines of the result, and what was run for it */
async function resultOf(name: string, files: Record<string, string>, before = 0) {
  const suite = plant(name, files);
  const run = { seconds: 1, tree: "abc", seed: 7, loadAtStart: 0, memory: 0 };
  const said = formatResult({ outcomes: [await runSuite(suite, before)], ...run });
  return { said, runs: suite.runs };
}

describe("the result of a planted run", () => {
  test("of tests that pass is green, with the slowest and the counts", async () => {
    const { said } = await resultOf("green", { "a.test.ts": PASSES });
    expect(said.filter((line) => /^[✗~]/.test(line))).toEqual([]);
    expect(said.join("\n")).toContain("a.test.ts › passes");
    expect(said.at(-1)).toBe("1 passed, 0 failed");
  });

  test("names a failed test, its first error and the seed, after its file ran once more", async () => {
    const files = { "a.test.ts": PASSES, "b.test.ts": PASSES + FAILS };
    const { said, runs } = await resultOf("failing", files);
    expect(runs).toEqual(["all", "b.test.ts"]);
    const at = said.indexOf("✗ failed, alone too: b.test.ts › adds");
    expect(said[at + 1]).toContain("expected 2 to be 3");
    expect(said[at + 2]).toContain("seed 7");
    expect(said.at(-1)).toBe("2 passed, 1 failed");
  });

  test("reports a test that fails every other time as unsteady, and counts it", async () => {
    const late = unsteady(join(folder, "late"));
    const { said } = await resultOf("unsteady", { "a.test.ts": PASSES, "b.test.ts": late });
    expect(said).toContain("~ unsteady, passed alone: b.test.ts › is late");
    expect(said.at(-2)).toBe("1 unsteady files, 1 unsteady tests");
    expect(said.at(-1)).toBe("2 passed, 0 failed");
  });

  test("is red when a third file is unsteady", async () => {
    const late = unsteady(join(folder, "third"));
    const { said, runs } = await resultOf("third", { "b.test.ts": late }, 2);
    expect(said.at(-1)).toBe("0 passed, 1 failed");
    expect(runs).toEqual(["all"]);
  });

  test.each([
    ["a test of money", { "packages/ledger/src/a.test.ts": FAILS }],
    ["a counterexample", { "a.test.ts": FAILS.replace("adds", "says Counterexample") }],
    ["a lost payment", { "a.test.ts": FAILS.replace("adds", "has lost none") }],
    ["an answer of 500", { "a.test.ts": FAILS.replace("1 + 1", "500") }],
    ["a secret", { "a.test.ts": FAILS.replace("adds", "logs no secret") }],
  ])("never runs %s again, and reports that", async (name, files: Record<string, string>) => {
    const { said, runs } = await resultOf(name, files);
    expect(runs).toEqual(["all"]);
    expect(said.join("\n")).toContain("✗ broken, not run again: ");
    expect(said.at(-1)).toBe("0 passed, 1 failed");
  });

  test("reports a product that is too slow as too slow, and not as broken", async () => {
    const slow = 'test("starts", () => { throw new Error("too slow for a result: no start"); });\n';
    const file = "packages/ledger/src/a.test.ts";
    const { said, runs } = await resultOf("slow", { [file]: slow });
    expect(runs).toEqual(["all", file]);
    expect(said).toContain(`✗ too slow for a result, alone too: ${file} › starts`);
  });

  test("has a failure for each test whose day on the list of unsteady tests has passed", () => {
    const known = [{ test: "a.test.ts › is late", until: "2026-12-01" }];
    expect(overdue("2026-12-01", known)).toEqual([]);
    expect(overdue("2026-12-02", known)).toMatchObject([{ file: "a.test.ts", name: "is late" }]);
    expect(overdue(null, known)).toEqual([]);
    const failures = ["is late", "is lost"].map((name) => ({ file: "a.test.ts", name, error: "" }));
    expect(countFiles(failures.slice(0, 1), known)).toBe(0);
    expect(countFiles(failures, known)).toBe(1);
  });
});
