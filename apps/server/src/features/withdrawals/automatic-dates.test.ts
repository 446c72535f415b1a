import { DAY_MS, HOUR_MS, dayOf, startOfDay } from "@sesame/kernel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Frequency, nextRunAfter, nextRunAfterDate } from "./settings.ts";

const ABIDJAN = "Africa/Abidjan";
const PARIS = "Europe/Paris";
const ZONES = [ABIDJAN, PARIS, "Pacific/Kiritimati", "America/Los_Angeles"];
const FREQUENCIES: readonly Frequency[] = ["weekly", "daily", "threshold"];

const next = (date: string, frequency: Frequency, zone = ABIDJAN) =>
  nextRunAfterDate(date, frequency, zone).toISOString();

describe("the run after a date that had its own", () => {
  test("is the next day's at 9:00, over the ends of months and years", () => {
    for (const [date, run] of [
      ["2026-11-16", "2026-11-17"],
      ["2026-11-30", "2026-12-01"],
      ["2026-12-31", "2027-01-01"],
      ["2027-02-28", "2027-03-01"],
      ["2028-02-28", "2028-02-29"],
      ["2028-02-29", "2028-03-01"],
    ] as const) {
      expect(next(date, "daily")).toBe(`${run}T09:00:00.000Z`);
    }
  });

  test("is next Monday's at 9:00, whatever the day it was run on", () => {
    for (const date of ["2026-11-16", "2026-11-18", "2026-11-22"]) {
      expect(next(date, "weekly")).toBe("2026-11-23T09:00:00.000Z");
    }
    expect(next("2026-12-28", "weekly")).toBe("2027-01-04T09:00:00.000Z");
    expect(next("2028-02-28", "weekly")).toBe("2028-03-06T09:00:00.000Z");
  });

  test("is the next day's first hour for a threshold", () => {
    expect(next("2026-11-30", "threshold")).toBe("2026-12-01T00:00:00.000Z");
    expect(next("2026-11-30", "threshold", PARIS)).toBe("2026-11-30T23:00:00.000Z");
  });

  test("stands at 9:00 of the zone on both sides of a change of summer time", () => {
    expect(next("2027-03-27", "daily", PARIS)).toBe("2027-03-28T07:00:00.000Z");
    expect(next("2027-10-30", "daily", PARIS)).toBe("2027-10-31T08:00:00.000Z");
  });

  test("is always on a later date, and the first of the schedule there", () => {
    const instants = fc.date({
      min: new Date("2020-01-01T00:00:00Z"),
      max: new Date("2040-01-01T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(
        instants,
        fc.constantFrom(...ZONES),
        fc.constantFrom(...FREQUENCIES),
        (at, zone, frequency) => {
          const date = dayOf(at, zone);
          const run = nextRunAfterDate(date, frequency, zone);
          expect(dayOf(run, zone) > date).toBe(true);
          expect(run.getTime() - at.getTime()).toBeLessThanOrEqual(8 * DAY_MS);
          // Nothing of the schedule lies between the end of the date and the run.
          const end = startOfDay(date, zone).getTime() + 20 * HOUR_MS;
          const between = nextRunAfter(new Date(Math.max(end, at.getTime())), frequency, zone);
          if (dayOf(between, zone) > date) expect(between).toEqual(run);
        },
      ),
    );
  });
});

test("a date begins at midnight of the zone", () => {
  expect(startOfDay("2026-11-16", ABIDJAN)).toEqual(new Date("2026-11-16T00:00:00Z"));
  expect(startOfDay("2026-07-14", PARIS)).toEqual(new Date("2026-07-13T22:00:00Z"));
  expect(dayOf(new Date("2026-07-13T22:00:00Z"), PARIS)).toBe("2026-07-14");
  expect(dayOf(new Date("2026-07-13T21:59:59.999Z"), PARIS)).toBe("2026-07-13");
});
