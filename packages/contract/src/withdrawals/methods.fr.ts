import type { PayoutOperator } from "./messages.fr.ts";

// A file of its own: a buyer who receives a refund loads this table without the sentences of withdrawals.

/** B §3: what the wire calls `pays` and `operateur`. */
export type PayoutCountry = keyof typeof COUNTRY_TERMS;

export type CountryTerms = {
  readonly name: string;
  /** "du Bénin", for use in a sentence. */
  readonly of: string;
  readonly dial: string;
  /** Digits of a number in the country's national form. */
  readonly nationalLength: number;
  /** First digits of a mobile number; `[""]`: the reference documents none, so any digits count. */
  readonly starts: readonly string[];
};

export const COUNTRY_TERMS = {
  CI: {
    name: "Côte d'Ivoire",
    of: "de Côte d'Ivoire",
    dial: "225",
    nationalLength: 10,
    starts: ["01", "05", "07"],
  },
  SENEGAL: { name: "Sénégal", of: "du Sénégal", dial: "221", nationalLength: 9, starts: ["7"] },
  BENIN: { name: "Bénin", of: "du Bénin", dial: "229", nationalLength: 10, starts: ["01"] },
  TOGO: { name: "Togo", of: "du Togo", dial: "228", nationalLength: 8, starts: [""] },
  MALI: { name: "Mali", of: "du Mali", dial: "223", nationalLength: 8, starts: [""] },
  BURKINA: {
    name: "Burkina Faso",
    of: "du Burkina Faso",
    dial: "226",
    nationalLength: 8,
    starts: [""],
  },
} as const satisfies Readonly<Record<string, CountryTerms>>;
export const PAYOUT_COUNTRIES = Object.keys(COUNTRY_TERMS) as readonly PayoutCountry[];

type Known = {
  /**
   * First digits of the operator's numbers, where they identify it. Wave is a wallet on the number
   * of any operator.
   */
  readonly prefixes?: readonly string[];
  /** The operator's minimum in francs until a setting changes it; 100 where it is unknown. */
  readonly min?: number;
};

type MethodRow = readonly [string, PayoutCountry, PayoutOperator, label: string, known?: Known];

/** B §3: one row for each payout method; its cash float, settings and form fields are derived from it. */
const ROWS = [
  ["orange-money-ci", "CI", "ORANGE", "Orange Money CI", { prefixes: ["07"] }],
  ["mtn-ci", "CI", "MTN", "MTN CI", { prefixes: ["05"] }],
  ["moov-ci", "CI", "MOOV", "Moov CI", { prefixes: ["01"], min: 500 }],
  ["wave-ci", "CI", "WAVE", "Wave CI"],
  ["orange-money-senegal", "SENEGAL", "ORANGE", "Orange Money Sénégal", { prefixes: ["77", "78"] }],
  ["free-money-senegal", "SENEGAL", "FREE", "Free Money Sénégal", { prefixes: ["76"] }],
  ["expresso-senegal", "SENEGAL", "EXPRESSO", "Expresso Sénégal", { prefixes: ["70"] }],
  ["wave-senegal", "SENEGAL", "WAVE", "Wave Sénégal"],
  ["mtn-benin", "BENIN", "MTN", "MTN Bénin"],
  ["moov-benin", "BENIN", "MOOV", "Moov Bénin"],
  ["t-money-togo", "TOGO", "TMONEY", "T-Money Togo"],
  ["moov-togo", "TOGO", "MOOV", "Moov Togo"],
  ["orange-money-mali", "MALI", "ORANGE", "Orange Money Mali"],
  ["orange-money-burkina", "BURKINA", "ORANGE", "Orange Money Burkina"],
  ["moov-burkina-faso", "BURKINA", "MOOV", "Moov Burkina Faso"],
] as const satisfies readonly MethodRow[];

export type PayoutMethodId = (typeof ROWS)[number][0];
export const PAYOUT_METHOD_IDS: readonly PayoutMethodId[] = ROWS.map(([id]) => id);

const METHODS = ROWS.map(([id, country, operator, label, known]: MethodRow) => {
  return { id: id as PayoutMethodId, country, operator, label, ...known };
});

export const PAYOUT_METHODS = Object.fromEntries(
  METHODS.map((method) => [method.id, method]),
) as Readonly<Record<PayoutMethodId, (typeof METHODS)[number]>>;

export const DEFAULT_PAYOUT_METHOD: PayoutMethodId = "orange-money-ci";

/** Without `oneOf`: a buyer who receives a refund loads this file, and would load the kernel with it. */
export function isPayoutMethod(value: unknown): value is PayoutMethodId {
  return typeof value === "string" && Object.hasOwn(PAYOUT_METHODS, value);
}

/** The id itself when it is no current method. */
export function sayMethod(id: string): string {
  return isPayoutMethod(id) ? PAYOUT_METHODS[id].label : id;
}

export function withoutSpacing(raw: string): string {
  return raw.replace(/[\s\u00a0\u202f.\-()/]/g, "");
}

/**
 * An international number in groups, for a person to confirm: "+225 07 01 02 03 04", however it was
 * spaced. Any other text stays unchanged.
 */
export function groupPhone(written: string): string {
  const e164 = withoutSpacing(written);
  const terms = Object.values(COUNTRY_TERMS).find(({ dial }) => e164.startsWith(`+${dial}`));
  if (terms === undefined || !/^\+\d+$/.test(e164)) return written;
  return grouped(e164.slice(terms.dial.length + 1), terms);
}

function grouped(national: string, terms: CountryTerms): string {
  const groups =
    terms === COUNTRY_TERMS.SENEGAL
      ? [national.slice(0, 2), national.slice(2, 5), national.slice(5, 7), national.slice(7)]
      : (national.match(/.{1,2}/g) ?? []);
  return [`+${terms.dial}`, ...groups.filter((group) => group !== "")].join(" ");
}

/**
 * The form of a method's number: "+229 01 XX XX XX XX". It shows the first digits where they are
 * known and the same for all.
 */
export function phoneShape(method: PayoutMethodId): string {
  const { country, prefixes } = PAYOUT_METHODS[method];
  const terms = COUNTRY_TERMS[country];
  const starts = prefixes ?? terms.starts;
  let [known = ""] = starts;
  while (!starts.every((each) => each.startsWith(known))) known = known.slice(0, -1);
  return grouped(known.padEnd(terms.nationalLength, "X"), terms);
}
