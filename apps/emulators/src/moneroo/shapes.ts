import { type Payment, referenceKey, withQuery } from "../kit/payments.ts";
import { type Payout, toldWord } from "../kit/payouts.ts";
import type { PaymentStatus, PayoutRule } from "../wire.ts";
import { COUNTRIES, type MonerooCustomer, PAYMENT_METHODS } from "./read.ts";
import { MONEROO_WORDS } from "../kit/words.fr.ts";

export type MonerooPayment = Payment & {
  customer: MonerooCustomer & { id: string };
  metadata: Record<string, string>;
  returnUrl: string;
  /** Codes offered on the page. */
  methods: string[];
};

const CURRENCY = {
  name: "CFA Franc BCEAO",
  symbol: "XOF",
  symbol_first: false,
  decimals: 0,
  decimal_mark: ",",
  thousands_separator: ".",
  subunit: "Centime",
  subunit_to_unit: 100,
  symbol_native: "XOF",
  decimal_digits: 0,
  rounding: 0,
  code: "XOF",
  name_plural: "CFA francs BCEAO",
};
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

/** `return_url?…&paymentId=…&paymentStatus=…`, whatever the outcome (payment-providers.md §4.3). */
export const returnUrlWith = ({ id, status, returnUrl }: MonerooPayment): string =>
  status === "initiated"
    ? returnUrl
    : withQuery(returnUrl, { paymentId: id, paymentStatus: status });

/** `data` of GET /v1/payments/:id/verify (§4.4). */
export function verifyShape(truth: MonerooPayment, emulatorUrl: string): object {
  const payment = told(truth);
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
    environment: payment.told?.environment ?? "sandbox",
    initiated_at: instant(payment.createdAtMs),
    app: appShape(emulatorUrl),
    customer: customerShape(customer, payment.createdAtMs),
    capture: method === null ? null : capture(payment, currency),
    metadata: phpMap(payment.metadata),
    created_at: instant(payment.createdAtMs),
  };
}

/** The flatter shape the "retrieve" page documents. */
export function retrieveShape(truth: MonerooPayment, emulatorUrl: string): object {
  const { id, currency, phone, createdAtMs, method: code } = told(truth);
  const method = methodOf(code);
  const created = new Date(createdAtMs).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    ...verifyShape(truth, emulatorUrl),
    app: undefined,
    capture: undefined,
    currency,
    checkout_url: `${emulatorUrl}/moneroo/checkout/${id}`,
    payment_phone_number: phone,
    initiated_at: created,
    method: method && { name: method.name, code: method.code },
    gateway: method && { name: "Sandbox", code: GATEWAY.short_code },
    context: { ip: "127.0.0.1", user_agent: "Mozilla/5.0", country: countryOf(method) },
    created_at: created,
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
    rate: null,
    rate_formatted: null,
    correction_rate: null,
    phone_number: phone,
    failure_message: failed ? MONEROO_WORDS.paymentFailed : null,
    failure_error_code: failed ? "PAYMENT_NOT_APPROVED" : null,
    failure_error_type: failed ? "customer" : null,
    metadata: {
      network_transaction_id: null,
      amount_debited: null,
      commission: null,
      fees: null,
      selected_payment_method: null,
    },
    amount,
    amount_formatted: grouped(amount, payment.currency),
    currency,
    method: methodShape(method?.name ?? "", method?.code ?? ""),
    gateway: {
      ...GATEWAY,
      transaction_id: `tx_${id}_${attempts}`,
      transaction_status: CAPTURES[status as PaymentStatus] ?? "ACCEPTED",
      transaction_failure_message: failed ? MONEROO_WORDS.paymentFailed : null,
    },
    context: { ip: "127.0.0.1", user_agent: {}, country: countryOf(method), local: "fr" },
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

function customerShape(
  { country, ...rest }: MonerooPayment["customer"],
  createdAtMs: number,
): object {
  return {
    ...rest,
    country_code: country,
    country: country === null ? null : (COUNTRIES[country]?.name ?? country),
    zip_code: rest.zip,
    profile_url: null,
    created_at: instant(createdAtMs),
    updated_at: instant(createdAtMs),
  };
}

const methodOf = (code: string | null) =>
  PAYMENT_METHODS.find((method) => method.code === code) ?? null;

function countryOf(method: ReturnType<typeof methodOf>): object | null {
  const code = method?.countries[0] ?? "";
  const known = COUNTRIES[code];
  return known ? { name: known.name, code, dial_code: known.dialCode, currency: "XOF" } : null;
}

/** What the payment is made to say of itself. */
function told(payment: MonerooPayment): MonerooPayment {
  const { told: says = {}, metadata } = payment;
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

/** The body of a notice (§4.6). */
export function noticeBody(payment: MonerooPayment, event: string): object {
  const { id, amount, currency, status, customer } = payment;
  const { first_name: firstName, last_name: lastName, email } = customer;
  const phone = payment.phone ?? customer.phone;
  const person = { id: customer.id, email, firstName, lastName, phone };
  return { event, data: { id, amount, currency, status, customer: person } };
}

/** The same form for money sent; the metadata are not in it either. */
export function payoutNoticeBody(
  { id, amount, customer, phone, status }: Payout,
  event: string,
): object {
  const person = customer && { customer: { ...customer, phone: phone.slice(1) } };
  return { event, data: { id, amount, currency: "XOF", status: WORDS[status], ...person } };
}

const WORDS: Record<Payout["status"], string> = {
  created: "initiated",
  queued: "initiated",
  pending: "pending",
  success: "success",
  failed: "failed",
};
const GATEWAY_WORDS: Partial<Record<Payout["status"], string>> = {
  pending: "ACCEPTED",
  success: "COMPLETED",
  failed: "FAILED",
};

/** `data` of GET /v1/payouts/:id/verify (§4.7). */
export function payoutVerifyShape(
  payout: Payout,
  fault: PayoutRule | null,
  emulatorUrl: string,
): object {
  const { id, amount, method, status, failure, customer, phone, startedAt, createdAt } = payout;
  const failed = status === "failed";
  const waits = status === "created" || status === "queued";
  return {
    id,
    status: toldWord(WORDS[status], fault),
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
        transaction_status: GATEWAY_WORDS[status] ?? null,
        transaction_failure_message: failure,
      },
    },
    failed_at: failed ? instant(payout.updatedAt) : null,
    pending_at: waits ? null : instantOrNull(startedAt),
    success_at: instantOrNull(payout.sentAt),
    created_at: instant(createdAt),
  };
}
