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
import { MONEROO_MESSAGES } from "../kit/messages.fr.ts";
import { isNational } from "../mobile-money/networks.ts";
import type { CheckoutMethod, PaymentStatus, PayoutRule } from "../wire.ts";

/** Moneroo's ways to pay in XOF, each under its first country. */
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

/** The body of `POST /v1/payments/initialize`. */
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

export function customerOf(body: unknown) {
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

/** The body of `POST /v1/payouts/initialize`. */
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
  customer: ReturnType<typeof customerOf> & { id: string };
  metadata: Record<string, string>;
  returnUrl: string;
};

const CURRENCY = { name: "CFA Franc BCEAO", symbol: "XOF", decimals: 0, code: "XOF" };
const APP_SINCE = "2026-01-05T09:00:00.000000Z";
const appShape = (emulatorUrl: string) => ({
  id: "01JH6V5QZ3N8K2T7W4X9Y0ABCD",
  name: "Sésame",
  created_at: APP_SINCE,
  updated_at: APP_SINCE,
  is_enabled: true,
  website_url: emulatorUrl,
});

/** `XOF 5.000`. */
const grouped = (amount: number | string, currency: string) =>
  `${currency} ${String(amount).replace(/\B(?=(\d{3})+$)/g, ".")}`;

/** Six digits after the seconds. */
const instant = (when: number | string) => new Date(when).toISOString().replace(/Z$/, "000Z");
const instantOrNull = (when: number | string | null) => (when === null ? null : instant(when));

/** PHP writes an empty map as an empty list. */
const phpMap = (map: Record<string, string>) => (Object.keys(map).length === 0 ? [] : map);

/** `return_url?…&paymentId=…&paymentStatus=…`, whatever the outcome. */
export const returnUrlWith = ({ id, status, returnUrl }: MonerooPayment): string =>
  status === "initiated"
    ? returnUrl
    : withQuery(returnUrl, { paymentId: id, paymentStatus: status });

/** `data` of GET /v1/payments/:id/verify. */
export function verifyShape(truth: MonerooPayment, emulatorUrl: string): object {
  const payment = reported(truth);
  const { id, status, amount, currency: code, description, customer, method } = payment;
  const currency = { ...CURRENCY, code };
  return {
    id,
    status,
    is_processed: false,
    processed_at: null,
    amount,
    amount_formatted: grouped(amount, code),
    currency,
    description,
    return_url: returnUrlWith(payment),
    environment: payment.reported?.environment ?? "sandbox",
    initiated_at: instant(payment.createdAtMs),
    app: appShape(emulatorUrl),
    customer: customerShape(customer, payment.createdAtMs),
    capture: method === null ? null : capture(payment, currency),
    metadata: phpMap(payment.metadata),
    created_at: instant(payment.createdAtMs),
  };
}

/** The flatter shape that the page "retrieve" documents. */
export function retrieveShape(truth: MonerooPayment, emulatorUrl: string): object {
  const { currency, phone, method: code } = reported(truth);
  const method = methodOf(code);
  return {
    ...verifyShape(truth, emulatorUrl),
    app: undefined,
    capture: undefined,
    currency,
    payment_phone_number: phone,
    method: method && { name: method.name, code: method.code },
  };
}

const CAPTURES: Partial<Record<PaymentStatus, string>> = {
  success: "COMPLETED",
  failed: "FAILED",
  cancelled: "CANCELLED",
};

function capture(payment: MonerooPayment, currency: object): object {
  const { id, attempts, phone, amount, status } = payment;
  const method = methodOf(payment.method);
  const failed = status === "failed";
  return {
    identifier: `${id}-${attempts}`,
    phone_number: phone,
    failure_message: failed ? MONEROO_MESSAGES.paymentFailed : null,
    failure_error_code: failed ? "PAYMENT_NOT_APPROVED" : null,
    failure_error_type: failed ? "customer" : null,
    amount,
    amount_formatted: grouped(amount, payment.currency),
    currency,
    method: methodShape(method?.name ?? "", method?.code ?? ""),
    gateway: {
      ...GATEWAY,
      transaction_id: `tx_${id}_${attempts}`,
      transaction_status: CAPTURES[status as PaymentStatus] ?? "ACCEPTED",
      transaction_failure_message: failed ? MONEROO_MESSAGES.paymentFailed : null,
    },
  };
}

const methodShape = (name: string, code: string) => ({
  id: "kt1itmi9xv0g",
  name,
  short_code: code,
});

const GATEWAY = {
  id: "6wnqk0j1x2cd",
  account_name: "Sandbox",
  name: "Moneroo (Sandbox)",
  short_code: "moneroo_sandbox",
};

const customerShape = (customer: MonerooPayment["customer"], createdAtMs: number): object => ({
  ...customer,
  country_code: null,
  country: null,
  created_at: instant(createdAtMs),
  updated_at: instant(createdAtMs),
});

const methodOf = (code: string | null) =>
  PAYMENT_METHODS.find((method) => method.code === code) ?? null;

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

/** The body of a webhook. */
export function webhookBody(payment: MonerooPayment, event: string): object {
  const { id, amount, currency, status, customer } = payment;
  const { first_name: firstName, last_name: lastName, email } = customer;
  const phone = payment.phone ?? customer.phone;
  const person = { id: customer.id, email, firstName, lastName, phone };
  return { event, data: { id, amount, currency, status, customer: person } };
}

/** The same for payouts, also without metadata. */
export function payoutWebhookBody(payout: Payout, event: string): object {
  const { id, amount, customer, phone } = payout;
  const person = customer && { customer: { ...customer, phone: phone.slice(1) } };
  return { event, data: { id, amount, currency: "XOF", status: wordOf(payout), ...person } };
}

const wordOf = ({ status }: Payout) =>
  status === "created" || status === "queued" ? "initiated" : status;
const GATEWAY_STATUSES: Partial<Record<Payout["status"], string>> = {
  pending: "ACCEPTED",
  success: "COMPLETED",
  failed: "FAILED",
};

/** `data` of GET /v1/payouts/:id/verify. */
export function payoutVerifyShape(
  payout: Payout,
  fault: PayoutRule | null,
  emulatorUrl: string,
): object {
  const { id, amount, method, status, failure, customer, phone, startedAt, createdAt } = payout;
  const failed = status === "failed";
  return {
    id,
    status: reportedWord(wordOf(payout), fault),
    amount,
    amount_formatted: grouped(amount, "XOF"),
    currency: CURRENCY,
    description: payout.description,
    environment: "sandbox",
    metadata: phpMap(payout.metadata),
    app: appShape(emulatorUrl),
    customer: customer && {
      id: "tzowl42roc7z",
      first_name: customer.firstName,
      last_name: customer.lastName,
      email: customer.email,
      phone: phone.slice(1),
      created_at: instant(createdAt),
    },
    disburse: {
      id: `d${id.slice(3)}`,
      identifier: `${id}-1`,
      rate: null,
      failure_message: failure,
      failure_error_code: failed ? "PAYOUT_FAILED" : null,
      failure_error_type: failed ? "gateway" : null,
      amount,
      currency: CURRENCY,
      method: methodShape(methodOf(method)?.name ?? method, method),
      gateway: {
        ...GATEWAY,
        transaction_id: payout.operatorReference,
        transaction_status: GATEWAY_STATUSES[status] ?? null,
        transaction_failure_message: failure,
      },
    },
    failed_at: failed ? instant(payout.updatedAt) : null,
    pending_at: wordOf(payout) === "initiated" ? null : instantOrNull(startedAt),
    success_at: instantOrNull(payout.sentAt),
    created_at: instant(createdAt),
  };
}
