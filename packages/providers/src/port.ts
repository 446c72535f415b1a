import type { Fcfa, Result } from "@sesame/kernel";

/** The payment providers; each has a folder. */
export type ProviderId = "moneroo" | "fedapay" | "kkiapay" | "paydunya" | "cryptopay" | "stars";

export type PaymentRequest = {
  /** Ours, unique: the provider's answer repeats it, and it is compared there. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly description: string;
  /** What is sold, for a provider that shows a short title above the description. */
  readonly title?: string;
  /** Where the provider returns the person, in any browser. */
  readonly returnUrl: string;
  /** The address of webhooks; for providers that take it with each payment. */
  readonly webhookUrl: string;
  readonly customer: PayingCustomer;
};

export type PayingCustomer = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone?: string;
};

/**
 * The price in the provider's currency, when that is not the franc: stored with the payment and
 * compared with the provider's answer. `amount` in the provider's form ("7.62", "625"), `rate` in
 * francs for one unit ("655.957").
 */
export type Quote = {
  readonly currency: string;
  readonly amount: string;
  readonly rate: string;
};

/** What a browser needs to open the provider's own widget; nothing of it is secret. */
export type PaymentWidget = {
  readonly kind: "fedapay" | "kkiapay";
  readonly scriptUrl: string;
  readonly publicKey: string;
  readonly sandbox: boolean;
};

export type CreatedPayment = {
  /** The provider's opaque id; our reference where an id exists only after the payment. */
  readonly providerPaymentId: string;
  /** The hosted page; null where there is only the widget. */
  readonly redirectUrl: string | null;
  readonly widget: PaymentWidget | null;
  readonly quote: Quote | null;
};

/**
 * Why a provider did not create a payment, where an unchanged retry would not help: the `keys` are
 * refused, or the `request`, with the provider's words, if any.
 */
export type CreateRefusal =
  | { readonly kind: "keys" }
  | { readonly kind: "request"; readonly message: string | null };

/** What is stored of a payment, for looking it up. */
export type PaymentName = {
  readonly providerPaymentId: string;
  /** Our reference, from the creation. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly quote: Quote | null;
  /** Transaction ids reported for it (by a widget, a webhook): looked up, never trusted. */
  readonly reportedTransactionIds: readonly string[];
  /** The one of them that paid according to our ledger: the answer is about that one. */
  readonly paidAs?: string | null;
};

/**
 * The provider's status of a payment, in our words. `paid` only for an explicit success; `refused`
 * only for an explicit refusal, which is not final: a later attempt may succeed; anything else is
 * `pending`. `refunded`: paid, then given back. `partly-refunded`: part of the money was given back,
 * so it is neither a full payment nor a refusal.
 */
export type ProviderPaymentStatus = "paid" | "refused" | "pending" | "refunded" | "partly-refunded";

export type Environment = "live" | "sandbox" | "unknown";

export type FetchedPayment = {
  readonly providerPaymentId: string;
  readonly status: ProviderPaymentStatus;
  /** The provider's word, for the record. */
  readonly word: string;
  /** Francs. For a quoted payment: the price, if exactly the quote was paid. Else null. */
  readonly amount: Fcfa | null;
  /** The provider's fee, in francs; absent or null: unknown. */
  readonly cost?: Fcfa | null;
  /** ISO 4217, XOF for a quoted payment in its quote's currency; null when absent. */
  readonly currency: string | null;
  readonly environment: Environment;
  /** Our reference, from the creation; null when the answer does not contain it. */
  readonly reference: string | null;
  /** The id for a refund, if it is not `providerPaymentId`. */
  readonly transactionId?: string | null;
  /** Other transactions paid with the same reference: money to give back. */
  readonly extraTransactionIds?: readonly string[];
  /** Some reported ids got no answer: these transactions may have paid too. */
  readonly unanswered?: boolean;
};

/**
 * A webhook only names the payment to look up: its other content is not trusted.
 * `reportedTransaction`: the transaction id it gives for the payment with our reference.
 */
export type WebhookReading =
  | { readonly trusted: false }
  | {
      readonly trusted: true;
      readonly providerPaymentId: string | null;
      readonly reportedTransaction?: {
        readonly reference: string;
        readonly transactionId: string;
      } | null;
    };

export type WebhookHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A payment to refund whole. */
export type RefundRequest = {
  readonly providerPaymentId: string;
  /** `FetchedPayment.transactionId` when it was paid. */
  readonly transactionId: string | null;
  readonly amount: Fcfa;
  /** The payer's id, for a provider that identifies people by it. */
  readonly telegramId: bigint;
};

/**
 * `done`: refunded, now or before. `refused`: an explicit refusal, nothing moved and nothing will;
 * the money must be given back another way.
 */
export type RefundAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly message: string | null };

/**
 * A provider, for one set of keys: an instance, never a global. Every call has one timeout and no
 * hidden retry, and throws an `Outage` without an answer or with an invalid one.
 */
export type PaymentProvider = {
  readonly id: ProviderId;
  /** Its payments are made in the browser: it is called only after a transaction was reported. */
  readonly isMadeInBrowser?: boolean;
  createPayment(request: PaymentRequest): Promise<Result<CreatedPayment, CreateRefusal>>;
  /** Null when the provider does not have the payment (yet, or any more). */
  fetchPayment(name: PaymentName): Promise<FetchedPayment | null>;
  /**
   * False when these headers make any webhook untrusted: the proof is missing or malformed. Checked
   * before the body is received, so that strangers cannot fill memory.
   */
  mayBeTrusted(headers: WebhookHeaders): boolean;
  /** The body without the sender's proof, for a provider that puts it there. */
  withoutProof?(rawBody: Uint8Array): Uint8Array;
  /** Checks the signature over the raw bytes, then reads the payment it is about. */
  readWebhook(headers: WebhookHeaders, rawBody: Uint8Array): WebhookReading;
  /** Whether the keys are valid, by a real call that moves nothing. */
  verifyKeys(): Promise<"accepted" | "refused">;
  /**
   * Refunds a paid payment; null for a provider without that call. After an Outage the result is
   * unknown: `fetchPayment` returns `refunded` if it succeeded, and a repeat is harmless.
   */
  readonly refund: ((refund: RefundRequest) => Promise<RefundAnswer>) | null;
};

/** The providers that send money to phones; each has a folder. */
export type PayoutProviderId = "paydunya" | "moneroo" | "fedapay";

/** One of the fifteen methods of B §3, in PayDunya's words. */
export type PayoutMethod = string;

export type PayoutRequest = {
  /** Ours, never changed: `wd-45-1`. */
  readonly reference: string;
  readonly withdrawalId: string;
  readonly amount: Fcfa;
  readonly method: PayoutMethod;
  /** E.164: +2250701020304. */
  readonly phone: string;
  readonly description: string;
  readonly recipient: {
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
  };
  /** The address of the provider's webhooks about the payout. */
  readonly callbackUrl: string;
};

/**
 * Why a rail cannot serve a payout, decided without a call: the method, or an amount outside its
 * limits; no `max` when none is known.
 */
export type RailRefusal =
  | { readonly kind: "method" }
  | { readonly kind: "amount"; readonly min: Fcfa; readonly max: Fcfa | null };

/**
 * An explicit refusal before any money moved: `keys` refused, `float` too low at the provider, or
 * the request refused with the provider's words. `busy` is temporary: too many requests, or no
 * connection; the same call may be retried after the wait.
 */
export type PayoutRefusal =
  | { readonly kind: "keys" }
  | { readonly kind: "float" }
  | { readonly kind: "busy"; readonly retryAfterMs: number }
  | { readonly kind: "request"; readonly message: string | null };

/**
 * `succeeded` only for an explicit success, `failed` only for a final failure; `not-started` when
 * the provider reports a known payout that was never submitted; `sent` for anything else.
 */
export type ProviderPayoutStatus = "succeeded" | "failed" | "not-started" | "sent";

export type PayoutAnswer = {
  readonly status: ProviderPayoutStatus;
  /** The provider's id; null while there is none. */
  readonly providerPayoutId: string | null;
  /** The provider's word, for the record. */
  readonly word: string;
  /** The mobile operator's reference, if the provider reports it. */
  readonly operatorReference: string | null;
  /** Why it failed, in the provider's words. */
  readonly failure: string | null;
  /** The provider's fee, in francs; null when unknown. */
  readonly cost: Fcfa | null;
  /** `sandbox`: no franc left, whatever the status; production rejects such an answer. */
  readonly environment: Environment;
};

/** A payout from a lookup; amount and reference are null when the provider does not report them. */
export type FetchedPayout = PayoutAnswer & {
  readonly amount: Fcfa | null;
  readonly currency: string | null;
  readonly reference: string | null;
};

/** What is stored of a payout, for looking it up. */
export type PayoutName = {
  readonly reference: string;
  readonly handle: string | null;
  readonly providerPayoutId: string | null;
};

/** One line of a provider's list. */
export type ListedPayout = FetchedPayout & { readonly createdAt: Date | null };

export type PayoutWebhook =
  | { readonly trusted: false }
  | {
      readonly trusted: true;
      /** The ids in the webhook; all null: about something else, or unreadable. */
      readonly providerPayoutId: string | null;
      readonly handle: string | null;
      /** Our reference. */
      readonly reference: string | null;
    };

/**
 * A provider that sends money, for one set of keys. Every call has one timeout and no hidden retry,
 * and throws an `Outage` without an answer or with an invalid one: after `submit`, an Outage means
 * that the result is unknown until `lookup` finds it.
 */
export type PayoutProvider = {
  readonly id: PayoutProviderId;
  /** Null when it can serve; refuses without a call. */
  cannotServe(method: PayoutMethod, amount: Fcfa): RailRefusal | null;
  /**
   * The first step; moves no money, may be repeated. Save `handle` before the second step; null for
   * a provider of one step.
   */
  prepare(request: PayoutRequest): Promise<Result<{ handle: string | null }, PayoutRefusal>>;
  /**
   * Moves the money. A refusal is explicit: nothing was sent and nothing will be. Call again for the
   * same reference and handle only after a `busy`, or after `lookup` returned `not-started`.
   */
  submit(
    request: PayoutRequest,
    handle: string | null,
  ): Promise<Result<PayoutAnswer, PayoutRefusal>>;
  /** Null when the provider does not have it, or cannot find it by what we stored. */
  lookup(name: PayoutName): Promise<FetchedPayout | null>;
  /** The provider's payouts since an instant, for reconciliation; null for a provider without a list. */
  list: ((since: Date) => Promise<readonly ListedPayout[]>) | null;
  /** The provider tests its webhook address with an empty call: unsigned, and about no payout. */
  readonly probesWebhooks?: boolean;
  /** Like `PaymentProvider.withoutProof`. */
  withoutProof?(rawBody: Uint8Array): Uint8Array;
  /** Checks the signature over the raw bytes, then reads the payout it is about. */
  readWebhook(headers: WebhookHeaders, rawBody: Uint8Array): PayoutWebhook;
};
