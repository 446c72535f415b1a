import { randomInt } from "node:crypto";
import { globSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildPages, ROOT } from "../launch/build.ts";
import { treeOf } from "./draw.ts";
import { environmentOfSuites, forgetTheMachine } from "./environment.ts";
import { runPlaywright, runVitest } from "./suites.ts";
import { NODE_TESTS, PROOFS } from "./test-files.ts";

/**
 * `npm run long`: PROOF is part of the path of a test file or journey; `--seed` is the seed of the
 * first run; `--minutes` is how long to go on with the next seeds. → the exit code
 */
export async function runLong(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { seed: { type: "string" }, minutes: { type: "string", default: "0" } },
  });
  const [proof = "--"] = positionals;
  const files = globSync([...NODE_TESTS, "e2e/*.spec.ts"], { cwd: ROOT })
    .filter((path) => path.includes(proof))
    .sort();
  if (files.length === 0) {
    console.error(`Part of which path? The gate runs two of these alone:\n${PROOFS.join("\n")}`);
    return 2;
  }
  const first = Number(values.seed ?? randomInt(2 ** 31));
  const endsAt = performance.now() + Number(values.minutes) * 60_000;
  const clean = environmentOfSuites(env);
  forgetTheMachine(clean);
  buildPages(["web", "emulators", "gallery"]);
  let passed = 0;
  for (let seed = first; ; seed += 1) {
    const began = performance.now();
    const environment = { SESAME_SEED: String(seed), SESAME_TREE: treeOf(ROOT), LONG: "1" };
    const failed = await runFiles(files, { ...clean, ...environment });
    const now = performance.now();
    console.log(
      `── ${proof}: seed ${seed}, ${((now - began) / 1_000).toFixed(0)} s, ${failed} failed`,
    );
    passed += failed === 0 ? 1 : 0;
    // The next run needs as long again as this one.
    if (failed > 0 || now + (now - began) > endsAt) {
      console.log(`${passed} runs passed, ${failed} tests of the last failed`);
      return failed === 0 ? 0 : 1;
    }
  }
}

async function runFiles(files: readonly string[], env: Record<string, string>): Promise<number> {
  const journeys = files.filter((path) => path.startsWith("e2e/"));
  const tests = files.filter((path) => !path.startsWith("e2e/"));
  const projects = ["--project", "node", "--project", "proofs", "--maxWorkers=1"];
  const results = [
    ...(tests.length === 0 ? [] : [await runVitest("long", [...projects, ...tests], env)]),
    ...(journeys.length === 0 ? [] : [await runPlaywright("long-journeys", journeys, env)]),
  ];
  const failures = results.flatMap((result) => result.failures);
  for (const { file, name, error } of failures) console.log(`✗ ${file} › ${name}\n${error}`);
  return failures.length;
}
