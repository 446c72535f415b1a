import type { PayoutMethodId } from "../settings/policy.ts";

// Apart: a table, which a buyer who is given money back loads without the sentences of withdrawals.

/** B §3: what the wire calls `pays` and `operateur`. */
export const PAYOUT_COUNTRIES = ["CI", "SENEGAL", "BENIN", "TOGO", "MALI", "BURKINA"] as const;
export type PayoutCountry = (typeof PAYOUT_COUNTRIES)[number];

export const PAYOUT_OPERATORS = [
  "ORANGE",
  "MTN",
  "MOOV",
  "WAVE",
  "FREE",
  "EXPRESSO",
  "TMONEY",
] as const;
export type PayoutOperator = (typeof PAYOUT_OPERATORS)[number];

export const DEFAULT_PAYOUT_METHOD: PayoutMethodId = "orange-money-ci";

export type CountryTerms = {
  readonly id: PayoutCountry;
  readonly iso2: string;
  readonly name: string;
  /** "du Bénin", as a sentence needs it. */
  readonly of: string;
  readonly dial: string;
  /** Digits of a number as people of the country write it. */
  readonly nationalLength: number;
  readonly flag: string;
};

export const COUNTRY_TERMS: Readonly<Record<PayoutCountry, CountryTerms>> = {
  CI: {
    id: "CI",
    iso2: "CI",
    name: "Côte d'Ivoire",
    of: "de Côte d'Ivoire",
    dial: "225",
    nationalLength: 10,
    flag: "🇨🇮",
  },
  SENEGAL: {
    id: "SENEGAL",
    iso2: "SN",
    name: "Sénégal",
    of: "du Sénégal",
    dial: "221",
    nationalLength: 9,
    flag: "🇸🇳",
  },
  BENIN: {
    id: "BENIN",
    iso2: "BJ",
    name: "Bénin",
    of: "du Bénin",
    dial: "229",
    nationalLength: 10,
    flag: "🇧🇯",
  },
  TOGO: {
    id: "TOGO",
    iso2: "TG",
    name: "Togo",
    of: "du Togo",
    dial: "228",
    nationalLength: 8,
    flag: "🇹🇬",
  },
  MALI: {
    id: "MALI",
    iso2: "ML",
    name: "Mali",
    of: "du Mali",
    dial: "223",
    nationalLength: 8,
    flag: "🇲🇱",
  },
  BURKINA: {
    id: "BURKINA",
    iso2: "BF",
    name: "Burkina Faso",
    of: "du Burkina Faso",
    dial: "226",
    nationalLength: 8,
    flag: "🇧🇫",
  },
};

/** Drawn by the app itself: letters on the brand's colour, no image from elsewhere. */
export type OperatorBrand = {
  readonly name: string;
  readonly letters: string;
  readonly background: string;
  readonly ink: string;
};

export const OPERATOR_BRANDS: Readonly<Record<PayoutOperator, OperatorBrand>> = {
  ORANGE: { name: "Orange Money", letters: "OM", background: "#ff7900", ink: "#000000" },
  MTN: { name: "MTN", letters: "MTN", background: "#ffcc00", ink: "#000000" },
  MOOV: { name: "Moov", letters: "Mv", background: "#0058a3", ink: "#ffffff" },
  WAVE: { name: "Wave", letters: "W", background: "#1dc8ff", ink: "#000000" },
  FREE: { name: "Free Money", letters: "F", background: "#c8102e", ink: "#ffffff" },
  EXPRESSO: { name: "Expresso", letters: "E", background: "#5b2c86", ink: "#ffffff" },
  TMONEY: { name: "T-Money", letters: "T", background: "#ffd100", ink: "#000000" },
};

export type PayoutMethodTerms = {
  readonly id: PayoutMethodId;
  readonly country: PayoutCountry;
  readonly operator: PayoutOperator;
  /** "Orange Money CI". */
  readonly label: string;
};

export const PAYOUT_METHODS: Readonly<Record<PayoutMethodId, PayoutMethodTerms>> = {
  "orange-money-ci": method("orange-money-ci", "CI", "ORANGE", "Orange Money CI"),
  "mtn-ci": method("mtn-ci", "CI", "MTN", "MTN CI"),
  "moov-ci": method("moov-ci", "CI", "MOOV", "Moov CI"),
  "wave-ci": method("wave-ci", "CI", "WAVE", "Wave CI"),
  "orange-money-senegal": method(
    "orange-money-senegal",
    "SENEGAL",
    "ORANGE",
    "Orange Money Sénégal",
  ),
  "free-money-senegal": method("free-money-senegal", "SENEGAL", "FREE", "Free Money Sénégal"),
  "expresso-senegal": method("expresso-senegal", "SENEGAL", "EXPRESSO", "Expresso Sénégal"),
  "wave-senegal": method("wave-senegal", "SENEGAL", "WAVE", "Wave Sénégal"),
  "mtn-benin": method("mtn-benin", "BENIN", "MTN", "MTN Bénin"),
  "moov-benin": method("moov-benin", "BENIN", "MOOV", "Moov Bénin"),
  "t-money-togo": method("t-money-togo", "TOGO", "TMONEY", "T-Money Togo"),
  "moov-togo": method("moov-togo", "TOGO", "MOOV", "Moov Togo"),
  "orange-money-mali": method("orange-money-mali", "MALI", "ORANGE", "Orange Money Mali"),
  "orange-money-burkina": method(
    "orange-money-burkina",
    "BURKINA",
    "ORANGE",
    "Orange Money Burkina",
  ),
  "moov-burkina-faso": method("moov-burkina-faso", "BURKINA", "MOOV", "Moov Burkina Faso"),
};

export function isPayoutMethod(value: unknown): value is PayoutMethodId {
  return typeof value === "string" && Object.hasOwn(PAYOUT_METHODS, value);
}

/** Its own id when it is no method of ours any more. */
export function sayMethod(id: string): string {
  return isPayoutMethod(id) ? PAYOUT_METHODS[id].label : id;
}

function method(
  id: PayoutMethodId,
  ...[country, operator, label]: [PayoutCountry, PayoutOperator, string]
): PayoutMethodTerms {
  return { id, country, operator, label };
}
