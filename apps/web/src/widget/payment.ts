/** What the server writes into a payment's own page: all a provider's widget needs. */
export type WidgetPayment = {
  readonly kind: "fedapay" | "kkiapay";
  readonly scriptUrl: string;
  readonly publicKey: string;
  readonly sandbox: boolean;
  /** Francs. */
  readonly amount: number;
  /** Our payment's reference. */
  readonly reference: string;
  /** The provider's id, where our server made the payment. */
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
 * Reports of a widget. Any script on the page could send them: an id is only passed on to be checked,
 * and `ended` means that the person has left the widget.
 */
export type WidgetCallbacks = {
  received(transactionId: string): void;
  ended(): void;
};

/** The transaction's id in a widget's answer, if there is one. */
export function nameIn(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const name = String(value);
  return /^[\w-]{1,64}$/.test(name) ? name : null;
}
