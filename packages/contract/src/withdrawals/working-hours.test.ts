import { fromLocalMs, toLocalMs } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../back-office/policy.ts";
import { closingOf, deadlineOf, isOpenAt, openingAfter, workingMsBetween } from "./policy.ts";

const hours = DEFAULT_SETTINGS.hours.payouts;
const ABIDJAN = "Africa/Abidjan";
/** Summer time ends on Sunday 25 October 2026. */
const PARIS = "Europe/Paris";

const due = (at: string, zone = ABIDJAN) => deadlineOf(new Date(at), hours, zone).toISOString();

describe("the deadline of a request", () => {
  test.each([
    // 2026-11-16 is a Monday.
    ["on a working day", "2026-11-16T10:30:00.000Z", "2026-11-17T10:30:00.000Z"],
    ["at the first minute", "2026-11-16T09:00:00.000Z", "2026-11-17T09:00:00.000Z"],
    ["before the day begins", "2026-11-16T06:00:00.000Z", "2026-11-17T09:00:00.000Z"],
    ["at the end of the day", "2026-11-16T17:00:00.000Z", "2026-11-18T09:00:00.000Z"],
    ["in the evening", "2026-11-16T21:00:00.000Z", "2026-11-18T09:00:00.000Z"],
    ["on a Friday afternoon", "2026-11-20T16:00:00.000Z", "2026-11-23T16:00:00.000Z"],
    ["on a Friday evening", "2026-11-20T18:00:00.000Z", "2026-11-24T09:00:00.000Z"],
    ["on a Saturday", "2026-11-21T12:00:00.000Z", "2026-11-24T09:00:00.000Z"],
    ["on a Sunday night", "2026-11-22T23:59:59.999Z", "2026-11-24T09:00:00.000Z"],
  ])("made %s is 24 hours of working days later", (_when, at, expected) => {
    expect(due(at)).toBe(expected);
  });

  test("is in the instance's time zone, also across a change of summer time", () => {
    expect(due("2026-10-23T08:30:00.000Z", PARIS)).toBe("2026-10-26T09:30:00.000Z");
    expect(due("2026-10-24T08:30:00.000Z", PARIS)).toBe("2026-10-27T08:00:00.000Z");
    expect(due("2026-11-16T20:00:00.000Z", "Pacific/Auckland")).toBe("2026-11-17T20:00:00.000Z");
  });

  test("is a day later when there are no working hours", () => {
    const never = { days: [], from_hour: 9, to_hour: 17 };
    const at = new Date("2026-11-16T10:00:00Z");
    expect(deadlineOf(at, never, ABIDJAN).toISOString()).toBe("2026-11-17T10:00:00.000Z");
    expect(isOpenAt(at, never, ABIDJAN)).toBe(false);
  });
});

describe("working hours", () => {
  test("begin with their first hour and end before their last", () => {
    const open = (at: string) => isOpenAt(new Date(at), hours, ABIDJAN);
    expect(open("2026-11-16T08:59:59.999Z")).toBe(false);
    expect(open("2026-11-16T09:00:00.000Z")).toBe(true);
    expect(open("2026-11-16T16:59:59.999Z")).toBe(true);
    expect(open("2026-11-16T17:00:00.000Z")).toBe(false);
    expect(open("2026-11-21T10:00:00.000Z")).toBe(false);
  });

  test("end and begin at instants of the instance's time zone", () => {
    const closes = (at: string) => closingOf(new Date(at), hours, PARIS)?.toISOString();
    const opens = (at: string) => openingAfter(new Date(at), hours, PARIS)?.toISOString();
    // Summer time ends between the Friday and the Monday.
    expect(closes("2026-10-23T10:00:00Z")).toBe("2026-10-23T15:00:00.000Z");
    expect(closes("2026-10-23T15:00:00Z")).toBeUndefined();
    expect(opens("2026-10-23T15:00:00Z")).toBe("2026-10-26T08:00:00.000Z");
    expect(openingAfter(new Date(), { ...hours, days: [] }, PARIS)).toBeNull();
  });

  test("between two instants exclude nights and weekends", () => {
    const worked = (from: string, to: string) =>
      workingMsBetween(new Date(from), new Date(to), { hours, zone: ABIDJAN }) / 3_600_000;
    expect(worked("2026-11-16T10:00:00Z", "2026-11-16T12:30:00Z")).toBe(2.5);
    expect(worked("2026-11-16T06:00:00Z", "2026-11-16T22:00:00Z")).toBe(8);
    expect(worked("2026-11-20T16:00:00Z", "2026-11-23T10:00:00Z")).toBe(2);
    expect(worked("2026-11-21T00:00:00Z", "2026-11-22T23:00:00Z")).toBe(0);
    expect(worked("2026-11-16T12:00:00Z", "2026-11-16T10:00:00Z")).toBe(0);
  });
});

test("local time converts to an instant and back, except in the hour that a clock skips", () => {
  const start = Date.UTC(2026, 2, 27);
  for (let minutes = 0; minutes < 4 * 1_440; minutes += 30) {
    const at = new Date(start + minutes * 60_000);
    expect(fromLocalMs(toLocalMs(at, PARIS), PARIS)).toEqual(at);
  }
});
