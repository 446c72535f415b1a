import { describe, expect, test } from "vitest";
import { compareRuns, gatherRuns } from "./against.ts";

/** Versions print when a benchmark began; older ones printed how long it took. */
const printed = (rate: number, ms: number, time = "from 12 s") => `2 cores, Node 24.21.0

P3: webhooks over HTTP (${time})
  stored, of the bare server                                           0.41 of it   ✓ aim ≥ 0.3
  webhooks stored                                                      ${rate} per second
  slowest hundredth at 500 a second                                    ${ms.toFixed(2)} ms   ✗ aim ≤ 10
`;

const runs = (...figures: readonly (readonly [number, number])[]) =>
  gatherRuns(figures.map(([rate, ms]) => printed(rate, ms)));

describe("two versions of a benchmark", () => {
  test("are read from their output: figure, unit, and whether less is better", () => {
    const P3 = "P3: webhooks over HTTP";
    const slowest = `${P3}: slowest hundredth at 500 a second`;
    const more = { lower: false };
    expect(runs([900, 12], [1_000, 11])).toEqual([
      { what: `${P3}: stored, of the bare server`, unit: "of it", ...more, figures: [0.41, 0.41] },
      { what: `${P3}: webhooks stored`, unit: "per second", ...more, figures: [900, 1_000] },
      { what: slowest, unit: "ms", lower: true, figures: [12, 11] },
    ]);
  });

  test("are worse only by more than 5 % and outside the other version's range", () => {
    const before = runs([900, 12], [1_000, 11], [1_100, 10]);
    const worseOf = (after: typeof before) => compareRuns(before, after).map(({ worse }) => worse);
    expect(worseOf(runs([850, 13], [920, 12], [1_200, 10]))).toEqual([false, false, false]);
    expect(worseOf(runs([800, 13], [850, 14], [890, 15]))).toEqual([false, true, true]);
    expect(worseOf(runs([1_500, 5], [1_600, 5], [1_700, 5]))).toEqual([false, false, false]);
  });

  test("are compared only where both print a figure", () => {
    expect(compareRuns([], runs([1, 1]))).toEqual([]);
    expect(compareRuns(gatherRuns([printed(1, 1, "12 s")]), runs([1, 1]))).toHaveLength(3);
  });
});
