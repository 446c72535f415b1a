import { asTold } from "../payments/desk.ts";
import type { KkiapayModes, PaymentView } from "../wire.ts";
import { isCard } from "./operators.ts";
import type { Opening, Transaction } from "./state.ts";

type Shown = { opening: Opening; transaction: Transaction; modes: KkiapayModes };

/** POST /api/v1/transactions/status (payment-providers.md §6.3). Never a currency. */
export function statusShape({ opening, transaction, modes }: Shown): Record<string, unknown> {
  const { fees, failure, operator, phone, performedAtMs } = transaction;
  const { told = {}, customer } = opening;
  const performed = new Date(performedAtMs).toISOString();
  const { amount } = asTold({ amount: opening.amount }, { amount: told.amount });
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
export function noticeShape({ opening, transaction, modes }: Shown): Record<string, unknown> {
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

const WORDS: Record<Transaction["status"], PaymentView["status"]> = {
  PENDING: "pending",
  SUCCESS: "paid",
  FAILED: "failed",
  REVERTED: "refunded",
};

/** An opening, with the last try made in it. */
export function kkiapayView(opening: Opening, last: Transaction | undefined): PaymentView {
  const reference = typeof opening.data === "string" ? opening.data : opening.partnerId;
  const unpaid = opening.cancelled ? "cancelled" : "pending";
  return {
    id: opening.id,
    reference,
    amount: opening.amount,
    currency: "XOF",
    status: last === undefined || opening.cancelled ? unpaid : WORDS[last.status],
    payUrl: null,
    transactionId: last?.id ?? null,
  };
}
