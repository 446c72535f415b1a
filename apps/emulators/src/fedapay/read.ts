import { textOf } from "@sesame/kernel";
import { asForm } from "../kit/calls.ts";
import { isEmail, isGiven, isText, isUrl, isWhole, type Rule } from "../kit/form.ts";
import { findNetwork } from "../kit/payouts.ts";
import { fullNumber, type Network } from "../mobile-money/networks.ts";
import { FIELD_WORDS as WORDS } from "../kit/words.fr.ts";

type Form = Record<string, unknown>;

const amountUpTo = (max: number): Rule[] => [
  ["amount", (value) => isWhole(value) && value >= 1, WORDS.integer],
  ["amount", (value) => Number(value) <= max, WORDS.atMost(max)],
];
const CURRENCY: Rule = ["currency", (value) => asForm(value).iso === "XOF", WORDS.wrong];
const referenceRules = (isUsed: (reference: string) => boolean): Rule[] => [
  ["merchant_reference", (value) => !isGiven(value) || isText(value), WORDS.wrong],
  ["merchant_reference", (value) => !isText(value) || !isUsed(value), WORDS.taken],
];

/** A number with or without its country's code; null: it is none of that network's. */
export function phoneOf(value: unknown, network: Network): string | null {
  const { number, country } = asForm(value);
  if (country !== network.iso.toLowerCase() || !isText(number)) return null;
  return fullNumber(network, number);
}

/** The body of `POST /v1/payouts` (payment-providers.md §5.6). */
export function payoutRules(body: unknown, isUsed: (reference: string) => boolean): Rule[] {
  const { mode, customer } = asForm(body);
  const network = findNetwork("fedapay", mode);
  const { phone_number: phone } = asForm(customer);
  const isAtHome = network && asForm(phone).country === network.iso.toLowerCase();
  return [
    ...amountUpTo(1_000_000),
    CURRENCY,
    ["mode", () => network !== undefined, WORDS.wrong],
    ...referenceRules(isUsed),
    ...["firstname", "lastname", "email"].map(
      (name): Rule => [`customer.${name}`, isText, WORDS.empty],
    ),
    ["customer.phone_number.country", () => isAtHome !== false, WORDS.wrong],
    [
      "customer.phone_number.number",
      () => !network || !isAtHome || phoneOf(phone, network) !== null,
      WORDS.wrong,
    ],
  ];
}

export function payoutGiven(body: unknown, network: Network) {
  const form = asForm(body);
  const customer = asForm(form.customer);
  const metadata = Object.entries(asForm(form.custom_metadata));
  return {
    amount: Number(form.amount),
    method: textOf(form.mode),
    phone: phoneOf(customer.phone_number, network) ?? "",
    reference: textOrNull(form.merchant_reference),
    description: textOf(form.description),
    customer: {
      firstName: textOf(customer.firstname),
      lastName: textOf(customer.lastname),
      email: textOf(customer.email),
    },
    metadata: Object.fromEntries(metadata.map(([key, entry]) => [key, textOf(entry)])),
  };
}

const textOrNull = (value: unknown): string | null => (isText(value) ? value : null);

/** The body of `POST /v1/transactions` (§5.2): of the customer all may be left out. */
export function transactionRules(isUsed: (reference: string) => boolean): Rule[] {
  const textLike = (pattern: RegExp) => (value: unknown) => !isText(value) || pattern.test(value);
  return [
    ...amountUpTo(3_000_000),
    CURRENCY,
    ["description", isText, WORDS.empty],
    ["callback_url", (value) => !isText(value) || isUrl(value), WORDS.wrong],
    ...referenceRules(isUsed),
    ["customer.email", (value) => !isText(value) || isEmail(value), WORDS.wrong],
    ["customer.phone_number.number", textLike(/^\+?[0-9 ]{6,20}$/), WORDS.wrong],
    ["customer.phone_number.country", textLike(/^[a-z]{2}$/i), WORDS.wrong],
  ];
}

export function transactionGiven(body: unknown) {
  const form = asForm(body);
  const customer = asForm(form.customer);
  const { number, country } = asForm(customer.phone_number) as Form;
  return {
    amount: Number(form.amount),
    description: textOf(form.description),
    returnUrl: textOrNull(form.callback_url),
    reference: textOrNull(form.merchant_reference),
    metadata: asForm(form.custom_metadata),
    customer: {
      firstname: textOrNull(customer.firstname),
      lastname: textOrNull(customer.lastname),
      email: textOrNull(customer.email),
      phone: isText(number) && isText(country) ? { number, country } : null,
    },
  };
}
