import { createHash } from "node:crypto";
import { stringify } from "node:querystring";
import { type Payment, referenceKey } from "../kit/payments.ts";
import { type Payout, reportedWord } from "../kit/payouts.ts";
import type { PayoutRule } from "../wire.ts";

/** A payment at PayDunya (payment-providers.md §7.2); its number is its token. */
export type Invoice = Payment & {
  sandbox: boolean;
  items: Record<string, unknown>;
  storeName: string;
  customData: Record<string, unknown>;
  actions: { callback_url: string | null; return_url: string | null; cancel_url: string | null };
  customer: { name: string; email: string; phone: string };
};

const STATUSES: Record<Payment["status"], string> = {
  initiated: "pending",
  pending: "pending",
  success: "completed",
  failed: "failed",
  cancelled: "cancelled",
  expired: "expired",
  refunded: "refunded",
};

/** `2026-11-16 09:00:04`. */
const instant = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");

export type AnswerBody = Record<string, unknown> & { status?: string };

/** Answer of confirm; who paid, and the receipt, are there only once it is (§7.3). */
export function confirmShape(
  invoice: Invoice,
  given: { hash: string; emulatorUrl: string; failReason: string | null },
): AnswerBody {
  const { token, description, items, customData, actions, customer, reported = {} } = invoice;
  const sandbox = reported.environment ? reported.environment === "sandbox" : invoice.sandbox;
  const renamed = reported.reference ? { [referenceKey(customData)]: reported.reference } : {};
  return {
    response_code: "00",
    response_text: "Transaction Found",
    hash: given.hash,
    invoice: {
      token,
      ...(Object.keys(items).length === 0 ? {} : { items }),
      // Text, as a form would write it.
      total_amount: String(reported.amount ?? invoice.amount),
      description,
      ...(reported.currency ? { currency: reported.currency } : {}),
      expire_date: instant(invoice.expiresAtMs ?? 0),
    },
    custom_data: Object.keys(customData).length === 0 ? [] : { ...customData, ...renamed },
    actions,
    mode: sandbox ? "test" : "live",
    status: reported.status ?? STATUSES[invoice.status],
    fail_reason: given.failReason ?? "",
    ...(invoice.paidAtMs === null
      ? {}
      : {
          customer: { ...customer, payment_method: invoice.method ?? "" },
          receipt_identifier: `${token}-receipt`,
          receipt_url: `${given.emulatorUrl}/paydunya/receipts/${token}.pdf`,
          provider_reference: invoice.transactionId ?? "",
        }),
  };
}

const PAYOUT_STATUSES: Record<Payout["status"], string> = {
  created: "created",
  queued: "pending",
  pending: "pending",
  success: "success",
  failed: "failed",
};

/** `16/11/2026 09:00:04`. */
function frenchInstant(iso: string): string {
  const [day = "", time = ""] = iso.split("T");
  return `${day.split("-").reverse().join("/")} ${time.slice(0, 8)}`;
}

/** Answer of check-status: every value a string, the amount too. */
export function checkShape(payout: Payout, fault: PayoutRule | null = null): AnswerBody {
  const { handle, method, amount, reference, id, operatorReference, failure, status } = payout;
  const word = reportedWord(PAYOUT_STATUSES[status], fault);
  const ended = status === "success" || status === "failed";
  return {
    response_code: "00",
    response_text: status === "failed" ? (failure ?? "") : "Transaction Found",
    ...(word === undefined ? {} : { status: word }),
    token: handle ?? "",
    withdraw_mode: method,
    amount: `${amount}.00`,
    updated_at: frenchInstant(payout.updatedAt),
    ...(reference === null ? {} : { disburse_id: reference }),
    ...(status === "created" ? {} : { transaction_id: id }),
    ...(ended && operatorReference !== null ? { disburse_tx_id: operatorReference } : {}),
  };
}

/** Answer of submit-invoice: a "00" says that it was taken, and not that it has arrived. */
export function submitShape(payout: Payout, fault: PayoutRule | null): AnswerBody {
  const { id, status, operatorReference } = payout;
  const word = reportedWord(PAYOUT_STATUSES[status], fault);
  return {
    response_code: "00",
    response_text:
      status === "success"
        ? "Transaction completed successfully"
        : "Transaction pending, please check the final status later",
    description: `${payout.amount} FCFA to ${payout.phone.slice(1)}`,
    transaction_id: id,
    ...(word === undefined ? {} : { status: word }),
    ...(operatorReference === null ? {} : { provider_ref: operatorReference }),
  };
}

/** A constant of the account, which proves little and can be replayed (§7.3). */
export const callbackHash = (masterKey: string): string =>
  createHash("sha512").update(masterKey).digest("hex");

/** A webhook is a form with one field, of JSON. */
export const callbackBody = (answer: AnswerBody): string =>
  stringify({ data: JSON.stringify(answer) });
