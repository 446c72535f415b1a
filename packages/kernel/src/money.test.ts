import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { basisPoints, fcfa, fcfaToJson, splitPrice } from "./money.ts";

const LONG = process.env.LONG === "1";
const FREE_PLAN_FEE = basisPoints(1800);

/** Decision 61 in another form: the fee is the largest that does not exceed the rate. */
function isRightSplit(price: bigint, rate: number): boolean {
  const { fee, net } = splitPrice(fcfa(price), basisPoints(rate));
  const fits = fee * 10_000n <= price * BigInt(rate);
  const isMost = (fee + 1n) * 10_000n > price * BigInt(rate);
  return fee + net === price && fee >= 0n && net >= 0n && fits && isMost;
}

describe("the split of a price", () => {
  test("gives 4 100 to the seller and 900 to the platform on 5 000", () => {
    expect(splitPrice(fcfa(5000), FREE_PLAN_FEE)).toEqual({ net: 4100n, fee: 900n });
  });

  test("rounds the fee down to the franc", () => {
    expect(splitPrice(fcfa(5), FREE_PLAN_FEE)).toEqual({ net: 5n, fee: 0n });
    expect(splitPrice(fcfa(11), FREE_PLAN_FEE)).toEqual({ net: 10n, fee: 1n });
  });

  test("makes and loses no franc for any price up to a million", () => {
    // A prime step covers every remainder; the long run tests every price.
    const step = LONG ? 1n : 37n;
    for (let price = 0n; price <= 1_000_000n; price += step) {
      if (!isRightSplit(price, 1800)) expect.fail(`wrong split of ${price}`);
    }
  });

  test("makes and loses no franc for prices up to 2⁵³ at any rate", () => {
    const property = fc.property(
      fc.bigInt({ min: 0n, max: 2n ** 53n }),
      fc.nat({ max: 10_000 }),
      (price, rate) => isRightSplit(price, rate),
    );
    fc.assert(property, { numRuns: LONG ? 1_000_000 : 2_000 });
  });

  test("of a negative price is a bug", () => {
    expect(() => splitPrice(fcfa(-1), FREE_PLAN_FEE)).toThrow("negative price");
  });
});

describe("francs", () => {
  test("are whole: a fraction, an infinity or an unsafe number is a bug", () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => fcfa(value)).toThrow("not a whole number of francs");
    }
    expect(fcfa(2 ** 53 - 1)).toBe(9_007_199_254_740_991n);
  });

  test("are numbers in JSON, or a bug", () => {
    expect(fcfaToJson(fcfa(5000n))).toBe(5000);
    expect(() => fcfaToJson(fcfa(2n ** 53n))).toThrow("does not fit");
  });
});

test("a rate is between 0 and 1, in whole ten-thousandths", () => {
  for (const value of [-1, 10_001, 18.5, Number.NaN]) {
    expect(() => basisPoints(value)).toThrow("not a rate");
  }
  expect([basisPoints(0), basisPoints(10_000)]).toEqual([0, 10_000]);
});
