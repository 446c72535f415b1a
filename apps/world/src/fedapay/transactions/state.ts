import type { AlteredPayment } from "../../wire.ts";

export type TransactionStatus =
  | "pending"
  | "approved"
  | "declined"
  | "canceled"
  | "expired"
  | "transferred";

/** A payment at FedaPay (payment-providers.md §5.2); kept in the world's file. */
export type Transaction = {
  id: number;
  /** The account, when it is not the app's. */
  account?: string;
  reference: string;
  key: string;
  /** Opens the page; the public key makes transactions too, and then it is all the browser has. */
  token: string;
  amount: number;
  description: string;
  callbackUrl: string | null;
  merchantReference: string | null;
  metadata: Record<string, unknown>;
  customer: TransactionCustomer;
  status: TransactionStatus;
  mode: string | null;
  phone: string | null;
  lastError: string | null;
  attempts: number;
  createdAtMs: number;
  updatedAtMs: number;
  approvedAtMs: number | null;
  declinedAtMs: number | null;
  canceledAtMs: number | null;
  transferredAtMs: number | null;
  told?: AlteredPayment;
};

export type TransactionCustomer = {
  id: number;
  firstname: string | null;
  lastname: string | null;
  email: string | null;
  phone: { number: string; country: string } | null;
};

export type TransactionBook = {
  transactions: Map<string, Transaction>;
  nextTransactionNumber: number;
};

export function emptyTransactions(): TransactionBook {
  return { transactions: new Map(), nextTransactionNumber: 1 };
}

/** The customer may try again as long as it was not paid; after a day nobody can. */
export function isPaid({ status }: Transaction): boolean {
  return status === "approved" || status === "transferred";
}
