import type { AlteredPayment } from "../../wire.ts";

export type InvoiceStatus = "pending" | "completed" | "cancelled" | "failed" | "expired";

/** A payment at PayDunya (payment-providers.md §7.2); kept in the world's file. */
export type Invoice = {
  token: string;
  /** The account, when it is not the app's. */
  account?: string;
  sandbox: boolean;
  amount: number;
  description: string;
  items: Record<string, unknown>;
  storeName: string;
  customData: Record<string, unknown>;
  actions: { callback_url: string | null; return_url: string | null; cancel_url: string | null };
  customer: { name: string; email: string; phone: string };
  status: InvoiceStatus;
  method: string | null;
  attempts: number;
  failReason: string | null;
  createdAtMs: number;
  /** The operator's. */
  providerReference: string | null;
  told?: AlteredPayment;
};

export type InvoiceBook = { invoices: Map<string, Invoice> };

export function emptyInvoices(): InvoiceBook {
  return { invoices: new Map() };
}
