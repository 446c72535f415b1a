import type { CheckoutAction, CheckoutView, PaymentStatus, PaymentView } from "../wire.ts";
import { PAYMENT_FAILED } from "./failures.fr.ts";
import { COUNTRIES, PAYMENT_METHODS } from "./methods.ts";
import type { MonerooNotices } from "./notices.ts";
import { referenceKey, returnUrlWith } from "./shapes.ts";
import type { Payment } from "./state.ts";

/**
 * What a customer does on the hosted page. A failed or cancelled payment can still succeed later;
 * a successful one stays so. False when it cannot be done.
 */
export function settle(
  payment: Payment,
  action: CheckoutAction,
  notices: Pick<MonerooNotices, "announce">,
): boolean {
  if (payment.status === "success") return false;
  const method = action.method ?? payment.method ?? payment.methods[0] ?? null;
  payment.phone = action.phone ?? payment.phone;
  const announce = (event: string) => {
    if (action.silent !== true) notices.announce(payment, event);
  };
  switch (action.action) {
    case "pending":
      payment.status = "pending";
      payment.method = method;
      break;
    case "cancel":
      payment.status = "cancelled";
      announce("payment.cancelled");
      break;
    case "fail":
      payment.status = "failed";
      payment.method = method;
      payment.attempts += 1;
      payment.failureMessage = PAYMENT_FAILED;
      announce("payment.failed");
      break;
    case "success":
      payment.status = "success";
      payment.method = method;
      payment.attempts += 1;
      payment.failureMessage = null;
      announce("payment.success");
      break;
  }
  return true;
}

export function checkoutView(payment: Payment): CheckoutView {
  const { id, status, amount, currency, description, method, attempts, failureMessage } = payment;
  const { email, first_name: firstName, last_name: lastName, phone } = payment.customer;
  return {
    provider: "moneroo",
    id,
    status,
    amount,
    currency,
    description,
    merchant: "Sésame",
    customer: { email, firstName, lastName, phone },
    methods: PAYMENT_METHODS.filter((each) => payment.methods.includes(each.code)).map((each) => ({
      code: each.code,
      name: each.name,
      country: each.countries[0] ?? "",
      dialCode: COUNTRIES[each.countries[0] ?? ""]?.dialCode ?? "",
    })),
    method,
    attempts,
    failureMessage,
    over: status === "success" || status === "cancelled",
    returnUrl: returnUrlWith(payment),
  };
}

const VIEWED: Record<PaymentStatus, PaymentView["status"]> = {
  initiated: "pending",
  pending: "pending",
  success: "paid",
  failed: "failed",
  cancelled: "cancelled",
};

/** By the face that all providers have; ours is whatever the app put in the metadata. */
export function collectView(payment: Payment, worldUrl: string): PaymentView {
  const { id, amount, currency, metadata, status } = payment;
  return {
    id,
    reference: metadata[referenceKey(metadata)] ?? null,
    amount,
    currency,
    status: VIEWED[status],
    payUrl: `${worldUrl}/moneroo/checkout/${id}`,
    transactionId: null,
  };
}
