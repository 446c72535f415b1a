import { nameIn, type WidgetCallbacks, type WidgetPayment } from "./payment.ts";

type Listen = (run: (answer?: { readonly transactionId?: unknown }) => void) => void;

/** The globals of the provider's script. */
type KkiapayGlobals = {
  openKkiapayWidget?(options: Record<string, unknown>): void;
  addSuccessListener?: Listen;
  addFailedListener?: Listen;
  addPendingListener?: Listen;
  addKkiapayCloseListener?: Listen;
  addWidgetDestroyedListener?: Listen;
};

/** KkiaPay makes the payment in its widget: our server finds it by the id that the widget reports. */
export function openKkiapay(payment: WidgetPayment, callbacks: WidgetCallbacks): boolean {
  const kkiapay = window as unknown as KkiapayGlobals;
  if (!kkiapay.openKkiapayWidget) return false;
  const receive: Parameters<Listen>[0] = (answer) => {
    const name = nameIn(answer?.transactionId);
    if (name) callbacks.received(name);
  };
  kkiapay.addSuccessListener?.((answer) => {
    receive(answer);
    callbacks.ended();
  });
  // The widget offers another attempt itself, and reports when it is closed.
  kkiapay.addFailedListener?.(receive);
  kkiapay.addPendingListener?.(receive);
  kkiapay.addKkiapayCloseListener?.(() => callbacks.ended());
  kkiapay.addWidgetDestroyedListener?.(() => callbacks.ended());
  const { customer } = payment;
  kkiapay.openKkiapayWidget({
    amount: payment.amount,
    key: payment.publicKey,
    sandbox: payment.sandbox,
    // Comes back in KkiaPay's answer, and is compared there.
    data: payment.reference,
    partnerId: payment.reference,
    position: "center",
    theme: "#0a6b58",
    reason: payment.title,
    name: `${customer.firstName} ${customer.lastName}`.trim(),
    email: customer.email,
    ...(customer.phone ? { phone: customer.phone } : {}),
  });
  return true;
}
