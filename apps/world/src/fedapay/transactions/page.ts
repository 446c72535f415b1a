import { networkMethods, withQuery } from "../../payments/networks.ts";
import type { CheckoutView, PaymentStatus } from "../../wire.ts";
import { FEDAPAY_WORDS as WORDS } from "../words.fr.ts";
import type { Transaction } from "./state.ts";

const SHOWN: Record<Transaction["status"], PaymentStatus> = {
  pending: "initiated",
  approved: "success",
  transferred: "success",
  declined: "failed",
  expired: "failed",
  canceled: "cancelled",
};

/** The hosted page; it sends the customer to `callback_url?id=…&status=…` (§5.4). */
export function checkoutOf(transaction: Transaction): CheckoutView {
  const { id, status, callbackUrl, customer, reference, amount } = transaction;
  return {
    provider: "fedapay",
    id: transaction.token,
    status: SHOWN[status],
    amount,
    currency: "XOF",
    description: transaction.description,
    merchant: "Sésame",
    customer: {
      email: customer.email ?? "",
      firstName: customer.firstname ?? "",
      lastName: customer.lastname ?? "",
      phone: customer.phone?.number ?? null,
    },
    methods: networkMethods(({ fedapay }) => fedapay[0] ?? null),
    method: transaction.mode,
    attempts: transaction.attempts,
    failureMessage: failureOf(status),
    over: status === "approved" || status === "transferred" || status === "expired",
    returnUrl: callbackUrl === null ? null : withQuery(callbackUrl, { id: String(id), status }),
    told: { id, reference, status, amount },
  };
}

function failureOf(status: Transaction["status"]): string | null {
  if (status === "declined") return WORDS.declined;
  return status === "expired" ? WORDS.expired : null;
}
