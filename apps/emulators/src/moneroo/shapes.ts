import { textOf } from "@sesame/kernel";
import {
  asForm,
  at,
  isEmail,
  isGiven,
  isText,
  isUrl,
  isWhole,
  orNothing,
  type Rule,
} from "../kit/calls.ts";
import { type Payment, referenceKey, withQuery } from "../kit/payments.ts";
import { findNetwork, type Payout, reportedWord } from "../kit/payouts.ts";
import { isNational } from "../mobile-money/networks.ts";
import type { CheckoutMethod, PayoutRule } from "../wire.ts";

/** Moneroo's ways to pay in XOF (payment-providers.md §3.1), each under its first country. */
export const PAYMENT_METHODS: readonly CheckoutMethod[] = (
  [
    ["orange_ci", "Orange Money CI", "CI", "+225"],
    ["mtn_ci", "MTN MoMo CI", "CI", "+225"],
    ["moov_ci", "Moov Money CI", "CI", "+225"],
    ["wave_ci", "Wave CI", "CI", "+225"],
    ["orange_sn", "Orange Money Senegal", "SN", "+221"],
    ["wave_sn", "Wave Senegal", "SN", "+221"],
    ["freemoney_sn", "Free Money Senegal", "SN", "+221"],
    ["e_money_sn", "E-Money Senegal", "SN", "+221"],
    ["wizall_sn", "Wizall Senegal", "SN", "+221"],
    ["mtn_bj", "MTN MoMo Benin", "BJ", "+229"],
    ["moov_bj", "Moov Money Benin", "BJ", "+229"],
    ["togocel", "Togocel Money", "TG", "+228"],
    ["moov_tg", "Moov Money Togo", "TG", "+228"],
    ["orange_ml", "Orange Money Mali", "ML", "+223"],
    ["moov_ml", "Moov Money Mali", "ML", "+223"],
    ["mobi_cash_ml", "Mobi Cash Mali", "ML", "+223"],
    ["orange_bf", "Orange Money Burkina Faso", "BF", "+226"],
    ["moov_bf", "Moov Money Burkina Faso", "BF", "+226"],
    ["airtel_ne", "Airtel Niger", "NE", "+227"],
    ["card_xof", "Card XOF", "CI", "+225"],
  ] as const
).map(([code, name, country, dialCode]) => ({ code, name, country, dialCode }));

/** Laravel's words for a field that must be a text. */
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
    ["customer.phone", orNothing(isNumberOrText), "The customer.phone must be a string."],
    ...ofMetadata(asForm(body).metadata),
  ];
}

type MonerooCustomer = {
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
};

export function customerOf(body: unknown): MonerooCustomer {
  const text = (name: string) => textOf(at(body, `customer.${name}`));
  return {
    email: text("email"),
    first_name: text("first_name"),
    last_name: text("last_name"),
    phone: text("phone") || null,
  };
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

export type MonerooPayment = Payment & {
  customer: MonerooCustomer & { id: string };
  metadata: Record<string, string>;
  returnUrl: string;
};

/** PHP writes an empty map as an empty list. */
const phpMap = (map: Record<string, string>) => (Object.keys(map).length === 0 ? [] : map);

/** `return_url?…&paymentId=…&paymentStatus=…`, whatever the outcome (payment-providers.md §4.3). */
export const returnUrlWith = ({ id, status, returnUrl }: MonerooPayment): string =>
  status === "initiated"
    ? returnUrl
    : withQuery(returnUrl, { paymentId: id, paymentStatus: status });

/** `data` of GET /v1/payments/:id/verify (§4.4): what the app reads. */
export function verifyShape(truth: MonerooPayment): object {
  const { id, status, amount, currency: code, description, metadata } = reported(truth);
  return {
    id,
    status,
    amount,
    currency: { symbol: code, decimals: 0, code },
    description,
    environment: truth.reported?.environment ?? "sandbox",
    metadata: phpMap(metadata),
  };
}

/** The payment with its altered answers. */
function reported(payment: MonerooPayment): MonerooPayment {
  const { reported: says = {}, metadata } = payment;
  const { reference } = says;
  const renamed = reference ? { ...metadata, [referenceKey(metadata)]: reference } : metadata;
  return {
    ...payment,
    status: (says.status ?? payment.status) as MonerooPayment["status"],
    amount: Number(says.amount ?? payment.amount),
    currency: says.currency ?? payment.currency,
    metadata: reference === "" ? {} : renamed,
  };
}

/** The body of a webhook (§4.6). */
export function webhookBody(payment: MonerooPayment, event: string): object {
  const { id, amount, currency, status, customer } = payment;
  const { first_name: firstName, last_name: lastName, email } = customer;
  const phone = payment.phone ?? customer.phone;
  const person = { id: customer.id, email, firstName, lastName, phone };
  return { event, data: { id, amount, currency, status, customer: person } };
}

/** The same for payouts, also without metadata. */
export function payoutWebhookBody(
  { id, amount, customer, phone, status }: Payout,
  event: string,
): object {
  const person = customer && { customer: { ...customer, phone: phone.slice(1) } };
  return { event, data: { id, amount, currency: "XOF", status: STATUSES[status], ...person } };
}

const STATUSES: Record<Payout["status"], string> = {
  created: "initiated",
  queued: "initiated",
  pending: "pending",
  success: "success",
  failed: "failed",
};

/** `data` of GET /v1/payouts/:id/verify (§4.7): what the app reads. */
export function payoutVerifyShape(payout: Payout, fault: PayoutRule | null): object {
  const { id, amount, status, failure, operatorReference } = payout;
  return {
    id,
    status: reportedWord(STATUSES[status], fault),
    amount,
    currency: { symbol: "XOF", decimals: 0, code: "XOF" },
    description: payout.description,
    environment: "sandbox",
    metadata: phpMap(payout.metadata),
    disburse: {
      failure_message: failure,
      gateway: { transaction_id: operatorReference, transaction_failure_message: failure },
    },
  };
}
