/** What the server writes into a payment's own page: all a provider's widget needs. */
export type WidgetPayment = {
  readonly kind: "fedapay" | "kkiapay";
  readonly scriptUrl: string;
  readonly publicKey: string;
  readonly sandbox: boolean;
  /** Francs. */
  readonly amount: number;
  /** Ours. */
  readonly reference: string;
  /** Theirs, where our server made the payment. */
  readonly transactionId: string | null;
  readonly customer: {
    readonly email: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly phone: string | null;
  };
  readonly title: string;
};

/**
 * What a widget says. All of it is a report: anything on the page could say it, so a name is only
 * passed on to be asked about, and `ended` means that the person has left the widget.
 */
export type WidgetCallbacks = {
  received(transactionId: string): void;
  ended(): void;
};

/** The name in a widget's answer, if there is one. */
export function nameIn(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const name = String(value);
  return /^[\w-]{1,64}$/.test(name) ? name : null;
}
