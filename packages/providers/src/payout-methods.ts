import { type Fcfa, fcfa } from "@sesame/kernel";
import type { RailRefusal, PayoutMethod } from "./port.ts";

export type PayoutCountry = { readonly iso2: string; readonly dial: string };

const CI: PayoutCountry = { iso2: "ci", dial: "225" };
const SN: PayoutCountry = { iso2: "sn", dial: "221" };
const BJ: PayoutCountry = { iso2: "bj", dial: "229" };
const TG: PayoutCountry = { iso2: "tg", dial: "228" };
const ML: PayoutCountry = { iso2: "ml", dial: "223" };
const BF: PayoutCountry = { iso2: "bf", dial: "226" };

type MethodTerms = PayoutCountry & {
  /**
   * Each provider's name of the method; null: the provider does not send to it. PayDunya's names
   * are also ours.
   */
  readonly moneroo: string | null;
  readonly fedapay: string | null;
};

/** The methods that a provider sends to, with the countries of their numbers. */
const METHODS: ReadonlyMap<PayoutMethod, MethodTerms> = new Map([
  ["orange-money-ci", { ...CI, moneroo: "orange_ci", fedapay: "orange_ci" }],
  ["mtn-ci", { ...CI, moneroo: "mtn_ci", fedapay: "mtn_ci" }],
  ["moov-ci", { ...CI, moneroo: "moov_ci", fedapay: "moov_ci" }],
  ["wave-ci", { ...CI, moneroo: "wave_ci", fedapay: "wave_ci" }],
  ["orange-money-senegal", { ...SN, moneroo: "orange_sn", fedapay: "orange_sn" }],
  ["free-money-senegal", { ...SN, moneroo: "freemoney_sn", fedapay: "free_sn" }],
  ["expresso-senegal", { ...SN, moneroo: "e_money_sn", fedapay: null }],
  ["wave-senegal", { ...SN, moneroo: "wave_sn", fedapay: "wave_sn" }],
  ["mtn-benin", { ...BJ, moneroo: "mtn_bj", fedapay: "mtn_open" }],
  ["moov-benin", { ...BJ, moneroo: "moov_bj", fedapay: "moov" }],
  ["t-money-togo", { ...TG, moneroo: "togocel", fedapay: "togocel" }],
  ["moov-togo", { ...TG, moneroo: "moov_tg", fedapay: "moov_tg" }],
  ["orange-money-mali", { ...ML, moneroo: "orange_ml", fedapay: "orange_ml" }],
  // Orange in Burkina has two spellings: see `modeOf`.
  ["orange-money-burkina", { ...BF, moneroo: null, fedapay: "orange-bf" }],
  ["moov-burkina-faso", { ...BF, moneroo: null, fedapay: "moov_bf" }],
]);

export function termsOf(method: PayoutMethod): MethodTerms | null {
  return METHODS.get(method) ?? null;
}

export type PayoutNumber = PayoutCountry & {
  /** +2250701020304 */
  readonly e164: string;
  /** 2250701020304 */
  readonly digits: string;
  /** 0701020304 */
  readonly local: string;
};

/** A number in the forms of the providers; null unless it is of the method's country. */
export function readPayoutNumber(method: PayoutMethod, phone: string): PayoutNumber | null {
  const terms = termsOf(method);
  if (!terms || !/^\+\d{8,15}$/.test(phone)) return null;
  const { iso2, dial } = terms;
  const digits = phone.slice(1);
  if (!digits.startsWith(dial)) return null;
  return { iso2, dial, e164: phone, digits, local: digits.slice(dial.length) };
}

export type RailLimits = { readonly min: number; readonly max: number | null };

/** Null when the rail can send the amount. */
export function refuseAmount(amount: Fcfa, { min, max }: RailLimits): RailRefusal | null {
  if (amount >= BigInt(min) && (max === null || amount <= BigInt(max))) return null;
  return { kind: "amount", min: fcfa(min), max: max === null ? null : fcfa(max) };
}
