import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkBudget } from "../architecture/budget.ts";
import { readRepository } from "../architecture/modules.ts";
import { findViolations } from "../architecture/rules.ts";
import { ROOT } from "../launch/build.ts";
import { changedSince } from "./draw.ts";
import { type Failure, NOTHING, type Result } from "./reports.ts";
import { runTool } from "./run-tool.ts";

type Check = { name: string; run: () => Promise<{ ok: boolean; output: string }> };

const tool = (name: string, script: string, ...args: string[]): Check => ({
  name,
  run: () => runTool(join(ROOT, "node_modules", script), args),
});

/**
 * The checks of everything; or of the changed files alone, which is faster: the compiler keeps the
 * types of the other files, and dead code is not looked for.
 */
function checksOf(changed: readonly string[] | null): Check[] {
  const types = (name: string, project: string) => {
    const kept = join(ROOT, "node_modules", ".cache", `${project}.tsbuildinfo`);
    const how = changed === null ? [] : ["--incremental", "--tsBuildInfoFile", kept];
    // Two checks run at a time: a compiler with several checkers would do the same work in each.
    return tool(`types: ${name}`, "typescript/bin/tsc", "-p", project, "--checkers", "1", ...how);
  };
  const code = changed?.filter((path) => /\.(tsx?|mjs)$/.test(path)) ?? [];
  const lint = ["--type-aware", "--deny-warnings", ...code];
  const format = ["format", "--max-diagnostics=20", "--no-errors-on-unmatched"];
  return [
    tool("format", "@biomejs/biome/bin/biome", ...format, ...(changed ?? ["."])),
    types("server, packages, tools", "tsconfig.json"),
    ...(changed === null || code.length > 0 ? [tool("lint", "oxlint/bin/oxlint", ...lint)] : []),
    types("pages", "tsconfig.web.json"),
    types("journeys", "tsconfig.e2e.json"),
    ...(changed === null
      ? [tool("dead code", "knip/bin/knip.js", "--no-progress", "--no-config-hints")]
      : []),
    { name: "architecture", run: checkArchitecture },
    { name: "budget", run: async () => checkBudget() },
  ];
}

/** `npm run check`. → the exit code */
export async function checkCommand([how, commit = "HEAD"]: string[]): Promise<number> {
  const changed = how === "--changed" ? changedSince(ROOT, commit) : null;
  const { failures } = await runChecks(changed);
  return failures.length === 0 ? 0 : 1;
}

/** Runs the checks, two at a time, and prints each with its time. */
export async function runChecks(changed: readonly string[] | null = null): Promise<Result> {
  const failures: Failure[] = [];
  const checks = checksOf(changed);
  const waiting = [...checks];
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const started = performance.now();
      const { ok, output } = await check.run();
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(`  ${ok ? "✓" : "✗"} ${check.name} (${seconds} s)`);
      if (!ok) console.log(output.trimEnd());
      if (!ok) failures.push({ file: "", name: check.name, error: output.trim() });
    }
  };
  await Promise.all([worker(), worker()]);
  return { ...NOTHING, passed: checks.length - failures.length, failures };
}

async function checkArchitecture(): Promise<{ ok: boolean; output: string }> {
  const modules = readRepository(ROOT);
  const violations = findViolations(modules);
  if (modules.length === 0 || !existsSync(join(ROOT, "packages", "kernel"))) {
    return { ok: false, output: "No module was seen: the check itself is broken." };
  }
  const lines = violations.map(({ path, rule, detail }) => `    ${path}: ${rule}: ${detail}`);
  return { ok: violations.length === 0, output: lines.join("\n") };
}
