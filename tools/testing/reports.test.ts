import { describe, expect, test } from "vitest";
import { readPlaywright, readVitest } from "./reports.ts";

const ROOT = "/house";

const report = (assertionResults: unknown[], more: object = {}) => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  testResults: [{ name: "/house/a.test.ts", status: "passed", assertionResults, ...more }],
});

describe("a report of vitest", () => {
  const whole = { file: "a.test.ts", name: "the file as a whole" };

  test("says what passed, what was skipped and how long each test took", () => {
    const test = { fullName: "adds", status: "passed", duration: 1_500 };
    expect(readVitest(report([test]), 0, ROOT)).toEqual({
      passed: 3,
      skipped: 1,
      failures: [],
      timings: [{ name: "a.test.ts › adds", seconds: 1.5 }],
    });
  });

  test("names of each failed test the file, the title and the error without colours", () => {
    const failureMessages = ["\u001B[31mAssertionError: 1 is not 2\u001B[39m\n  at a.test.ts:1"];
    const failed = { fullName: "adds", status: "failed", failureMessages };
    expect(readVitest(report([failed]), 1, ROOT).failures).toEqual([
      { file: "a.test.ts", name: "adds", error: "AssertionError: 1 is not 2\n  at a.test.ts:1" },
    ]);
  });

  test("has a failure for a file that could not be loaded", () => {
    const unloaded = report([], { status: "failed", message: "no such module" });
    const error = "no such module";
    expect(readVitest(unloaded, 1, ROOT).failures).toEqual([{ ...whole, error }]);
  });

  test("has a failure for a file whose last hook failed, beside that of its test", () => {
    const failed = { fullName: "adds", status: "failed", failureMessages: ["1 is not 2"] };
    const error = "the server logged errors";
    const ended = report([failed], { status: "failed", message: error });
    expect(readVitest(ended, 1, ROOT).failures).toEqual([
      { file: "a.test.ts", name: "adds", error: "1 is not 2" },
      { ...whole, error },
    ]);
  });

  test("has a failure when there is no report", () => {
    expect(readVitest(null, 0, ROOT).failures).toHaveLength(1);
    expect(readPlaywright(null, 0).failures).toHaveLength(1);
  });

  test("has a failure when the run failed though every test passed", () => {
    expect(readVitest(report([]), 1, ROOT).failures).toHaveLength(1);
  });
});

describe("a report of Playwright", () => {
  const journeys = (status: string) => {
    const file = "story.spec.ts";
    const results = [{ duration: 2_000, errors: [{ message: "late" }] }];
    const group = {
      title: "a seller",
      file,
      specs: [{ title: "sells", tests: [{ status, results }] }],
    };
    return {
      suites: [{ title: file, file, specs: [], suites: [group] }],
      errors: [],
      stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 },
    };
  };

  test("names a failed journey by its file, its groups and its title", () => {
    expect(readPlaywright(journeys("unexpected"), 1)).toEqual({
      passed: 2,
      skipped: 0,
      failures: [{ file: "e2e/story.spec.ts", name: "a seller sells", error: "late" }],
      timings: [{ name: "e2e/story.spec.ts › a seller sells", seconds: 2 }],
    });
  });

  test("counts a journey that Playwright ran again as failed", () => {
    expect(readPlaywright(journeys("flaky"), 0).failures).toHaveLength(1);
  });

  test("has a failure for an error outside of every journey", () => {
    const outside = { ...journeys("expected"), errors: [{ message: "no browser" }] };
    expect(readPlaywright(outside, 1).failures).toEqual([
      { file: "", name: "playwright", error: "no browser" },
    ]);
  });
});
