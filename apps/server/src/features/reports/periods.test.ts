import { describe, expect, test } from "vitest";
import { addDays, addMonths, dayOf } from "@sesame/kernel";
import { spansOf, partsOf } from "./statistics.ts";

describe("a period of the statistics", () => {
  test("is the last 7 or 30 days, today included, compared with as many before", () => {
    expect(spansOf("week", "2026-03-03")).toMatchObject({
      grain: "day",
      now: { from: "2026-02-25", to: "2026-03-03" },
      before: { from: "2026-02-18", to: "2026-02-24" },
    });
    const month = spansOf("month", "2026-11-16");
    expect(month.now).toEqual({ from: "2026-10-18", to: "2026-11-16" });
    expect(month.bars).toHaveLength(30);
    expect([month.bars[0], month.bars.at(-1)]).toEqual(["2026-10-18", "2026-11-16"]);
  });

  test("is 12 calendar months, this one included, compared with the 12 before", () => {
    const year = spansOf("year", "2026-03-31");
    expect(year.now).toEqual({ from: "2025-04-01", to: "2026-03-31" });
    expect(year.before).toEqual({ from: "2024-04-01", to: "2025-03-31" });
    expect(year.bars.slice(-3)).toEqual(["2026-01-01", "2026-02-01", "2026-03-01"]);
  });

  test("has the instance's days, over the ends of months and years", () => {
    const late = new Date("2026-12-31T23:30:00Z");
    expect(dayOf(late, "Africa/Abidjan")).toBe("2026-12-31");
    expect(dayOf(late, "Africa/Lagos")).toBe("2027-01-01");
    expect(addDays("2028-02-28", 1)).toBe("2028-02-29");
    expect([addMonths("2026-01-31", 1), addMonths("2026-01-31", -1)]).toEqual([
      "2026-02-01",
      "2025-12-01",
    ]);
  });

  test("has shares of the revenue in whole percents that add up to 100", () => {
    expect(partsOf([1, 1, 1])).toEqual([34, 33, 33]);
    expect(partsOf([999, 1])).toEqual([100, 0]);
    expect(partsOf([0, 0])).toEqual([0, 0]);
    expect(partsOf([])).toEqual([]);
  });
});
