import { COUNTRIES, iconUrl, PAYMENT_METHODS } from "./methods.ts";
import type { Customer, Payment } from "./state.ts";

export const CURRENCY = {
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

export const APP_SHAPE = {
  id: "01JH6V5QZ3N8K2T7W4X9Y0ABCD",
  name: "Sésame",
  created_at: APP_SINCE,
  updated_at: APP_SINCE,
  is_enabled: true,
};

/** `data` of GET /v1/payments/:id/verify (payment-providers.md §4.4). */
export function verifyShape(truth: Payment, worldUrl: string): Record<string, unknown> {
  const payment = tellingOf(truth);
  const currency = {
    ...CURRENCY,
    code: payment.currency,
    icon_url: iconUrl(worldUrl, payment.currency),
  };
  return {
    id: payment.id,
    status: payment.status,
    is_processed: payment.processedAtMs !== null,
    processed_at: payment.processedAtMs === null ? null : longInstant(payment.processedAtMs),
    amount: payment.amount,
    amount_formatted: formatted(payment),
    currency,
    description: payment.description,
    return_url: returnUrlWith(payment),
    environment: payment.told?.environment ?? "sandbox",
    initiated_at: longInstant(payment.createdAtMs),
    metadata: metadataOf(payment),
    app: { ...APP_SHAPE, website_url: worldUrl, icon_url: iconUrl(worldUrl, "app") },
    customer: customerShape(payment.customer, payment.createdAtMs),
    capture: payment.method === null ? null : capture(payment, { currency, worldUrl }),
    created_at: longInstant(payment.createdAtMs),
  };
}

/** The flatter shape the "retrieve" page documents. */
export function retrieveShape(truth: Payment, worldUrl: string): Record<string, unknown> {
  const payment = tellingOf(truth);
  const method = methodOf(payment);
  const instant = new Date(payment.createdAtMs).toISOString().replace(/\.\d+Z$/, "Z");
  return {
    id: payment.id,
    status: payment.status,
    is_processed: payment.processedAtMs !== null,
    processed_at: payment.processedAtMs === null ? null : longInstant(payment.processedAtMs),
    amount: payment.amount,
    amount_formatted: formatted(payment),
    currency: payment.currency,
    description: payment.description,
    return_url: returnUrlWith(payment),
    checkout_url: `${worldUrl}/moneroo/checkout/${payment.id}`,
    payment_phone_number: payment.phone,
    environment: payment.told?.environment ?? "sandbox",
    initiated_at: instant,
    metadata: metadataOf(payment),
    customer: customerShape(payment.customer, payment.createdAtMs),
    method:
      method === undefined
        ? null
        : { name: method.name, code: method.code, icon_url: iconUrl(worldUrl, method.code) },
    gateway: method === undefined ? null : { name: "Sandbox", code: "moneroo_sandbox" },
    context: { ip: "127.0.0.1", user_agent: "Mozilla/5.0", country: countryOf(payment) ?? null },
    created_at: instant,
  };
}

/** `return_url?…&paymentId=…&paymentStatus=…`, whatever the outcome (§4.3). */
export function returnUrlWith(payment: Payment): string {
  if (payment.status === "initiated") return payment.returnUrl;
  const url = new URL(payment.returnUrl);
  url.searchParams.append("paymentId", payment.id);
  url.searchParams.append("paymentStatus", payment.status);
  return url.href;
}

function capture(
  payment: Payment,
  { currency, worldUrl }: { currency: object; worldUrl: string },
): Record<string, unknown> {
  const method = methodOf(payment);
  const failed = payment.status === "failed";
  const words = { success: "COMPLETED", failed: "FAILED", cancelled: "CANCELLED" };
  const status = payment.status in words ? words[payment.status as keyof typeof words] : "ACCEPTED";
  return {
    identifier: `${payment.id}-${payment.attempts}`,
    rate: null,
    rate_formatted: null,
    correction_rate: null,
    phone_number: payment.phone,
    failure_message: failed ? payment.failureMessage : null,
    failure_error_code: failed ? "PAYMENT_NOT_APPROVED" : null,
    failure_error_type: failed ? "customer" : null,
    metadata: {
      network_transaction_id: null,
      amount_debited: null,
      commission: null,
      fees: null,
      selected_payment_method: null,
    },
    amount: payment.amount,
    amount_formatted: formatted(payment),
    currency,
    method: {
      id: "kt1itmi9xv0g",
      name: method?.name ?? "",
      short_code: method?.code ?? "",
      icon_url: iconUrl(worldUrl, method?.code ?? "app"),
    },
    gateway: {
      id: "6wnqk0j1x2cd",
      account_name: "Sandbox",
      name: "Moneroo (Sandbox)",
      short_code: "moneroo_sandbox",
      icon_url: iconUrl(worldUrl, "app"),
      transaction_id: `tx_${payment.id}_${payment.attempts}`,
      transaction_status: status,
      transaction_failure_message: failed ? payment.failureMessage : null,
    },
    context: { ip: "127.0.0.1", user_agent: {}, country: countryOf(payment) ?? null, local: "fr" },
  };
}

function customerShape(customer: Customer, createdAtMs: number): Record<string, unknown> {
  const { country, ...rest } = customer;
  return {
    ...rest,
    country_code: country,
    country: country === null ? null : (COUNTRIES[country]?.name ?? country),
    zip_code: customer.zip,
    profile_url: null,
    created_at: longInstant(createdAtMs),
    updated_at: longInstant(createdAtMs),
  };
}

function countryOf(payment: Payment): Record<string, unknown> | undefined {
  const code = methodOf(payment)?.countries[0];
  const country = code === undefined ? undefined : COUNTRIES[code];
  if (country === undefined) return undefined;
  return { name: country.name, code, dial_code: country.dialCode, currency: "XOF" };
}

function methodOf(payment: Payment) {
  return PAYMENT_METHODS.find((method) => method.code === payment.method);
}

/** PHP writes an empty map as an empty list. */
function metadataOf({ metadata, told }: Payment): Record<string, string> | [] {
  if (Object.keys(metadata).length === 0 || told?.reference === "") return [];
  return told?.reference ? { ...metadata, [referenceKey(metadata)]: told.reference } : metadata;
}

/** Where in its metadata an app puts its own name for the payment. */
export function referenceKey(metadata: Record<string, string>): string {
  const names = ["reference", "order_id", ...Object.keys(metadata)];
  return names.find((name) => metadata[name] !== undefined) ?? "reference";
}

/** What the payment is made to say of itself. */
function tellingOf(payment: Payment): Payment {
  const { status, amount, currency, told } = payment;
  return {
    ...payment,
    status: (told?.status ?? status) as Payment["status"],
    amount: Number(told?.amount ?? amount),
    currency: told?.currency ?? currency,
  };
}

function formatted({ amount, currency }: Payment): string {
  return grouped(amount, currency);
}

/** `XOF 5.000`. */
export function grouped(amount: number, currency: string): string {
  return `${currency} ${String(amount).replace(/\B(?=(\d{3})+$)/g, ".")}`;
}

export function longInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, "000Z");
}
