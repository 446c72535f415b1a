import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** A test that failed; `file` is relative to the repository, or empty where no file is known. */
export type Failure = {
  readonly file: string;
  readonly name: string;
  readonly error: string;
  /** Its file ran once more, alone, and failed again. */
  readonly again?: boolean;
};

export type Timing = { readonly name: string; readonly seconds: number };

export type Result = {
  readonly passed: number;
  readonly skipped: number;
  /** One for each failed test. A run without a result must never look like success. */
  readonly failures: readonly Failure[];
  readonly timings: readonly Timing[];
};

export const NOTHING: Result = { passed: 0, skipped: 0, failures: [], timings: [] };

/** A run that failed without naming a test. */
export const failedAsAWhole = (name: string, error: string): Result => ({
  ...NOTHING,
  failures: [{ file: "", name, error }],
});

type VitestTest = {
  fullName: string;
  status: string;
  duration?: number | null;
  failureMessages?: string[] | null;
};
type VitestReport = {
  numPassedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: VitestTest[];
  }[];
};

/**
 * Reads a report of vitest. A file that could not be loaded, and a run that failed without a failed
 * test (a rejection that nobody handled), are failures too.
 */
export function readVitest(report: unknown, exitCode: number, root: string): Result {
  if (report === null) return failedAsAWhole("vitest", `no report, exit code ${exitCode}`);
  const { numPassedTests, numPendingTests, testResults } = report as VitestReport;
  const failures: Failure[] = [];
  const timings: Timing[] = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    const before = failures.length;
    for (const test of assertionResults) {
      timings.push({ name: `${file} › ${test.fullName}`, seconds: (test.duration ?? 0) / 1_000 });
      if (test.status !== "failed") continue;
      const error = test.failureMessages?.join("\n") ?? "";
      failures.push({ file, name: test.fullName, error: plain(error) });
    }
    // Also beside failed tests: errors that the server logged are reported when the file closes.
    if (status === "failed" && (message || failures.length === before)) {
      failures.push({ file, name: "the file as a whole", error: plain(message ?? "") });
    }
  }
  if (failures.length === 0 && exitCode !== 0) {
    failures.push({ file: "", name: "vitest", error: "an error outside of every test, see above" });
  }
  return { passed: numPassedTests, skipped: numPendingTests, failures, timings };
}

type JourneyError = { message?: string };
type JourneySuite = {
  title: string;
  file: string;
  suites?: JourneySuite[];
  specs: {
    title: string;
    tests: { status: string; results: { duration: number; errors: JourneyError[] }[] }[];
  }[];
};
type PlaywrightReport = {
  suites: JourneySuite[];
  errors: JourneyError[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

/** Reads a report of Playwright. */
export function readPlaywright(report: unknown, exitCode: number): Result {
  if (report === null) return failedAsAWhole("playwright", `no report, exit code ${exitCode}`);
  const { suites, errors, stats } = report as PlaywrightReport;
  const failures: Failure[] = [];
  const timings: Timing[] = [];
  const visit = (suite: JourneySuite, path: readonly string[]): void => {
    const file = `e2e/${suite.file}`;
    for (const { title, tests } of suite.specs) {
      const name = [...path, title].join(" ");
      for (const { status, results } of tests) {
        const ms = results.reduce((sum, { duration }) => sum + duration, 0);
        timings.push({ name: `${file} › ${name}`, seconds: ms / 1_000 });
        if (status !== "unexpected" && status !== "flaky") continue;
        const said = results.flatMap((result) => result.errors.map(({ message }) => message ?? ""));
        failures.push({ file, name, error: plain(said.join("\n")) });
      }
    }
    for (const inner of suite.suites ?? []) visit(inner, [...path, inner.title]);
  };
  for (const suite of suites) visit(suite, []);
  for (const { message } of errors) {
    failures.push({ file: "", name: "playwright", error: plain(message ?? "") });
  }
  if (failures.length === 0 && exitCode !== 0) {
    failures.push({ file: "", name: "playwright", error: `exit code ${exitCode}, see above` });
  }
  return { passed: stats.expected, skipped: stats.skipped, failures, timings };
}

const plain = (text: string): string => stripVTControlCharacters(text).trim();
