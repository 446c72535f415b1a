import { networkMethods, withQuery } from "../../payments/networks.ts";
import type { CheckoutView, PaymentStatus } from "../../wire.ts";
import type { Invoice } from "./state.ts";

const SHOWN: Record<Invoice["status"], PaymentStatus> = {
  pending: "initiated",
  completed: "success",
  failed: "failed",
  expired: "failed",
  cancelled: "cancelled",
};

/** The hosted page; it sends the customer to `return_url?token=…` (§7.2). */
export function checkoutOf(invoice: Invoice): CheckoutView {
  const { token, status, actions, customer, amount } = invoice;
  const back =
    status === "cancelled" ? (actions.cancel_url ?? actions.return_url) : actions.return_url;
  const [firstName = "", ...rest] = customer.name.split(" ");
  return {
    provider: "paydunya",
    id: token,
    status: SHOWN[status],
    amount,
    currency: "XOF",
    description: invoice.description,
    merchant: invoice.storeName,
    customer: {
      email: customer.email,
      firstName,
      lastName: rest.join(" "),
      phone: customer.phone === "" ? null : customer.phone,
    },
    methods: networkMethods(({ id }) => id),
    method: invoice.method,
    attempts: invoice.attempts,
    failureMessage: invoice.failReason,
    over: status === "completed" || status === "cancelled" || status === "expired",
    returnUrl: back === null ? null : withQuery(back, { token }),
  };
}
