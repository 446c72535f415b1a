import { basisPoints } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { breakEven, euroCents, mayUse, PLAN_TERMS } from "./policy.ts";

describe("the premium price", () => {
  test("is 7,62 €, worth it from 27 778 francs of sales", () => {
    expect(euroCents(PLAN_TERMS.premium.price)).toBe(762);
    expect(breakEven()).toBe(27_778n);
    const rates = { free: basisPoints(1_000), premium: basisPoints(500) };
    expect(breakEven(rates)).toBe(100_000n);
    expect(breakEven({ ...rates, premium: basisPoints(1_000) })).toBeNull();
  });

  test("opens what the free plan does not", () => {
    expect(mayUse("free", "developer-api")).toBe(false);
    expect(mayUse("premium", "developer-api")).toBe(true);
  });
});
