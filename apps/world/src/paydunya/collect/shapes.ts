import { textOf } from "@sesame/kernel";
import { stringify } from "node:querystring";
import type { PaymentView } from "../../wire.ts";
import type { CallbackShape } from "../callback.ts";
import type { Invoice } from "./state.ts";

type Confirmed = Record<string, unknown> & { status: string };

/** Answer of confirm; who paid, and the receipt, are there only once it is (§7.3). */
export function confirmShape(invoice: Invoice, around: Around): Confirmed {
  const { token, amount, description, items, customData, actions, customer, told = {} } = invoice;
  const status = told.status ?? invoice.status;
  const paid = invoice.status === "completed";
  const sandbox = told.environment ? told.environment === "sandbox" : invoice.sandbox;
  return {
    response_code: "00",
    response_text: "Transaction Found",
    hash: around.hash,
    invoice: {
      token,
      ...(Object.keys(items).length === 0 ? {} : { items }),
      // Text, as a form would write it.
      total_amount: String(told.amount ?? amount),
      description,
      ...(told.currency ? { currency: told.currency } : {}),
      expire_date: instant(invoice.createdAtMs + around.expiresAfterMs),
    },
    custom_data: customDataOf(customData, told.reference),
    actions,
    mode: sandbox ? "test" : "live",
    status,
    fail_reason: invoice.failReason ?? "",
    ...(paid
      ? {
          customer: { ...customer, payment_method: invoice.method ?? "" },
          receipt_identifier: `${token}-receipt`,
          receipt_url: `${around.worldUrl}/paydunya/receipts/${token}.pdf`,
          provider_reference: invoice.providerReference ?? "",
        }
      : {}),
  };
}

type Around = { hash: string; worldUrl: string; expiresAfterMs: number };

function customDataOf(data: Record<string, unknown>, reference?: string | null): unknown {
  if (Object.keys(data).length === 0) return [];
  return reference ? { ...data, [referenceKey(data)]: reference } : data;
}

/** Where in its data an app puts its own name for the payment. */
function referenceKey(data: Record<string, unknown>): string {
  const names = ["reference", "order_id", ...Object.keys(data)];
  return names.find((name) => data[name] !== undefined) ?? "reference";
}

/** The same, told by a form: a field `data` of JSON, bracketed names, or the fields themselves. */
export function ipnBody(confirmed: Confirmed, shape: CallbackShape): string {
  const { response_code: code, response_text: text, ...rest } = confirmed;
  const told = { response_code: code, response_text: text, ...rest };
  switch (shape) {
    case "json":
      return stringify({ data: JSON.stringify(told) });
    case "bracketed":
      return stringify(Object.fromEntries(bracketed("data", told)));
    case "flat":
      return stringify(
        Object.fromEntries(Object.entries(told).flatMap(([key, value]) => bracketed(key, value))),
      );
  }
}

function bracketed(name: string, value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [[name, textOf(value)]];
  return Object.entries(value).flatMap(([key, inner]) => bracketed(`${name}[${key}]`, inner));
}

const VIEWED: Record<Invoice["status"], PaymentView["status"]> = {
  pending: "pending",
  completed: "paid",
  failed: "failed",
  expired: "failed",
  cancelled: "cancelled",
};

export function invoiceView(invoice: Invoice, payUrl: string): PaymentView {
  const { token, amount, customData, status, told } = invoice;
  const reference = customData[referenceKey(customData)];
  return {
    id: token,
    reference: typeof reference === "string" ? reference : null,
    amount,
    currency: "XOF",
    status: told?.status === "refunded" ? "refunded" : VIEWED[status],
    payUrl,
    transactionId: invoice.providerReference,
  };
}

/** `2026-11-16 09:00:04`. */
function instant(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
