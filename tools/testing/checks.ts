import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkBudget } from "../architecture/budget.ts";
import { readRepository } from "../architecture/modules.ts";
import { findViolations } from "../architecture/rules.ts";
import { ROOT } from "../launch/build.ts";
import { type Failure, NOTHING, type Result } from "./reports.ts";
import { runTool } from "./run-tool.ts";

type Check = { name: string; run: () => Promise<{ ok: boolean; output: string }> };

const tool = (name: string, script: string, ...args: string[]): Check => ({
  name,
  run: () => runTool(join(ROOT, "node_modules", script), args),
});

/** A workspace whose sources are not there yet has nothing to check. */
const CHECKS: Check[] = [
  tool("format", "@biomejs/biome/bin/biome", "format", "--max-diagnostics=20", "."),
  tool("lint", "oxlint/bin/oxlint", "--type-aware", "--deny-warnings"),
  tool("types: server, packages, tools", "typescript/bin/tsc", "-p", "tsconfig.json"),
  tool("types: pages", "typescript/bin/tsc", "-p", "tsconfig.web.json"),
  tool("types: journeys", "typescript/bin/tsc", "-p", "tsconfig.e2e.json"),
  tool("dead code", "knip/bin/knip.js", "--no-progress", "--no-config-hints"),
  { name: "architecture", run: checkArchitecture },
  { name: "budget", run: async () => checkBudget() },
];

/** Runs every check, two at a time, and prints each with its time. */
export async function runChecks(): Promise<Result> {
  const failures: Failure[] = [];
  const waiting = [...CHECKS];
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
  return { ...NOTHING, passed: CHECKS.length - failures.length, failures };
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
