import { type Fcfa, fcfa } from "@sesame/kernel";
import type { LaneRefusal, PayoutMethod } from "./payout-port.ts";

export type PayoutCountry = { readonly iso2: string; readonly dial: string };

const CI: PayoutCountry = { iso2: "ci", dial: "225" };
const SN: PayoutCountry = { iso2: "sn", dial: "221" };
const BJ: PayoutCountry = { iso2: "bj", dial: "229" };
const TG: PayoutCountry = { iso2: "tg", dial: "228" };
const ML: PayoutCountry = { iso2: "ml", dial: "223" };
const BF: PayoutCountry = { iso2: "bf", dial: "226" };

/** The fifteen methods and where their numbers live (reference §3, §3.2). */
const COUNTRIES: ReadonlyMap<PayoutMethod, PayoutCountry> = new Map([
  ["orange-money-ci", CI],
  ["mtn-ci", CI],
  ["moov-ci", CI],
  ["wave-ci", CI],
  ["orange-money-senegal", SN],
  ["free-money-senegal", SN],
  ["expresso-senegal", SN],
  ["wave-senegal", SN],
  ["mtn-benin", BJ],
  ["moov-benin", BJ],
  ["t-money-togo", TG],
  ["moov-togo", TG],
  ["orange-money-mali", ML],
  ["orange-money-burkina", BF],
  ["moov-burkina-faso", BF],
]);

export function isPayoutMethod(method: PayoutMethod): boolean {
  return COUNTRIES.has(method);
}

export type PayoutNumber = PayoutCountry & {
  /** +2250701020304 */
  readonly e164: string;
  /** 2250701020304 */
  readonly digits: string;
  /** 0701020304 */
  readonly local: string;
};

/** A number in the shapes providers want; null when it is not one of the method's country. */
export function readPayoutNumber(method: PayoutMethod, phone: string): PayoutNumber | null {
  const country = COUNTRIES.get(method);
  if (!country || !/^\+\d{8,15}$/.test(phone)) return null;
  const digits = phone.slice(1);
  if (!digits.startsWith(country.dial)) return null;
  return { ...country, e164: phone, digits, local: digits.slice(country.dial.length) };
}

export type LaneLimits = { readonly min: number; readonly max: number | null };

/** Null when the amount is one the lane sends. */
export function refuseAmount(amount: Fcfa, { min, max }: LaneLimits): LaneRefusal | null {
  if (amount >= BigInt(min) && (max === null || amount <= BigInt(max))) return null;
  return { kind: "amount", min: fcfa(min), max: max === null ? null : fcfa(max) };
}
