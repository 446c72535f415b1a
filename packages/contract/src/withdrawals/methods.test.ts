import { describe, expect, test } from "vitest";
import {
  DEFAULT_PAYOUT_METHOD,
  PAYOUT_COUNTRIES,
  PAYOUT_METHOD_IDS,
  PAYOUT_METHODS,
} from "./methods.fr.ts";
import { PAYOUT_OPERATORS } from "./messages.fr.ts";

describe("the payout methods", () => {
  test("are those of B §3, country by country, and the first is the default", () => {
    const of = (country: string) =>
      PAYOUT_METHOD_IDS.filter((id) => PAYOUT_METHODS[id].country === country);
    expect(of("CI")).toEqual(["orange-money-ci", "mtn-ci", "moov-ci", "wave-ci"]);
    expect(of("SENEGAL")).toEqual([
      "orange-money-senegal",
      "free-money-senegal",
      "expresso-senegal",
      "wave-senegal",
    ]);
    expect(of("BENIN")).toEqual(["mtn-benin", "moov-benin"]);
    expect(of("TOGO")).toEqual(["t-money-togo", "moov-togo"]);
    expect(of("MALI")).toEqual(["orange-money-mali"]);
    expect(of("BURKINA")).toEqual(["orange-money-burkina", "moov-burkina-faso"]);
    expect(DEFAULT_PAYOUT_METHOD).toBe("orange-money-ci");
  });

  test("have the codes of B §3 for operators and countries", () => {
    const operators = ["ORANGE", "MTN", "MOOV", "WAVE", "FREE", "EXPRESSO", "TMONEY"];
    expect([...PAYOUT_OPERATORS].sort()).toEqual(operators.sort());
    const countries = ["CI", "SENEGAL", "BENIN", "TOGO", "MALI", "BURKINA"];
    expect([...PAYOUT_COUNTRIES].sort()).toEqual(countries.sort());
    const used = PAYOUT_METHOD_IDS.map((id) => PAYOUT_METHODS[id]);
    expect(new Set(used.map(({ operator }) => operator)).size).toBe(operators.length);
    expect(new Set(used.map(({ country }) => country)).size).toBe(countries.length);
  });
});
