import type { Payment } from "../kit/payments.ts";
import type { CheckoutView, KkiapayModes } from "../wire.ts";
import { dialOf, isCard, OPERATORS } from "./operators.ts";

/** A widget that was opened, with what the browser said: of a payment KkiaPay knows nothing before. */
export type Opening = Payment & {
  data: unknown;
  partnerId: string | null;
  customer: { name: string; email: string; phone: string };
  /** Oldest first: each try is a transaction of its own. */
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
  const { told = {}, customer } = opening;
  const performed = new Date(performedAtMs).toISOString();
  const amount = told.amount ?? opening.amount;
  return {
    performed_at: performed,
    type: "DEBIT",
    status: told.status ?? transaction.status,
    source: isCard(operator) ? "CARD" : "MOBILE_MONEY",
    source_common_name: operator,
    amount,
    fees,
    reason: failure?.message ?? null,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
    state: told.reference ?? opening.data ?? null,
    partnerId: partnerOf(opening, modes),
    feeSupportedBy: "merchant",
    income: Number(amount) - fees,
    transactionId: transaction.id,
    performedAt: performed,
    client: { fullname: customer.name, phone, email: customer.email },
    // Only when the world is made to lie: KkiaPay knows one currency.
    ...(told.currency ? { currency: told.currency } : {}),
  };
}

/** The body of a notice (§6.5). */
export function noticeShape({ opening, transaction, modes }: Shown) {
  const { failure, operator, phone, fees, performedAtMs, status } = transaction;
  const { told = {} } = opening;
  const succeeded = status === "SUCCESS";
  const state = told.reference ?? opening.data ?? null;
  return {
    transactionId: transaction.id,
    isPaymentSucces: succeeded,
    event: succeeded ? "transaction.success" : "transaction.failed",
    account: phone,
    method: isCard(operator) ? "CARD" : "MOBILE_MONEY",
    amount: told.amount ?? opening.amount,
    fees,
    partnerId: partnerOf(opening, modes),
    performedAt: new Date(performedAtMs).toISOString(),
    stateData: modes.stateAsText ? JSON.stringify(state) : state,
    failureCode: failure?.code ?? null,
    failureMessage: failure?.message ?? null,
  };
}

function partnerOf({ told = {}, partnerId }: Opening, modes: KkiapayModes): string | null {
  return modes.emptyPartnerId ? "" : (told.reference ?? partnerId);
}

/** What the page in the widget's frame shows; `told`: what it says to the page around it. */
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
    told: { transactionId, data, ...partner },
  } satisfies Partial<CheckoutView>;
}
