import type { Fcfa, Result } from "@sesame/kernel";

/** The providers whose folder exists. A folder more, a word more. */
export type ProviderId = "moneroo";

export type PaymentRequest = {
  /** Ours: comes back in the provider's answer and is compared there. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly description: string;
  readonly returnUrl: string;
  readonly customer: PayingCustomer;
};

export type PayingCustomer = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone?: string;
};

export type CreatedPayment = {
  /** Theirs, opaque. */
  readonly providerPaymentId: string;
  /** Their hosted page. */
  readonly redirectUrl: string;
};

/**
 * Why a provider did not make a payment, and asking again unchanged would not help: `keys` are
 * refused, `request` is refused with the provider's words, if any.
 */
export type CreateRefusal =
  | { readonly kind: "keys" }
  | { readonly kind: "request"; readonly message: string | null };

/**
 * What a provider says of a payment, in our words. `paid` only when it said yes; `refused` only
 * when it said no, and never for ever: a later attempt may succeed; all else is `pending`.
 */
export type Verdict = "paid" | "refused" | "pending";

export type Environment = "live" | "sandbox" | "unknown";

export type FetchedPayment = {
  readonly providerPaymentId: string;
  readonly verdict: Verdict;
  /** Their word, for the trace. */
  readonly word: string;
  /** Null when it is not a whole number of francs. */
  readonly amount: Fcfa | null;
  /** ISO 4217; null when absent. */
  readonly currency: string | null;
  readonly environment: Environment;
  /** Ours, as given at creation; null when the answer does not carry it. */
  readonly reference: string | null;
};

/** A notice is a rumour: it says which payment to ask about, never what happened to it. */
export type NoticeReading =
  | { readonly trusted: false }
  | { readonly trusted: true; readonly providerPaymentId: string | null };

export type NoticeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A provider, for one set of keys: an instance, never a global. Every call has one timeout and no
 * hidden retry, and throws an `Outage` when it is not answered, or answered by nonsense.
 */
export type PaymentProvider = {
  readonly id: ProviderId;
  createPayment(request: PaymentRequest): Promise<Result<CreatedPayment, CreateRefusal>>;
  /** Null when the provider does not know the payment (any more). */
  fetchPayment(providerPaymentId: string): Promise<FetchedPayment | null>;
  /** Checks the signature over the raw bytes, then reads which payment it is about. */
  readNotice(headers: NoticeHeaders, rawBody: Uint8Array): NoticeReading;
};
