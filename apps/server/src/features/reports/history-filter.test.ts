import { describe, expect, test } from "vitest";
import { readHistoryCursor, startOfPeriod, writeCursor } from "./history.ts";

const ABIDJAN = "Africa/Abidjan";
const start = (period: "today" | "week" | "month", now: string, zone = ABIDJAN) =>
  startOfPeriod(period, new Date(now), zone).toISOString();

describe("a period of the history", () => {
  test("begins at midnight of the instance's zone", () => {
    expect(start("today", "2026-11-16T23:59:59.999Z")).toBe("2026-11-16T00:00:00.000Z");
    expect(start("today", "2026-07-14T21:59:00Z", "Europe/Paris")).toBe("2026-07-13T22:00:00.000Z");
    expect(start("today", "2026-07-14T22:00:00Z", "Europe/Paris")).toBe("2026-07-14T22:00:00.000Z");
  });

  test("of the week begins on Sunday, itself and Saturday among its days", () => {
    for (const day of ["15", "16", "18", "21"]) {
      expect(start("week", `2026-11-${day}T12:00:00Z`)).toBe("2026-11-15T00:00:00.000Z");
    }
    expect(start("week", "2026-11-14T23:59:59Z")).toBe("2026-11-08T00:00:00.000Z");
    // Over the end of a month, of a year, and a change of summer time.
    expect(start("week", "2027-01-01T12:00:00Z")).toBe("2026-12-27T00:00:00.000Z");
    expect(start("week", "2027-03-30T12:00:00Z", "Europe/Paris")).toBe("2027-03-27T23:00:00.000Z");
  });

  test("of the month begins on its first", () => {
    expect(start("month", "2028-02-29T12:00:00Z")).toBe("2028-02-01T00:00:00.000Z");
    expect(start("month", "2026-10-31T23:30:00Z", "Europe/Paris")).toBe("2026-10-31T23:00:00.000Z");
    expect(start("month", "2026-04-15T12:00:00Z", "Europe/Paris")).toBe("2026-03-31T22:00:00.000Z");
  });
});

describe("a cursor of the history", () => {
  test("of sales alone is an order's id, as it always was", () => {
    const position = { income: 45n, payout: null, return: null, transfer: null };
    expect(writeCursor(position)).toBe("45");
    expect(readHistoryCursor("45")).toEqual(position);
  });

  test("of several kinds says how far each was read", () => {
    for (const position of [
      { income: 45n, payout: 7n, return: null, transfer: null },
      { income: null, payout: 7n, return: 3n, transfer: null },
      { income: null, payout: null, return: 3n, transfer: null },
      { income: 45n, payout: 7n, return: 3n, transfer: null },
      { income: 45n, payout: null, return: null, transfer: 2n },
      { income: null, payout: 7n, return: 3n, transfer: 1n },
    ]) {
      expect(readHistoryCursor(writeCursor(position))).toEqual(position);
    }
  });

  test("that is none is malformed", () => {
    for (const cursor of [
      "abc",
      "-1",
      "1-2",
      "1-2-3-",
      "1-2-3-4-5",
      "1.5",
      " 1",
      "1-2-x",
      "9".repeat(19),
    ]) {
      expect(readHistoryCursor(cursor)).toBe("malformed");
    }
    const newest = { income: null, payout: null, return: null, transfer: null };
    expect([readHistoryCursor(""), readHistoryCursor(undefined)]).toEqual([newest, newest]);
  });
});
