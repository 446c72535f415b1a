import { expect, test } from "vitest";
import { sayAgo, sayShortDay, sayShortInstant } from "./time-words.fr.ts";

const NOW = Date.parse("2026-11-21T12:00:00.000Z");

test.each([
  ["2026-11-21T11:59:40.000Z", "à l'instant"],
  ["2026-11-21T11:48:00.000Z", "il y a 12 min"],
  ["2026-11-21T09:00:00.000Z", "il y a 3 h"],
  ["2026-11-20T10:00:00.000Z", "hier"],
  ["2026-11-17T10:00:00.000Z", "il y a 4 jours"],
  ["2026-11-01T10:00:00.000Z", "le 1er novembre 2026"],
  ["not a date", ""],
])("%s is said « %s »", (iso, words) => {
  expect(sayAgo(iso, NOW)).toBe(words);
});

test("the first day of a month is « 1er », in short too", () => {
  expect(sayShortDay("2026-12-01T10:00:00.000Z")).toBe("1er déc. 2026");
  expect(sayShortInstant("2026-12-01T10:05:00.000Z")).toMatch(/^1er déc\./);
  expect(sayShortDay("2026-12-11T10:00:00.000Z")).toBe("11 déc. 2026");
});
