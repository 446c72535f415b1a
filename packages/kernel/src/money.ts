import { assert } from "./results.ts";

/** A whole number of francs CFA (XOF has no minor unit). Never a float. */
export type Fcfa = bigint & { readonly __unit: "fcfa" };

export const ZERO_FCFA = 0n as Fcfa;

/** Francs from an integer. Throws a Bug if `value` is not a safe whole number. */
export function fcfa(value: bigint | number): Fcfa {
  if (typeof value === "number") {
    assert(Number.isSafeInteger(value), `not a whole number of francs: ${value}`);
    return BigInt(value) as Fcfa;
  }
  return value as Fcfa;
}

/** The integer for a JSON body. Throws a Bug above 2^53, which a JSON number cannot hold exactly. */
export function fcfaToJson(amount: Fcfa): number {
  const value = Number(amount);
  assert(Number.isSafeInteger(value), `amount does not fit a JSON number: ${amount}`);
  return value;
}

/** A rate in ten-thousandths: 18 % is 1 800. */
export type BasisPoints = number & { readonly __unit: "basis-points" };

export function basisPoints(value: number): BasisPoints {
  assert(Number.isInteger(value) && value >= 0 && value <= 10_000, `not a rate: ${value}`);
  return value as BasisPoints;
}

export type SplitPrice = { readonly fee: Fcfa; readonly net: Fcfa };

/**
 * Splits a price into the platform's fee and the seller's net, in francs.
 * The fee is rounded down to the franc; the parts always add up to the price (decision 61).
 */
export function splitPrice(price: Fcfa, rate: BasisPoints): SplitPrice {
  assert(price >= 0n, `negative price: ${price}`);
  const fee = ((price as bigint) * BigInt(rate)) / 10_000n;
  return { fee: fee as Fcfa, net: (price - fee) as Fcfa };
}
