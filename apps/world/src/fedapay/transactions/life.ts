import { DAY_MS, HOUR_MS, secretToken } from "@sesame/kernel";
import type { FedapayKeys } from "../../options.ts";
import { type Merchant, merchantId } from "../../payments/merchants.ts";
import { NotPossible } from "../../telegram/api-error.ts";
import type { FedapayOptions } from "../fedapay.ts";
import type { NewTransaction } from "./create.ts";
import { isPaid, type Transaction } from "./state.ts";

/** Where transactions live, and who hears of them. */
export type TransactionPlace = Pick<
  FedapayOptions,
  "clock" | "chance" | "scheduler" | "state" | "changed"
> & { announce(transaction: Transaction, event: string): void };

/** Pending for longer, it expires; approved, it reaches the merchant. */
const EXPIRES_AFTER_MS = DAY_MS;
const TRANSFERRED_AFTER_MS = 72 * HOUR_MS;
/** Its numbers do not begin at one. */
const FIRST_ID = 1_000;
const FIRST_CUSTOMER = 70;

export type Ending = {
  status: "approved" | "declined" | "canceled";
  mode?: string;
  phone?: string;
  silent?: boolean | undefined;
};

export function end(place: TransactionPlace, transaction: Transaction, ending: Ending): void {
  const { status, mode = "momo_test", phone, silent } = ending;
  if (isPaid(transaction)) throw new NotPossible("this transaction is paid");
  const nowMs = place.clock.now().getTime();
  if (nowMs >= transaction.createdAtMs + EXPIRES_AFTER_MS) {
    throw new NotPossible("this transaction has expired");
  }
  transaction.status = status;
  transaction.updatedAtMs = nowMs;
  if (status === "canceled") transaction.canceledAtMs = nowMs;
  else {
    transaction.mode = mode;
    transaction.phone = phone ?? transaction.customer.phone?.number ?? transaction.phone;
    transaction.attempts += 1;
  }
  if (status === "declined") transaction.declinedAtMs = nowMs;
  if (status === "approved") transaction.approvedAtMs = nowMs;
  transaction.lastError = status === "declined" ? "PAYMENT_DECLINED" : null;
  follow(place, transaction);
  if (silent !== true) place.announce(transaction, `transaction.${status}`);
  place.changed();
}

/** Sets the clock for what becomes of a transaction by itself. */
export function follow(place: TransactionPlace, transaction: Transaction): void {
  const { scheduler, clock, changed } = place;
  if (transaction.status === "pending") {
    scheduler.at(transaction.createdAtMs + EXPIRES_AFTER_MS, () => {
      // Declined or cancelled it keeps its word: nobody can pay it any more all the same.
      if (transaction.status !== "pending") return;
      transaction.status = "expired";
      transaction.updatedAtMs = clock.now().getTime();
      changed();
    });
  }
  if (transaction.status === "approved" && transaction.approvedAtMs !== null) {
    scheduler.at(transaction.approvedAtMs + TRANSFERRED_AFTER_MS, () => {
      transaction.status = "transferred";
      transaction.transferredAtMs = clock.now().getTime();
      transaction.updatedAtMs = transaction.transferredAtMs;
      place.announce(transaction, "transaction.transferred");
      changed();
    });
  }
}

/** A new one, under its number; nobody has heard of it yet. */
export function newTransaction(
  { state, clock, chance }: TransactionPlace,
  given: NewTransaction,
  merchant: Merchant<FedapayKeys>,
): Transaction {
  const nowMs = clock.now().getTime();
  const number = state.nextTransactionNumber++;
  return {
    id: FIRST_ID + number,
    ...merchantId(merchant),
    reference: `trx_${secretToken(3, chance)}_${nowMs}`,
    key: secretToken(16, chance),
    token: secretToken(24, chance),
    amount: given.amount,
    description: given.description,
    callbackUrl: given.callbackUrl,
    merchantReference: given.merchantReference,
    metadata: given.metadata,
    customer: { id: customerId(state, given, number), ...given.customer },
    status: "pending",
    mode: null,
    phone: null,
    lastError: null,
    attempts: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    approvedAtMs: null,
    declinedAtMs: null,
    canceledAtMs: null,
    transferredAtMs: null,
  };
}

/** The e-mail is who it is: the same customer keeps the same number. */
function customerId(
  { transactions }: TransactionPlace["state"],
  { customer }: NewTransaction,
  number: number,
): number {
  const known = [...transactions.values()].find(
    (each) => customer.email !== null && each.customer.email === customer.email,
  );
  return known?.customer.id ?? FIRST_CUSTOMER + number;
}
