import type { CheckoutView, KkiapayModes } from "../wire.ts";
import { dialOf, OPERATORS } from "./operators.ts";
import type { Opening, Transaction } from "./state.ts";

/** What the page in the widget's frame shows; `told`: what it says to the page around it. */
export function widgetView(
  opening: Opening,
  transaction: Transaction | undefined,
  modes: KkiapayModes,
): CheckoutView {
  const { id, amount, reason, customer, data, partnerId, transactionIds } = opening;
  const [firstName = "", ...others] = customer.name.split(" ");
  const lastName = others.join(" ");
  const dial = dialOf(customer.phone);
  const national = customer.phone.slice(dial.length);
  const rank = (code: string) => (dial !== "" && code === dial ? 0 : 1);
  const status = opening.cancelled ? "cancelled" : WORDS[transaction?.status ?? "NONE"];
  const partner = partnerId === null || modes.emptyPartnerId ? {} : { partnerId };
  return {
    provider: "kkiapay",
    id,
    status,
    amount,
    currency: "XOF",
    description: reason,
    merchant: "Sésame",
    customer: { email: customer.email, firstName, lastName, phone: national || null },
    // Those of the customer's country first.
    methods: OPERATORS.toSorted((a, b) => rank(a.dialCode) - rank(b.dialCode)),
    method: transaction?.operator ?? null,
    attempts: transactionIds.length,
    failureMessage: null,
    over: status === "success",
    returnUrl: null,
    told: { transactionId: transaction?.id ?? "", data, ...partner },
  };
}

const WORDS = {
  NONE: "initiated",
  PENDING: "pending",
  SUCCESS: "success",
  FAILED: "failed",
  REVERTED: "success",
} as const;
