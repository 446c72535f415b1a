import { basisPoints } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../back-office/policy.ts";
import { breakEven, euroCents, mayUse } from "./policy.ts";

describe("the premium price", () => {
  test("is 7,62 €, and pays off from 27 778 francs of sales", () => {
    expect(euroCents(DEFAULT_SETTINGS.premium.price)).toBe(762);
    expect(breakEven(DEFAULT_SETTINGS)).toBe(27_778n);
    const rates = { free: basisPoints(1_000), premium: basisPoints(500) };
    const even = { ...rates, premium: basisPoints(1_000) };
    expect(breakEven({ ...DEFAULT_SETTINGS, fee_rates: rates })).toBe(100_000n);
    expect(breakEven({ ...DEFAULT_SETTINGS, fee_rates: even })).toBeNull();
  });

  test("includes what the free plan does not", () => {
    expect(mayUse("free", "developer-api")).toBe(false);
    expect(mayUse("premium", "developer-api")).toBe(true);
  });
});
