import { textOf } from "@sesame/kernel";
import { isNational } from "../mobile-money/networks.ts";
import { asForm } from "../kit/calls.ts";
import { at, isEmail, isGiven, isText, isUrl, isWhole, orNothing, type Rule } from "../kit/form.ts";
import { findNetwork } from "../kit/payouts.ts";

export const COUNTRIES: Record<string, { name: string; dialCode: string }> = {
  BJ: { name: "Benin", dialCode: "+229" },
  BF: { name: "Burkina Faso", dialCode: "+226" },
  CI: { name: "Ivory Coast", dialCode: "+225" },
  ML: { name: "Mali", dialCode: "+223" },
  NE: { name: "Niger", dialCode: "+227" },
  SN: { name: "Senegal", dialCode: "+221" },
  TG: { name: "Togo", dialCode: "+228" },
};

const ROWS: [code: string, name: string, ...countries: string[]][] = [
  ["orange_ci", "Orange Money CI", "CI"],
  ["mtn_ci", "MTN MoMo CI", "CI"],
  ["moov_ci", "Moov Money CI", "CI"],
  ["wave_ci", "Wave CI", "CI"],
  ["orange_sn", "Orange Money Senegal", "SN"],
  ["wave_sn", "Wave Senegal", "SN"],
  ["freemoney_sn", "Free Money Senegal", "SN"],
  ["e_money_sn", "E-Money Senegal", "SN"],
  ["wizall_sn", "Wizall Senegal", "SN"],
  ["mtn_bj", "MTN MoMo Benin", "BJ"],
  ["moov_bj", "Moov Money Benin", "BJ"],
  ["togocel", "Togocel Money", "TG"],
  ["moov_tg", "Moov Money Togo", "TG"],
  ["orange_ml", "Orange Money Mali", "ML"],
  ["moov_ml", "Moov Money Mali", "ML"],
  ["mobi_cash_ml", "Mobi Cash Mali", "ML"],
  ["orange_bf", "Orange Money Burkina Faso", "BF"],
  ["moov_bf", "Moov Money Burkina Faso", "BF"],
  ["airtel_ne", "Airtel Niger", "NE"],
  ["card_xof", "Card XOF", "CI", "BF", "TG", "BJ", "ML"],
];

/** Moneroo's ways to pay in XOF (payment-providers.md §3.1). */
export const PAYMENT_METHODS = ROWS.map(([code, name, ...countries]) => ({
  code,
  name,
  countries,
}));

/** What Laravel says of a field that must be a text. */
const required = (field: string): Rule[] => {
  const words = field.replaceAll("_", " ");
  return [
    [field, isGiven, `The ${words} field is required.`],
    [field, isText, `The ${words} must be a string.`],
  ];
};

const AMOUNT: readonly Rule[] = [
  ["amount", isGiven, "The amount field is required."],
  ["amount", isWhole, "The amount must be an integer."],
  ["amount", (value) => Number(value) >= 1, "The amount must be at least 1."],
];
const NAMES = [...required("customer.first_name"), ...required("customer.last_name")];
const DETAILS = ["phone", "address", "city", "state", "country", "zip"] as const;
const isNumberOrText = (value: unknown) => typeof value === "number" || typeof value === "string";

const ofMetadata = (metadata: unknown): Rule[] => [
  [
    "metadata",
    (value) => !isGiven(value) || typeof value === "object",
    "The metadata must be an array.",
  ],
  ...Object.entries(asForm(metadata)).map(
    ([key, entry]): Rule => [
      `metadata.${key}`,
      () => typeof entry === "string",
      `The metadata.${key} must be a string.`,
    ],
  ),
];

/** The body of `POST /v1/payments/initialize` (payment-providers.md §4.2). */
export function paymentRules(body: unknown): Rule[] {
  const { methods, metadata, restrict_country_code: country } = asForm(body);
  const isKnown = (code: unknown) => PAYMENT_METHODS.some((method) => method.code === code);
  return [
    ...AMOUNT,
    ...required("currency"),
    ["currency", (value) => value === "XOF", "No payment methods enabled for this currency."],
    ...required("description"),
    ...required("return_url"),
    ["return_url", isUrl, "The return url must be a valid URL."],
    ...required("customer.email"),
    ["customer.email", isEmail, "The customer.email must be a valid email address."],
    ...NAMES,
    ...DETAILS.map(
      (name): Rule => [
        `customer.${name}`,
        orNothing(name === "phone" ? isNumberOrText : isText),
        `The customer.${name} must be a string.`,
      ],
    ),
    ...ofMetadata(metadata),
    ["methods", orNothing(Array.isArray), "The methods must be an array."],
    [
      "methods",
      (value) => !isGiven(value) || !isGiven(country),
      "The methods field is prohibited when restrict country code is present.",
    ],
    ...(Array.isArray(methods) ? methods : []).map(
      (code: unknown, index): Rule => [
        `methods.${index}`,
        () => isKnown(code),
        `The selected methods.${index} is invalid.`,
      ],
    ),
    [
      "restrict_country_code",
      (value) => !isGiven(value) || Object.hasOwn(COUNTRIES, textOf(value)),
      "The selected restrict country code is invalid.",
    ],
  ];
}

/** Codes of the ways to pay that the app lets its customer choose from. */
export function methodsAsked(body: unknown): string[] {
  const { methods, restrict_country_code: country } = asForm(body);
  if (Array.isArray(methods)) return methods.map(String);
  const served = PAYMENT_METHODS.filter(
    ({ countries }) => !isGiven(country) || countries.includes(textOf(country)),
  );
  return served.map(({ code }) => code);
}

export type MonerooCustomer = { email: string; first_name: string; last_name: string } & Record<
  (typeof DETAILS)[number],
  string | null
>;

export function customerOf(body: unknown): MonerooCustomer {
  const given = asForm(asForm(body).customer);
  const text = (name: string) => (isGiven(given[name]) ? textOf(given[name]) : null);
  const details = Object.fromEntries(DETAILS.map((name) => [name, text(name)]));
  const names = {
    email: text("email"),
    first_name: text("first_name"),
    last_name: text("last_name"),
  };
  return { ...names, ...details } as MonerooCustomer;
}

export const metadataOf = (body: unknown): Record<string, string> =>
  asForm(asForm(body).metadata) as Record<string, string>;

/** International digits without `+`: a number, or a text of digits. */
export const msisdnOf = (body: unknown): string => textOf(at(body, "recipient.msisdn"));

/** The body of `POST /v1/payouts/initialize` (§4.7). */
export function payoutRules(body: unknown): Rule[] {
  const { method, metadata } = asForm(body);
  const network = findNetwork("moneroo", method);
  const isTheirs = (digits: string) =>
    network === undefined ||
    (digits.startsWith(network.dial) && isNational(network, digits.slice(network.dial.length)));
  return [
    ...AMOUNT,
    ...required("currency"),
    ["currency", (value) => value === "XOF", "No payout methods enabled for this currency."],
    ...required("description"),
    ...required("method"),
    ["method", () => network !== undefined, "The selected method is invalid."],
    [
      "recipient.msisdn",
      (value) => isNumberOrText(value) && /^\d+$/.test(textOf(value)),
      "The recipient.msisdn must be an integer.",
    ],
    [
      "recipient.msisdn",
      (value) => isTheirs(textOf(value)),
      "The recipient.msisdn format is invalid.",
    ],
    ...required("customer.email"),
    ...NAMES,
    ...ofMetadata(metadata),
  ];
}
