import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPages, ROOT } from "../launch/build.ts";
import { type Counts, runChecks } from "./checks.ts";
import { countPlaywright, countVitest } from "./reports.ts";
import { runVisibly } from "./run-tool.ts";

type Suite = { name: string; run: () => Promise<Counts>; skip: string | null };

/** What the surroundings say about real bots, databases or Node must not reach the suites. */
const NOT_FOR_TESTS =
  /^(DATABASE_URL|DATABASE_POOL|DRAIN_SECONDS|DATA_DIR|PORT|HOST|PUBLIC_URL|ROLES|NODE_ENV|NODE_OPTIONS|SECRETS_KEY(?:_PREVIOUS)?|npm_.*|.*_BOT_TOKEN|TELEGRAM_.*|MONEROO_.*|PAYDUNYA_.*|FEDAPAY_.*|KKIAPAY_.*|CRYPTOPAY_.*|STARS_.*|SESAME_.*)$/;

/**
 * Everything, suite by suite, each with its time. The last line is `N passed, N failed`.
 * `--external URL` (or DATABASE_URL) adds the server's tests on that PostgreSQL; `--long` runs the
 * sampled proofs whole; `--only NAME` runs the suites whose names contain it.
 */
export async function runSuites(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const started = performance.now();
  const external = valueOf(args, "--external") ?? env.DATABASE_URL_EXTERNAL ?? env.DATABASE_URL;
  const only = valueOf(args, "--only");
  const clean = Object.fromEntries(
    Object.entries(env).filter(([name]) => !NOT_FOR_TESTS.test(name)),
  );
  if (args.includes("--long")) clean.LONG = "1";
  const total: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of suitesOf(clean, external || null)) {
    if (only !== null && !suite.name.includes(only)) continue;
    const counts = await runSuite(suite);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  console.log(`\nAll suites in ${secondsSince(started)} s, ${total.skipped} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

function suitesOf(env: NodeJS.ProcessEnv, external: string | null): Suite[] {
  const noJourney = existsSync(join(ROOT, "e2e")) && hasJourneys() ? null : "no journey found";
  return [
    { name: "check", run: runChecks, skip: null },
    { name: "pages", run: buildAll, skip: null },
    { name: "unit and server, embedded PostgreSQL", run: () => vitest([], env), skip: null },
    { name: "journeys in the browser", run: () => playwright(env), skip: noJourney },
    {
      name: "server, given PostgreSQL",
      run: () => vitest(SERVER_TESTS, { ...env, TEST_DATABASE_URL: external ?? "" }),
      skip: external === null ? "no DATABASE_URL (or --external) names a PostgreSQL" : null,
    },
  ];
}

/** What talks to a database: run again on a given server. */
const SERVER_TESTS = ["--project", "node", "apps/server", "packages/ledger", "database"];

async function runSuite({ name, run, skip }: Suite): Promise<Counts> {
  if (skip !== null) {
    console.log(`\n── ${name}: skipped, ${skip}`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  console.log(`\n── ${name}`);
  const started = performance.now();
  const counts = await run().catch((error: unknown): Counts => {
    console.error(error);
    return { passed: 0, failed: 1, skipped: 0 };
  });
  const { passed, failed, skipped } = counts;
  console.log(
    `── ${name}: ${secondsSince(started)} s, ${passed} passed, ${failed} failed, ${skipped} skipped`,
  );
  return counts;
}

async function buildAll(): Promise<Counts> {
  const built = buildPages(["web", "world", "gallery"]);
  console.log(built.length === 0 ? "  up to date" : `  built: ${built.join(", ")}`);
  return { passed: 1, failed: 0, skipped: 0 };
}

function vitest(args: string[], env: NodeJS.ProcessEnv): Promise<Counts> {
  return withReport(async (report) => {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = await runVisibly("vitest/vitest.mjs", ["run", ...reporters, ...args], env);
    return countVitest(readReport(report), code);
  });
}

function playwright(env: NodeJS.ProcessEnv): Promise<Counts> {
  return withReport(async (report) => {
    const args = ["test", "--config", "e2e/playwright.config.ts", "--reporter=list,json"];
    const code = await runVisibly("@playwright/test/cli.js", args, {
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    });
    return countPlaywright(readReport(report), code);
  });
}

async function withReport(run: (report: string) => Promise<Counts>): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), "sesame-report-"));
  try {
    return await run(join(folder, "report.json"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
}

function hasJourneys(): boolean {
  return readdirSync(join(ROOT, "e2e")).some((name) => name.endsWith(".spec.ts"));
}

function valueOf(args: string[], name: string): string | null {
  const at = args.indexOf(name);
  return at === -1 ? null : (args[at + 1] ?? null);
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1_000).toFixed(1);
}
