import { textOf } from "@sesame/kernel";
import { asForm, isEmail, isGiven, isText, isUrl, isWhole, type Rule } from "../kit/calls.ts";
import type { Payment } from "../kit/payments.ts";
import { findNetwork, networkOfMethod, type Payout, reportedWord } from "../kit/payouts.ts";
import { FIELD_MESSAGES } from "../kit/messages.fr.ts";
import { fullNumber, type Network, NETWORKS } from "../mobile-money/networks.ts";
import type { PayoutRule } from "../wire.ts";

type Form = Record<string, unknown>;

const amountUpTo = (max: number): Rule[] => [
  ["amount", (value) => isWhole(value) && value >= 1, FIELD_MESSAGES.integer],
  ["amount", (value) => Number(value) <= max, FIELD_MESSAGES.atMost(max)],
];
const CURRENCY: Rule = ["currency", (value) => asForm(value).iso === "XOF", FIELD_MESSAGES.wrong];
const referenceRules = (isUsed: (reference: string) => boolean): Rule[] => [
  ["merchant_reference", (value) => !isGiven(value) || isText(value), FIELD_MESSAGES.wrong],
  ["merchant_reference", (value) => !isText(value) || !isUsed(value), FIELD_MESSAGES.taken],
];

/** A number with or without its country's code; null when it is not of this network. */
function phoneOf(value: unknown, network: Network): string | null {
  const { number, country } = asForm(value);
  if (country !== network.iso.toLowerCase() || !isText(number)) return null;
  return fullNumber(network, number);
}

/** The body of `POST /v1/payouts`. */
export function payoutRules(body: unknown, isUsed: (reference: string) => boolean): Rule[] {
  const { mode, customer } = asForm(body);
  const network = findNetwork("fedapay", mode);
  const { phone_number: phone } = asForm(customer);
  const isAtHome = network && asForm(phone).country === network.iso.toLowerCase();
  return [
    ...amountUpTo(1_000_000),
    CURRENCY,
    ["mode", () => network !== undefined, FIELD_MESSAGES.wrong],
    ...referenceRules(isUsed),
    ...["firstname", "lastname", "email"].map(
      (name): Rule => [`customer.${name}`, isText, FIELD_MESSAGES.empty],
    ),
    ["customer.phone_number.country", () => isAtHome !== false, FIELD_MESSAGES.wrong],
    [
      "customer.phone_number.number",
      () => !network || !isAtHome || phoneOf(phone, network) !== null,
      FIELD_MESSAGES.wrong,
    ],
  ];
}

export function payoutGiven(body: unknown, network: Network) {
  const form = asForm(body);
  const metadata = Object.entries(asForm(form.custom_metadata));
  return {
    amount: Number(form.amount),
    method: textOf(form.mode),
    phone: phoneOf(asForm(form.customer).phone_number, network) ?? "",
    reference: textOrNull(form.merchant_reference),
    description: textOf(form.description),
    metadata: Object.fromEntries(metadata.map(([key, entry]) => [key, textOf(entry)])),
  };
}

const textOrNull = (value: unknown): string | null => (isText(value) ? value : null);

/** The body of `POST /v1/transactions`: every field of the customer is optional. */
export function transactionRules(isUsed: (reference: string) => boolean): Rule[] {
  const textLike = (pattern: RegExp) => (value: unknown) => !isText(value) || pattern.test(value);
  return [
    ...amountUpTo(3_000_000),
    CURRENCY,
    ["description", isText, FIELD_MESSAGES.empty],
    ["callback_url", (value) => !isText(value) || isUrl(value), FIELD_MESSAGES.wrong],
    ...referenceRules(isUsed),
    ["customer.email", (value) => !isText(value) || isEmail(value), FIELD_MESSAGES.wrong],
    ["customer.phone_number.number", textLike(/^\+?[0-9 ]{6,20}$/), FIELD_MESSAGES.wrong],
    ["customer.phone_number.country", textLike(/^[a-z]{2}$/i), FIELD_MESSAGES.wrong],
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

/** A payment at FedaPay. */
export type Transaction = Payment & {
  metadata: Record<string, unknown>;
  customer: ReturnType<typeof transactionGiven>["customer"] & { id: number };
  declinedAtMs: number | null;
  canceledAtMs: number | null;
  /** The money reaches the merchant three days after the payment. */
  transferredAtMs: number | null;
};

/** Its words where they are not ours. */
const STATUSES: Record<string, string> = {
  initiated: "pending",
  success: "approved",
  failed: "declined",
  cancelled: "canceled",
};

export const wordOf = ({ status, transferredAtMs }: Transaction): string =>
  transferredAtMs === null ? (STATUSES[status] ?? status) : "transferred";

const XOF = { klass: "v1/currency", id: 1, name: "FCFA", iso: "XOF", code: 952, div: 1 };

/** The customer pays it on top: a payment of 100 debits 104. */
const FEE_PERCENT = 4;
export const feesOf = (amount: number): number => Math.ceil((amount * FEE_PERCENT) / 100);

const instant = (ms: number) => new Date(ms).toISOString();
const instantOrNull = (ms: number | null) => (ms === null ? null : instant(ms));

/** A `v1/transaction`; `expanded` with the objects that `include` asks for, and that webhooks bear. */
export function transactionShape(
  transaction: Transaction,
  { payUrl, expanded }: { payUrl: string; expanded: boolean },
): object {
  const { reported = {}, createdAtMs, updatedAtMs, paidAtMs } = transaction;
  const truth = Number(transaction.amount);
  const amount = reported.amount ?? truth;
  const status = reported.status ?? wordOf(transaction);
  const paid = paidAtMs !== null;
  return {
    klass: "v1/transaction",
    id: Number(transaction.id),
    reference: transaction.transactionId,
    amount,
    description: transaction.description,
    callback_url: transaction.returnUrl,
    status,
    customer_id: transaction.customer.id,
    currency_id: reported.currency ? 2 : 1,
    mode: transaction.method,
    fees: paid ? feesOf(truth) : null,
    amount_transferred: paid ? amount : (reported.amount ?? null),
    amount_debited: paid ? truth + feesOf(truth) : null,
    merchant_reference: reported.reference ?? transaction.reference,
    custom_metadata: transaction.metadata,
    created_at: instant(createdAtMs),
    updated_at: instant(updatedAtMs),
    approved_at: instantOrNull(paidAtMs),
    declined_at: instantOrNull(transaction.declinedAtMs),
    canceled_at: instantOrNull(transaction.canceledAtMs),
    transferred_at: instantOrNull(transaction.transferredAtMs),
    refunded_at: status === "refunded" ? instant(updatedAtMs) : null,
    last_error_code: transaction.status === "failed" ? "PAYMENT_DECLINED" : null,
    payment_token: transaction.token,
    payment_url: payUrl,
    ...(expanded || reported.currency ? expansion(transaction) : {}),
  };
}

function expansion({ customer, reported }: Transaction): object {
  const iso = reported?.currency;
  const { phone, ...person } = customer;
  return {
    customer: { klass: "v1/customer", ...person, phone: phone && phone.number },
    currency: iso ? { ...XOF, id: 2, name: iso, iso, code: 950 } : XOF,
  };
}

const PAYOUT_STATUSES: Record<Payout["status"], string> = {
  created: "pending",
  queued: "started",
  pending: "processing",
  success: "sent",
  failed: "failed",
};

/** A `v1/payout`. */
export function payoutShape(payout: Payout, fault: PayoutRule | null = null): object {
  const { id, amount, cost, status, method, failure, updatedAt, createdAt } = payout;
  const failed = status === "failed";
  return {
    klass: "v1/payout",
    id: Number(id),
    reference: `pyt_${id}_${Date.parse(createdAt)}`,
    amount,
    description: payout.description,
    status: reportedWord(PAYOUT_STATUSES[status], fault),
    mode: method,
    last_error_code: failed ? "PAYOUT_FAILED" : null,
    last_error_message: failed ? failure : null,
    fees: cost,
    amount_debited: amount + cost,
    merchant_reference: payout.reference,
    custom_metadata: payout.metadata,
    payment_method: {
      brand: method,
      country: networkOfMethod("fedapay", method).iso.toLowerCase(),
      number: payout.phone.slice(1),
      method: "mobile_money",
    },
    transaction_key: payout.operatorReference,
    created_at: createdAt,
    updated_at: updatedAt,
    started_at: payout.startedAt,
    sent_at: payout.sentAt,
    failed_at: failed ? updatedAt : null,
  };
}

const PER_PAGE = 25;
const MAX_PER_PAGE = 100;

/** A page of a list, newest first. */
export function pageOf<T>(all: readonly T[], query: Record<string, unknown>) {
  const page = Math.max(1, Number(query.page) || 1);
  const perPage = Math.min(MAX_PER_PAGE, Math.max(1, Number(query.per_page) || PER_PAGE));
  const pages = Math.max(1, Math.ceil(all.length / perPage));
  const meta = {
    current_page: page,
    next_page: page < pages ? page + 1 : null,
    prev_page: page > 1 ? page - 1 : null,
    total_pages: pages,
    total_count: all.length,
    per_page: perPage,
  };
  return { shown: all.toReversed().slice((page - 1) * perPage, page * perPage), meta };
}

/** Each mode has a balance of its own; they cannot be joined. */
export const MODES: readonly string[] = NETWORKS.flatMap((network) => network.fedapay);
