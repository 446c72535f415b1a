import { asTold } from "../../payments/desk.ts";
import type { PaymentView } from "../../wire.ts";
import type { Transaction, TransactionCustomer } from "./state.ts";

const XOF = { klass: "v1/currency", id: 1, name: "FCFA", iso: "XOF", code: 952, div: 1 };

/** The customer pays it on top: a payment of 100 debits 104 (§5.4). */
const FEE_PERCENT = 4;

export function feesOf(amount: number): number {
  return Math.ceil((amount * FEE_PERCENT) / 100);
}

/** A `v1/transaction`; `expanded` with the objects that `include` asks for, and that notices bear. */
export function transactionShape(
  transaction: Transaction,
  { payUrl, expanded = false }: { payUrl: string; expanded?: boolean },
): Record<string, unknown> {
  const { id, amount, token, told = {} } = transaction;
  const status = told.status ?? transaction.status;
  const paid = transaction.approvedAtMs !== null;
  const truth = {
    klass: "v1/transaction",
    id,
    transaction_key: transaction.key,
    reference: transaction.reference,
    amount,
    description: transaction.description,
    callback_url: transaction.callbackUrl,
    status,
    customer_id: transaction.customer.id,
    currency_id: 1,
    mode: transaction.mode,
    operation: "payment",
    metadata: {},
    commission: `0.0${FEE_PERCENT}`,
    fees: paid ? feesOf(amount) : null,
    fixed_commission: 0,
    amount_transferred: paid ? amount : null,
    amount_debited: paid ? amount + feesOf(amount) : null,
    merchant_reference: transaction.merchantReference,
    custom_metadata: transaction.metadata,
    ...instants(transaction),
    refunded_at: status === "refunded" ? instant(transaction.updatedAtMs) : null,
    deleted_at: null,
    last_error_code: transaction.lastError,
    payment_token: token,
    payment_url: payUrl,
    account_id: 5,
  };
  const said = asTold(truth, {
    amount: told.amount,
    amount_transferred: told.amount,
    merchant_reference: told.reference,
  });
  return {
    ...said,
    ...(told.currency ? { currency_id: 2 } : {}),
    ...(expanded || told.currency ? expansion(transaction) : {}),
  };
}

function instants(transaction: Transaction) {
  return {
    created_at: instant(transaction.createdAtMs),
    updated_at: instant(transaction.updatedAtMs),
    approved_at: instantOrNull(transaction.approvedAtMs),
    declined_at: instantOrNull(transaction.declinedAtMs),
    canceled_at: instantOrNull(transaction.canceledAtMs),
    transferred_at: instantOrNull(transaction.transferredAtMs),
  };
}

function expansion(transaction: Transaction): object {
  const { customer, told, mode, phone } = transaction;
  const iso = told?.currency;
  return {
    customer: customerShape(customer, transaction),
    currency: iso ? { ...XOF, id: 2, name: iso, iso, code: 950 } : XOF,
    payment_method:
      mode === null
        ? null
        : {
            klass: "v1/payment_method",
            brand: mode,
            country: customer.phone?.country ?? null,
            number: phone,
            method: "mobile_money",
          },
    balance: { klass: "v1/balance", id: 3, mode },
    refunds: [],
  };
}

function customerShape(customer: TransactionCustomer, { createdAtMs }: Transaction): object {
  const { phone, ...rest } = customer;
  return {
    klass: "v1/customer",
    ...rest,
    full_name: [rest.firstname, rest.lastname].filter(Boolean).join(" "),
    phone: phone === null ? null : phone.number,
    account_id: 5,
    created_at: instant(createdAtMs),
    updated_at: instant(createdAtMs),
    deleted_at: null,
  };
}

const VIEWED: Record<Transaction["status"], PaymentView["status"]> = {
  pending: "pending",
  approved: "paid",
  transferred: "paid",
  declined: "failed",
  expired: "failed",
  canceled: "cancelled",
};

export function transactionView(transaction: Transaction, payUrl: string): PaymentView {
  const { id, amount, merchantReference, status, told } = transaction;
  return {
    id: String(id),
    reference: merchantReference,
    amount,
    currency: "XOF",
    status: told?.status === "refunded" ? "refunded" : VIEWED[status],
    payUrl,
    transactionId: transaction.reference,
  };
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}
