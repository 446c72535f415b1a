import { type Payment, referenceKey, withQuery } from "../kit/payments.ts";
import { networkOfMethod, type Payout, toldWord } from "../kit/payouts.ts";
import type { PaymentStatus, PayoutRule } from "../wire.ts";
import { PAYMENT_FAILED } from "./failures.fr.ts";
import { COUNTRIES, iconUrl, PAYMENT_METHODS } from "./methods.ts";
import type { MonerooCustomer } from "./read.ts";

export type MonerooPayment = Payment & {
  customer: MonerooCustomer & { id: string };
  metadata: Record<string, string>;
  returnUrl: string;
  /** Codes offered on the page. */
  methods: string[];
  processedAtMs: number | null;
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
const appShape = (worldUrl: string) => ({
  id: "01JH6V5QZ3N8K2T7W4X9Y0ABCD",
  name: "Sésame",
  created_at: APP_SINCE,
  updated_at: APP_SINCE,
  is_enabled: true,
  website_url: worldUrl,
  icon_url: iconUrl(worldUrl, "app"),
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
export function verifyShape(truth: MonerooPayment, worldUrl: string): object {
  const payment = told(truth);
  const { currency: code, customer, method } = payment;
  const currency = { ...CURRENCY, code, icon_url: iconUrl(worldUrl, code) };
  return {
    ...common(payment),
    currency,
    initiated_at: instant(payment.createdAtMs),
    app: appShape(worldUrl),
    customer: customerShape(customer, payment.createdAtMs),
    capture: method === null ? null : capture(payment, currency, worldUrl),
    created_at: instant(payment.createdAtMs),
  };
}

/** The flatter shape the "retrieve" page documents. */
export function retrieveShape(truth: MonerooPayment, worldUrl: string): object {
  const payment = told(truth);
  const method = methodOf(payment);
  const created = new Date(payment.createdAtMs).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    ...common(payment),
    currency: payment.currency,
    checkout_url: `${worldUrl}/moneroo/checkout/${payment.id}`,
    payment_phone_number: payment.phone,
    initiated_at: created,
    customer: customerShape(payment.customer, payment.createdAtMs),
    method: method && {
      name: method.name,
      code: method.code,
      icon_url: iconUrl(worldUrl, method.code),
    },
    gateway: method && { name: "Sandbox", code: "moneroo_sandbox" },
    context: contextOf(payment, "Mozilla/5.0"),
    created_at: created,
  };
}

function common(payment: MonerooPayment): object {
  const { id, status, processedAtMs, amount, currency, description } = payment;
  return {
    id,
    status,
    is_processed: processedAtMs !== null,
    processed_at: instantOrNull(processedAtMs),
    amount,
    amount_formatted: grouped(amount, currency),
    description,
    return_url: returnUrlWith(payment),
    environment: payment.told?.environment ?? "sandbox",
    metadata: phpMap(payment.metadata),
  };
}

const CAPTURES: Partial<Record<PaymentStatus, string>> = {
  success: "COMPLETED",
  failed: "FAILED",
  cancelled: "CANCELLED",
};

function capture(payment: MonerooPayment, currency: object, worldUrl: string): object {
  const { id, attempts, phone, amount, status } = payment;
  const method = methodOf(payment);
  const failed = status === "failed";
  return {
    identifier: `${id}-${attempts}`,
    rate: null,
    rate_formatted: null,
    correction_rate: null,
    phone_number: phone,
    failure_message: failed ? PAYMENT_FAILED : null,
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
    method: methodShape(method?.name ?? "", method?.code ?? "", worldUrl),
    gateway: {
      ...gatewayShape(worldUrl),
      transaction_id: `tx_${id}_${attempts}`,
      transaction_status: CAPTURES[status as PaymentStatus] ?? "ACCEPTED",
      transaction_failure_message: failed ? PAYMENT_FAILED : null,
    },
    context: { ...contextOf(payment, {}), local: "fr" },
  };
}

const methodShape = (name: string, code: string, worldUrl: string) => ({
  id: "kt1itmi9xv0g",
  name,
  short_code: code,
  icon_url: iconUrl(worldUrl, code || "app"),
});

const gatewayShape = (worldUrl: string) => ({
  id: "6wnqk0j1x2cd",
  account_name: "Sandbox",
  name: "Moneroo (Sandbox)",
  short_code: "moneroo_sandbox",
  icon_url: iconUrl(worldUrl, "app"),
});

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

const methodOf = ({ method }: Payment) =>
  PAYMENT_METHODS.find(({ code }) => code === method) ?? null;

function contextOf(payment: Payment, userAgent: string | object): object {
  const code = methodOf(payment)?.countries[0] ?? "";
  const known = COUNTRIES[code];
  const country = known && { name: known.name, code, dial_code: known.dialCode, currency: "XOF" };
  return { ip: "127.0.0.1", user_agent: userAgent, country: country ?? null };
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
  worldUrl: string,
): object {
  const { id, amount, method, status, failure } = payout;
  const currency = { ...CURRENCY, icon_url: iconUrl(worldUrl, "XOF") };
  const failed = status === "failed";
  return {
    ...payoutCommon(payout, fault),
    currency,
    app: appShape(worldUrl),
    disburse: {
      id: `d${id.slice(3)}`,
      identifier: `${id}-1`,
      rate: null,
      failure_message: failure,
      failure_error_code: failed ? "PAYOUT_FAILED" : null,
      failure_error_type: failed ? "gateway" : null,
      amount,
      currency,
      method: methodShape(methodName(method), method, worldUrl),
      gateway: { ...gatewayShape(worldUrl), ...transactionOf(payout) },
    },
  };
}

/** The flatter shape of GET /v1/payouts/:id. */
export function payoutRetrieveShape(
  payout: Payout,
  fault: PayoutRule | null,
  worldUrl: string,
): object {
  const { method, phone } = payout;
  const { iso, country: name, dial } = networkOfMethod("moneroo", method);
  const country = { name, code: iso, dial_code: `+${dial}`, currency: "XOF" };
  return {
    ...payoutCommon(payout, fault),
    currency: "XOF",
    payout_phone_number: phone.slice(1),
    method: { name: methodName(method), code: method, icon_url: iconUrl(worldUrl, method) },
    gateway: { name: "Sandbox", code: "moneroo_sandbox", ...transactionOf(payout) },
    context: { ip: "127.0.0.1", user_agent: "Mozilla/5.0", country },
  };
}

const methodName = (code: string) =>
  PAYMENT_METHODS.find((method) => method.code === code)?.name ?? code;

const transactionOf = ({ operatorReference, status, failure }: Payout) => ({
  transaction_id: operatorReference,
  transaction_status: GATEWAY_WORDS[status] ?? null,
  transaction_failure_message: failure,
});

function payoutCommon(payout: Payout, fault: PayoutRule | null): object {
  const { id, amount, status, updatedAt, createdAt, customer, phone } = payout;
  return {
    id,
    status: toldWord(WORDS[status], fault),
    amount,
    amount_formatted: grouped(amount, "XOF"),
    description: payout.description,
    environment: "sandbox",
    metadata: phpMap(payout.metadata),
    customer: customer && {
      id: "tzowl42roc7z",
      first_name: customer.firstName,
      last_name: customer.lastName,
      email: customer.email,
      phone: phone.slice(1),
      created_at: instant(createdAt),
    },
    failed_at: status === "failed" ? instant(updatedAt) : null,
    pending_at:
      status === "created" || status === "queued" ? null : instantOrNull(payout.startedAt),
    success_at: instantOrNull(payout.sentAt),
    created_at: instant(createdAt),
  };
}
