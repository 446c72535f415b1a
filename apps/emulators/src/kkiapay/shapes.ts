import type { Payment } from "../kit/payments.ts";
import type { CheckoutView, KkiapayModes, CheckoutMethod } from "../wire.ts";

/** Who carries the money, by the name KkiaPay gives in its answers (`source_common_name`). */
export const OPERATORS: readonly CheckoutMethod[] = [
  { code: "mtn-benin", name: "MTN", country: "BJ", dialCode: "229" },
  { code: "moov-benin", name: "Moov", country: "BJ", dialCode: "229" },
  { code: "celtiis-benin", name: "Celtiis", country: "BJ", dialCode: "229" },
  { code: "mtn-ci", name: "MTN", country: "CI", dialCode: "225" },
  { code: "orange-ci", name: "Orange", country: "CI", dialCode: "225" },
  { code: "moov-ci", name: "Moov", country: "CI", dialCode: "225" },
  { code: "wave-senegal", name: "Wave", country: "SN", dialCode: "221" },
  { code: "orange-senegal", name: "Orange", country: "SN", dialCode: "221" },
  { code: "tmoney-togo", name: "T-Money", country: "TG", dialCode: "228" },
  { code: "moov-togo", name: "Moov", country: "TG", dialCode: "228" },
  { code: "airtel-niger", name: "Airtel", country: "NE", dialCode: "227" },
  { code: "visa", name: "Visa", country: "BJ", dialCode: "229" },
  { code: "mastercard", name: "Mastercard", country: "BJ", dialCode: "229" },
];

const CARDS = new Set(["visa", "mastercard"]);

const isCard = (operator: string): boolean => CARDS.has(operator);

/** 1.9 % of mobile money, 4 % of a card (payment-providers.md §6.6). */
export function feesOf(amount: number, operator: string): number {
  return Math.round((amount * (isCard(operator) ? 40 : 19)) / 1_000);
}

/** A number as KkiaPay sends it: with its country's code, if the customer left that out. */
export function withDial(phone: string, operator: string): string {
  const dial = OPERATORS.find(({ code }) => code === operator)?.dialCode ?? "";
  return phone === "" || dialOf(phone) !== "" ? phone : `${dial}${phone}`;
}

/** The country's code at the head of a number; empty when there is none. */
function dialOf(phone: string): string {
  const known = OPERATORS.find(({ dialCode }) => dialCode !== "" && phone.startsWith(dialCode));
  return known !== undefined && phone.length > 10 ? known.dialCode : "";
}

export const DECLINED = { code: "payment_declined", message: "Payment declined" };

/** An opened widget with the browser's values: KkiaPay has no payment before an attempt. */
export type Opening = Payment & {
  data: unknown;
  partnerId: string | null;
  customer: { name: string; email: string; phone: string };
  /** Oldest first: each attempt is a transaction of its own. */
  tries: Transaction[];
};

export type Transaction = {
  id: string;
  status: "PENDING" | "SUCCESS" | "FAILED" | "REVERTED";
  operator: string;
  /** Digits, with the country's code. */
  phone: string;
  fees: number;
  failure: { code: string; message: string } | null;
  performedAtMs: number;
};

type Shown = { opening: Opening; transaction: Transaction; modes: KkiapayModes };

/** POST /api/v1/transactions/status (payment-providers.md §6.3). Never a currency. */
export function statusShape({ opening, transaction, modes }: Shown): Record<string, unknown> {
  const { fees, failure, operator, phone, performedAtMs } = transaction;
  const { reported = {}, customer } = opening;
  const performed = new Date(performedAtMs).toISOString();
  const amount = reported.amount ?? opening.amount;
  return {
    performed_at: performed,
    type: "DEBIT",
    status: reported.status ?? transaction.status,
    source: isCard(operator) ? "CARD" : "MOBILE_MONEY",
    source_common_name: operator,
    amount,
    fees,
    reason: failure?.message ?? null,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    state: reported.reference ?? opening.data ?? null,
    partnerId: partnerOf(opening, modes),
    feeSupportedBy: "merchant",
    income: Number(amount) - fees,
    transactionId: transaction.id,
    performedAt: performed,
    client: { fullname: customer.name, phone, email: customer.email },
    // Only when the emulator is set to answer wrongly: KkiaPay knows one currency.
    ...(reported.currency ? { currency: reported.currency } : {}),
  };
}

/** The body of a webhook (§6.5). */
export function webhookShape({ opening, transaction, modes }: Shown) {
  const { failure, operator, phone, fees, performedAtMs, status } = transaction;
  const { reported = {} } = opening;
  const succeeded = status === "SUCCESS";
  const state = reported.reference ?? opening.data ?? null;
  return {
    transactionId: transaction.id,
    isPaymentSucces: succeeded,
    event: succeeded ? "transaction.success" : "transaction.failed",
    account: phone,
    method: isCard(operator) ? "CARD" : "MOBILE_MONEY",
    amount: reported.amount ?? opening.amount,
    fees,
    partnerId: partnerOf(opening, modes),
    performedAt: new Date(performedAtMs).toISOString(),
    stateData: modes.stateAsText ? JSON.stringify(state) : state,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
  };
}

function partnerOf({ reported = {}, partnerId }: Opening, modes: KkiapayModes): string | null {
  return modes.emptyPartnerId ? "" : (reported.reference ?? partnerId);
}

/** The page in the widget's frame; `reported`: its message to the page around it. */
export function widgetWords(opening: Opening, modes: KkiapayModes) {
  const { customer, data, partnerId, tries, status } = opening;
  const [firstName = "", ...others] = customer.name.split(" ");
  const dial = dialOf(customer.phone);
  const rank = (code: string) => (dial !== "" && code === dial ? 0 : 1);
  const partner = partnerId === null || modes.emptyPartnerId ? {} : { partnerId };
  const transactionId = status === "cancelled" ? "" : (tries.at(-1)?.id ?? "");
  return {
    customer: {
      email: customer.email,
      firstName,
      lastName: others.join(" "),
      phone: customer.phone.slice(dial.length) || null,
    },
    // Those of the customer's country first.
    methods: OPERATORS.toSorted((a, b) => rank(a.dialCode) - rank(b.dialCode)),
    attempts: tries.length,
    reported: { transactionId, data, ...partner },
  } satisfies Partial<CheckoutView>;
}
