import { availableParallelism, loadavg } from "node:os";
import type { Failure, Result } from "./reports.ts";
import { isOutOfTime, KNOWN_UNSTEADY, mayRunAgain, MOST_UNSTEADY_FILES } from "./second-run.ts";

export type Suite = {
  readonly name: string;
  /** Runs the suite, or only the given file of it. */
  run(file: string | null): Promise<Result>;
  readonly runsAgain: boolean;
  /** Why the suite is left out. */
  readonly skip: string | null;
};

/** `unsteady`: failed, and passed when its file ran alone; counted as passed. */
export type Outcome = Result & {
  readonly name: string;
  readonly seconds: number;
  readonly unsteady: readonly Failure[];
};

const filesOf = (failures: readonly Failure[]) => new Set(failures.map(({ file }) => file));

/**
 * Counts files with failures. A test on the list of unsteady tests does not count until its day.
 */
export const countFiles = (failures: readonly Failure[], known: Known = KNOWN_UNSTEADY): number =>
  filesOf(failures.filter((failure) => known.every(({ test }) => test !== nameOf(failure)))).size;

/**
 * Runs a suite. Each failed file runs once more, alone, if all its failures may be random and few
 * files failed. `before`: unsteady files of the suites before.
 */
export async function runSuite(suite: Suite, before: number): Promise<Outcome> {
  const { name } = suite;
  const started = performance.now();
  const result = await suite.run(null);
  const unsteady: Failure[] = [];
  const failedAgain: string[] = [];
  if (
    suite.runsAgain &&
    result.failures.every(mayRunAgain) &&
    before + countFiles(result.failures) <= MOST_UNSTEADY_FILES
  ) {
    for (const file of filesOf(result.failures)) {
      console.log(`\n── ${name}: once more, alone: ${file}`);
      const again = await suite.run(file);
      if (again.failures.length > 0 || again.passed === 0) failedAgain.push(file);
      else unsteady.push(...result.failures.filter((failure) => failure.file === file));
    }
  }
  return {
    ...result,
    name,
    passed: result.passed + unsteady.length,
    failures: result.failures
      .filter((failure) => !unsteady.includes(failure))
      .map((failure) => ({ ...failure, again: failedAgain.includes(failure.file) })),
    unsteady,
    seconds: (performance.now() - started) / 1_000,
  };
}

type Known = typeof KNOWN_UNSTEADY;

const nameOf = ({ file, name }: Failure): string => (file === "" ? name : `${file} › ${name}`);

/** Tests that are still on the list of unsteady tests after their day, as failures. */
export function overdue(day: string | null, known: Known = KNOWN_UNSTEADY): Failure[] {
  return known
    .filter(({ until }) => day !== null && day > until)
    .map(({ test, until }) => {
      const [file = "", name = test] = test.split(" › ");
      return { file, name, error: `on the list of unsteady tests until ${until}: mend it` };
    });
}

export type Run = {
  readonly outcomes: readonly Outcome[];
  readonly seconds: number;
  readonly tree: string;
  readonly seed: number;
  readonly loadAtStart: number;
  /** The most memory of the machine that the run took, in bytes. */
  readonly memory: number;
};

/** → the last screen of a run, whose last line is `N passed, N failed`. */
export function formatResult({
  outcomes,
  seconds,
  tree,
  seed,
  loadAtStart,
  memory,
}: Run): string[] {
  const failures = outcomes.flatMap((outcome) => outcome.failures);
  const unsteady = outcomes.flatMap((outcome) => outcome.unsteady);
  const timings = outcomes.flatMap((outcome) => outcome.timings);
  const slowest = timings.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  const sum = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const load = `${loadAtStart.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`;
  return [
    "",
    "══ Result",
    ...failures.flatMap((failure) => [
      `✗ ${kindOf(failure)}${failure.again ? ", alone too" : ""}: ${nameOf(failure)}`,
      ...firstLines(failure.error),
      `    seed ${seed}`,
    ]),
    ...unsteady.flatMap((failure) => [
      `~ unsteady, passed alone: ${nameOf(failure)}`,
      ...firstLines(failure.error),
      `    seed ${seed}`,
    ]),
    "",
    "Slowest:",
    ...slowest.map(({ name, seconds: s }) => `  ${s.toFixed(1).padStart(6)} s  ${name}`),
    "",
    ...outcomes.map(
      (o) =>
        `${o.seconds.toFixed(1).padStart(8)} s  ${o.name}: ${o.passed} passed, ` +
        `${o.failures.length} failed, ${o.unsteady.length} unsteady, ${o.skipped} skipped`,
    ),
    `${seconds.toFixed(1).padStart(8)} s  in all; ${availableParallelism()} cores, load average ${load}, ` +
      `${(memory / 2 ** 30).toFixed(1)} GB of memory at most`,
    `tree ${tree}, seed ${seed}; reports and traces in test-results/`,
    `${filesOf(unsteady).size} unsteady files, ${unsteady.length} unsteady tests`,
    `${sum((o) => o.passed)} passed, ${failures.length} failed`,
  ];
}

function kindOf(failure: Failure): string {
  if (isOutOfTime(failure)) return "too slow for a result";
  return mayRunAgain(failure) || failure.file === "" ? "failed" : "broken, not run again";
}

/**
 * The first line of an error; of a failed property also the seed with its path and the
 * counterexample.
 */
function firstLines(error: string): string[] {
  const lines = error.split("\n").filter((line) => line.trim() !== "");
  const first = /property failed/i.test(error) ? lines.slice(0, 4) : lines.slice(0, 1);
  return first.map((line) => `    ${line.trim().slice(0, 400)}`);
}
