import { describe, expect, test } from "vitest";
import { countPlaywright, countVitest } from "./reports.ts";

const passing = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, testResults: [] };

describe("the counts of a run", () => {
  test("are those of its report", () => {
    expect(countVitest(passing, 0)).toEqual({ passed: 3, failed: 0, skipped: 1 });
  });

  test("have a failure when there is no report at all", () => {
    expect(countVitest(null, 0).failed).toBe(1);
    expect(countPlaywright(null, 0).failed).toBe(1);
  });

  test("have a failure when the run failed though every test passed", () => {
    expect(countVitest(passing, 1).failed).toBe(1);
  });

  test("have a failure for a file that could not be loaded", () => {
    const testResults = [{ status: "failed", assertionResults: [] }];
    expect(countVitest({ ...passing, testResults }, 1).failed).toBe(1);
  });

  test("of a browser run take a flaky journey for a failed one", () => {
    const stats = { expected: 2, unexpected: 0, flaky: 1, skipped: 0 };
    expect(countPlaywright({ stats, errors: [] }, 0)).toEqual({ passed: 2, failed: 1, skipped: 0 });
  });
});
