import { basisPoints } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../settings/policy.ts";
import { comparePlans } from "./comparison.fr.ts";
import { breakEven, euroCents, groupsInQuota, mayUse, PLAN_TERMS } from "./policy.ts";

const group = (id: number, day: number, quotaRank: number | null = null) => ({
  id: BigInt(id),
  quotaRank,
  linkedAt: new Date(2026, 0, day),
});

describe("the quota of groups", () => {
  test("keeps the three oldest, and all on premium", () => {
    const groups = [group(4, 4), group(1, 2), group(2, 1), group(3, 3)];
    expect(groupsInQuota("free", groups)).toEqual(new Set([2n, 1n, 3n]));
    expect(groupsInQuota("premium", groups).size).toBe(4);
  });

  test("follows the seller's own choice first", () => {
    const groups = [group(1, 1), group(2, 2), group(3, 3), group(4, 4, 1), group(5, 5, 2)];
    expect(groupsInQuota("free", groups)).toEqual(new Set([4n, 5n, 1n]));
  });
});

describe("the premium price", () => {
  test("is 7,62 €, worth it from 27 778 francs of sales", () => {
    expect(euroCents(PLAN_TERMS.premium.price)).toBe(762);
    expect(breakEven()).toBe(27_778n);
    const rates = { free: basisPoints(1_000), premium: basisPoints(500) };
    expect(breakEven(rates)).toBe(100_000n);
    expect(breakEven({ ...rates, premium: basisPoints(1_000) })).toBeNull();
  });

  test("buys what stands beside the free plan's terms, line by line", () => {
    const terms = comparePlans(DEFAULT_SETTINGS.feeRates).map(({ key, free, premium }) => [
      key,
      [free, premium],
    ]);
    expect(Object.fromEntries(terms)).toMatchObject({
      fee: ["18 %", "0 %"],
      "own-aggregators": ["Intégrées", "Intégrées et vos propres clés"],
      "instant-withdrawals": ["Une fois par semaine", "À tout moment"],
      "custom-configuration": ["Non", "Oui"],
    });
  });

  test("opens what the free plan does not", () => {
    expect(mayUse("free", "developer-api")).toBe(false);
    expect(mayUse("premium", "developer-api")).toBe(true);
  });
});
