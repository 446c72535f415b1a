import { nameIn, type WidgetEars, type WidgetPayment } from "./payment.ts";

type FedapayAnswer = {
  readonly reason?: unknown;
  readonly transaction?: { readonly id?: unknown };
};

/** What their script hangs on the window. */
type FedapayGlobals = {
  FedaPay?: { init(options: Record<string, unknown>): { open(): void } };
};

/** The transaction is the one our server made: its amount cannot be changed here. */
export function openFedapay(payment: WidgetPayment, ears: WidgetEars): boolean {
  const widget = (window as unknown as FedapayGlobals).FedaPay;
  if (!widget) return false;
  const { customer, transactionId: id } = payment;
  widget
    .init({
      public_key: payment.publicKey,
      environment: payment.sandbox ? "sandbox" : "live",
      locale: "fr",
      transaction: { id: id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id },
      customer: {
        email: customer.email,
        firstname: customer.firstName,
        lastname: customer.lastName,
      },
      // Completed or dismissed: what happened is asked of FedaPay by our server.
      onComplete: (answer: FedapayAnswer | undefined) => {
        const name = nameIn(answer?.transaction?.id) ?? nameIn(id);
        if (name) ears.heard(name);
        ears.ended();
      },
    })
    .open();
  return true;
}
