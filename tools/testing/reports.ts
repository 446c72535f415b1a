import type { Counts } from "./checks.ts";

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
};

/**
 * Counts of a vitest run. A file that could not even be loaded, and a run that failed without a
 * failed test (an unhandled rejection), count as failures: silence must never look like success.
 */
export function countVitest(report: unknown, exitCode: number): Counts {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = report as VitestReport;
  const unloaded = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((result) => result.status === "failed"),
  ).length;
  const failed = numFailedTests + unloaded;
  return {
    passed: numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: numPendingTests,
  };
}

type PlaywrightReport = {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  errors: unknown[];
};

export function countPlaywright(report: unknown, exitCode: number): Counts {
  if (report === null) return { passed: 0, failed: 1, skipped: 0 };
  const { stats, errors } = report as PlaywrightReport;
  const failed = stats.unexpected + stats.flaky + errors.length;
  return {
    passed: stats.expected,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: stats.skipped,
  };
}
