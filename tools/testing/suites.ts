import { describeError } from "@sesame/kernel";
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { freemem, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildPages, ROOT } from "../launch/build.ts";
import { runChecks } from "./checks.ts";
import { changedSince, dayOf, seedOf, treeOf } from "./draw.ts";
import { ELSEWHERE, environmentOfSuites, forgetTheMachine } from "./environment.ts";
import { failedAsAWhole, NOTHING, readPlaywright, readVitest, type Result } from "./reports.ts";
import { runVisibly } from "./run-tool.ts";
import { drawTestFiles } from "./test-files.ts";
import { countFiles, type Outcome, overdue, runSuite, formatResult, type Suite } from "./result.ts";

/** Reports of all suites, traces of journeys. */
const RESULTS = join(ROOT, "test-results");

/**
 * Runs everything, suite by suite. The last line is `N passed, N failed`. `--external URL` (or
 * DATABASE_URL) is the PostgreSQL of the second half of the server's tests, otherwise an embedded
 * one; `--only NAME` runs the suites whose names contain it; `--seed N` sets the seed. `--related`
 * checks what changed since a commit (HEAD) and runs the tests that import it, without journeys.
 */
export async function runSuites(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const loadAtStart = loadavg()[0] ?? 0;
  const memory = watchMemory();
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      external: { type: "string" },
      only: { type: "string", default: "" },
      seed: { type: "string" },
      related: { type: "boolean" },
    },
  });
  const external = values.external ?? env.DATABASE_URL_EXTERNAL ?? env.DATABASE_URL;
  const tree = treeOf(ROOT);
  const seed = Number(values.seed ?? seedOf(tree));
  const changed = values.related ? changedSince(ROOT, positionals[0] ?? "HEAD") : null;
  const clean = environmentOfSuites(env);
  forgetTheMachine(clean);
  emptyResults();
  console.log(`tree ${tree}, seed ${seed}`);
  const drawn = { ...clean, SESAME_TREE: tree, SESAME_SEED: String(seed) };
  const outcomes: Outcome[] = [];
  const suites = changed
    ? suitesOfChange(drawn, changed)
    : suitesOf(drawn, { tree, external: external || null });
  for (const suite of suites) {
    if (suite.name.includes(values.only)) {
      outcomes.push(
        await runAndPrint(suite, countFiles(outcomes.flatMap(({ unsteady }) => unsteady))),
      );
    }
  }
  const late = overdue(dayOf(ROOT));
  if (late.length > 0) {
    outcomes.push({ ...NOTHING, name: "unsteady tests", failures: late, unsteady: [], seconds: 0 });
  }
  const seconds = (performance.now() - started) / 1_000;
  const said = formatResult({ outcomes, seconds, tree, seed, loadAtStart, memory: memory() });
  console.log(said.join("\n"));
  const isGreen = outcomes.every(({ failures }) => failures.length === 0);
  return isGreen && outcomes.some(({ passed }) => passed > 0) ? 0 : 1;
}

/** → a function that answers the most memory taken since, in bytes, looked at each second */
function watchMemory(): () => number {
  const before = freemem();
  let least = before;
  setInterval(() => (least = Math.min(least, freemem())), 1_000).unref();
  return () => before - least;
}

type Env = Record<string, string>;

function suitesOf(
  env: Env,
  { tree, external }: { tree: string; external: string | null },
): Suite[] {
  const { here, elsewhere, proofs } = drawTestFiles(ROOT, tree);
  const given: Env = external === null ? {} : { TEST_DATABASE_URL: external };
  const alone = ["--project", "proofs", "--maxWorkers=1"];
  const both = ["--project", "node", "--project", "web"];
  return [
    { name: "check", run: () => runChecks(), runsAgain: false, skip: null },
    { name: "pages", run: buildAll, runsAgain: false, skip: null },
    vitest("unit and server, embedded PostgreSQL", [both, here], env),
    vitest(
      `server elsewhere, ${external === null ? "embedded" : "given"} PostgreSQL`,
      [["--project", "node"], elsewhere],
      { ...env, ...ELSEWHERE, ...given },
    ),
    vitest("proofs", [alone, proofs], env),
    {
      name: "journeys in the browser",
      run: (file) => runPlaywright("journeys", file === null ? [] : ["--workers=1", file], env),
      runsAgain: true,
      skip: null,
    },
  ];
}

/** Files beside SQL, styles or recorded answers read them: their tests run too. */
function suitesOfChange(env: Env, changed: readonly string[]): Suite[] {
  const files = changed.flatMap((path) =>
    /\.(tsx?|mjs)$/.test(path) ? path : globSync(`${dirname(path)}/*.{ts,tsx}`, { cwd: ROOT }),
  );
  const projects = ["--project", "node", "--project", "web", "--passWithNoTests"];
  return [
    { name: "check", run: () => runChecks(changed), runsAgain: false, skip: null },
    { name: "pages", run: buildAll, runsAgain: false, skip: null },
    vitest("tests of the change", [projects, [...new Set(files)]], env, ["related", "--run"]),
  ];
}

function vitest(
  name: string,
  [options, files]: [string[], string[]],
  env: Env,
  command = ["run"],
): Suite {
  const run = (file: string | null) =>
    file === null
      ? runVitest(name, [...options, ...files], env, command)
      : runVitest(name, [...options, file], env);
  return { name, run, runsAgain: true, skip: files.length === 0 ? "no test file" : null };
}

async function runAndPrint(suite: Suite, unsteadyBefore: number): Promise<Outcome> {
  const { name, skip } = suite;
  if (skip !== null) {
    console.log(`\n── ${name}: skipped, ${skip}`);
    return { ...NOTHING, name, skipped: 1, unsteady: [], seconds: 0 };
  }
  console.log(`\n── ${name}`);
  const outcome = await runSuite(suite, unsteadyBefore).catch((error: unknown): Outcome => {
    console.error(error);
    return { ...failedAsAWhole(name, describeError(error)), name, unsteady: [], seconds: 0 };
  });
  const { passed, failures, skipped, seconds } = outcome;
  const counts = `${passed} passed, ${failures.length} failed, ${skipped} skipped`;
  console.log(`── ${name}: ${seconds.toFixed(1)} s, ${counts}`);
  return outcome;
}

async function buildAll(): Promise<Result> {
  const built = buildPages(["web", "emulators", "gallery"]);
  console.log(built.length === 0 ? "  up to date" : `  built: ${built.join(", ")}`);
  return { ...NOTHING, passed: 1 };
}

/** Runs vitest, whose output is shown as it comes. */
export async function runVitest(
  name: string,
  args: string[],
  env: Env,
  command = ["run"],
): Promise<Result> {
  const report = freshReport(name);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = await runVisibly("vitest/vitest.mjs", [...command, ...reporters, ...args], env);
  return readVitest(readReport(report), code, ROOT);
}

export async function runPlaywright(name: string, args: string[], env: Env): Promise<Result> {
  const report = freshReport(name);
  const isAgain = existsSync(report.replace(/\.json$/, "-before.json"));
  // The traces of the first run say why it failed.
  const output = isAgain ? ["--output", join(RESULTS, "playwright-again")] : [];
  const options = ["--config", "e2e/playwright.config.ts", "--reporter=list,json", ...output];
  const code = await runVisibly("@playwright/test/cli.js", ["test", ...options, ...args], {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return readPlaywright(readReport(report), code);
}

/** Before a second run the report of the first is kept: it says what failed. */
function freshReport(name: string): string {
  const stem = join(RESULTS, name.replaceAll(/[^a-z]+/gi, "-"));
  const [last, first] = [`${stem}.json`, `${stem}-before.json`];
  if (existsSync(last)) renameSync(last, first);
  return last;
}

/** All but the log that is being written. */
function emptyResults(): void {
  mkdirSync(RESULTS, { recursive: true });
  for (const name of readdirSync(RESULTS)) {
    if (name !== "log") rmSync(join(RESULTS, name), { recursive: true });
  }
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}
