import { expect, test } from "vitest";
import { sayInstant } from "./messages.fr.ts";

test.each([
  ["2026-12-01T09:00:00Z", "full", "mardi 1er décembre 2026 à 09:00"],
  ["2027-01-01T09:01:00Z", "long", "1er janvier 2027 à 09:01"],
  ["2027-01-31T01:10:00Z", "full", "dimanche 31 janvier 2027 à 01:10"],
  ["2027-01-11T11:11:00Z", "long", "11 janvier 2027 à 11:11"],
] as const)("the instant %s is said %s: « %s »", (at, style, words) => {
  expect(sayInstant(new Date(at), "Africa/Abidjan", style)).toBe(words);
});
