import type { Fcfa, Result } from "@sesame/kernel";

/** The providers whose folder exists. A folder more, a word more. */
export type ProviderId = "moneroo" | "fedapay" | "kkiapay" | "paydunya" | "cryptopay" | "stars";

export type PaymentRequest = {
  /** Ours, never used before: comes back in the provider's answer and is compared there. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly description: string;
  /** What is sold, for a provider that shows a short title above the description. */
  readonly title?: string;
  /** Where the provider sends the person back, in any browser. */
  readonly returnUrl: string;
  /** Where its webhooks go; used by providers that take the address with each payment. */
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
 * The price in the currency the provider counts in, when that is not the franc: kept with the
 * payment, and what the provider's answer is compared with. `amount` is as they write it ("7.62",
 * "625"), `rate` says francs for one unit ("655.957").
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
  /** Theirs, opaque; ours again where the provider names a payment only once it is made. */
  readonly providerPaymentId: string;
  /** Their hosted page; null where there is only the widget. */
  readonly redirectUrl: string | null;
  readonly widget: PaymentWidget | null;
  readonly quote: Quote | null;
};

/**
 * Why a provider did not make a payment, and asking again unchanged would not help: `keys` are
 * refused, `request` is refused with the provider's words, if any.
 */
export type CreateRefusal =
  | { readonly kind: "keys" }
  | { readonly kind: "request"; readonly message: string | null };

/** What we saved of a payment: how it is asked about. */
export type PaymentName = {
  readonly providerPaymentId: string;
  /** Ours, as given at creation. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly quote: Quote | null;
  /** Names of theirs reported for it (by a widget, a webhook): asked about, never believed. */
  readonly reportedTransactionIds: readonly string[];
  /** Of those, the one that paid it by our books: the answer is about that one. */
  readonly paidAs?: string | null;
};

/**
 * What a provider says of a payment, in our words. `paid` only when it said yes; `refused` only
 * when it said no, and never for ever: a later attempt may succeed; all else is `pending`.
 * `refunded`: it was paid and the money went back. `partly-refunded`: some of the money went back, so
 * it is no payment in full, and no refusal either.
 */
export type ProviderPaymentStatus = "paid" | "refused" | "pending" | "refunded" | "partly-refunded";

export type Environment = "live" | "sandbox" | "unknown";

export type FetchedPayment = {
  readonly providerPaymentId: string;
  readonly status: ProviderPaymentStatus;
  /** Their word, for the trace. */
  readonly word: string;
  /** Francs. Of a quoted payment: the price, when exactly the quote was paid. Else null. */
  readonly amount: Fcfa | null;
  /** What it keeps of that, in francs; absent or null: it does not say. */
  readonly cost?: Fcfa | null;
  /** ISO 4217, XOF for a quoted payment in its quote's currency; null when absent. */
  readonly currency: string | null;
  readonly environment: Environment;
  /** Ours, as given at creation; null when the answer does not carry it. */
  readonly reference: string | null;
  /** By what a refund names it, when that is not `providerPaymentId`. */
  readonly transactionId?: string | null;
  /** Other transactions of theirs paid under the same reference: money to be given back. */
  readonly extraTransactionIds?: readonly string[];
  /** Of some reported names the provider said nothing: they may have paid too. */
  readonly unanswered?: boolean;
};

/**
 * A webhook only says which payment to ask about: what it says happened is not believed.
 * `reportedTransaction`: the id of theirs that it gives for the payment of this reference of ours.
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

/** A payment to give back, whole. */
export type RefundRequest = {
  readonly providerPaymentId: string;
  /** As `FetchedPayment.transactionId` said when it was paid. */
  readonly transactionId: string | null;
  readonly amount: Fcfa;
  /** The payer's, where a provider names people so. */
  readonly telegramId: bigint;
};

/**
 * `done`: given back, now or before. `refused`: an explicit no, nothing moved and nothing will;
 * somebody else must give the money back.
 */
export type RefundAnswer =
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly message: string | null };

/**
 * A provider, for one set of keys: an instance, never a global. Every call has one timeout and no
 * hidden retry, and throws an `Outage` when it is not answered, or answered by nonsense.
 */
export type PaymentProvider = {
  readonly id: ProviderId;
  createPayment(request: PaymentRequest): Promise<Result<CreatedPayment, CreateRefusal>>;
  /** Null when the provider does not know the payment (any more, or yet). */
  fetchPayment(name: PaymentName): Promise<FetchedPayment | null>;
  /**
   * False when no body could make a webhook with these headers trusted: what should prove it is
   * missing or malformed. Asked before the body is received, so that strangers cannot fill memory.
   */
  mayBeTrusted(headers: WebhookHeaders): boolean;
  /** The body without what proves its sender, for a provider that writes its proof there. */
  withoutProof?(rawBody: Uint8Array): Uint8Array;
  /** Checks the signature over the raw bytes, then reads which payment it is about. */
  readWebhook(headers: WebhookHeaders, rawBody: Uint8Array): WebhookReading;
  /** Whether the keys open the account, by a real call that moves nothing. */
  verifyKeys(): Promise<"accepted" | "refused">;
  /**
   * Gives a paid payment back; null for a provider without that call. An Outage leaves it unknown:
   * `fetchPayment` says `refunded` when it went through, and asking again harms nothing.
   */
  readonly refund: ((refund: RefundRequest) => Promise<RefundAnswer>) | null;
};

/** Providers that send money to phones. A folder more, a word more. */
export type PayoutProviderId = "paydunya" | "moneroo" | "fedapay";

/** The fifteen methods of B §3, which are PayDunya's own words (reference §1.1). */
export type PayoutMethod = string;

export type PayoutRequest = {
  /** Ours, the same for ever: `wd-45-1`. */
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
  /** Where the provider's webhooks about the payout go. */
  readonly callbackUrl: string;
};

/**
 * Why a rail cannot serve a payout, known without any call: the method, or an amount outside what
 * it sends; no `max` when none is known.
 */
export type RailRefusal =
  | { readonly kind: "method" }
  | { readonly kind: "amount"; readonly min: Fcfa; readonly max: Fcfa | null };

/**
 * An explicit no before any money moved: `keys` refused, `float` too short at the provider, the
 * request refused with the provider's words. `busy` is a no for now: too many requests, or the
 * connection never opened; the very same call may be made again after the wait.
 */
export type PayoutRefusal =
  | { readonly kind: "keys" }
  | { readonly kind: "float" }
  | { readonly kind: "busy"; readonly retryAfterMs: number }
  | { readonly kind: "request"; readonly message: string | null };

/**
 * `succeeded` only when it said yes, `failed` only when it said no for ever; `not-started` when it
 * says that it knows the payout and was never asked to send it; `sent` for all else.
 */
export type ProviderPayoutStatus = "succeeded" | "failed" | "not-started" | "sent";

export type PayoutAnswer = {
  readonly status: ProviderPayoutStatus;
  /** Theirs; null while it has none. */
  readonly providerPayoutId: string | null;
  /** Their word, for the trace. */
  readonly word: string;
  /** The mobile operator's reference, when they say it. */
  readonly operatorReference: string | null;
  /** Why it failed, in their words. */
  readonly failure: string | null;
  /** What they took for it, in francs; null when they do not say. */
  readonly cost: Fcfa | null;
  /** `sandbox`: no franc left, whatever the status; production believes no such answer. */
  readonly environment: Environment;
};

/** A payout as the provider reports it when asked; amount, reference null when it does not say. */
export type FetchedPayout = PayoutAnswer & {
  readonly amount: Fcfa | null;
  readonly currency: string | null;
  readonly reference: string | null;
};

/** How a payout may be found again: what we saved of it. */
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
      /** What it names of a payout; all null: about something else, or unreadable. */
      readonly providerPayoutId: string | null;
      readonly handle: string | null;
      /** Ours. */
      readonly reference: string | null;
    };

/**
 * A provider that sends money, for one set of keys. Every call has one timeout and no hidden retry,
 * and throws an `Outage` when it is not answered or answered by nonsense: after `submit`, an Outage
 * means that nobody knows, and only `lookup` may answer.
 */
export type PayoutProvider = {
  readonly id: PayoutProviderId;
  /** Null when it can serve; says no before any call. */
  cannotServe(method: PayoutMethod, amount: Fcfa): RailRefusal | null;
  /**
   * First step, moves no money, may be repeated. `handle` is to be saved before the second step;
   * null for a provider of one step.
   */
  prepare(request: PayoutRequest): Promise<Result<{ handle: string | null }, PayoutRefusal>>;
  /**
   * Moves the money. A refusal is an explicit no: nothing was sent and nothing will be. Called again
   * for the same reference and handle only after a `busy`, or after `lookup` said `not-started`.
   */
  submit(
    request: PayoutRequest,
    handle: string | null,
  ): Promise<Result<PayoutAnswer, PayoutRefusal>>;
  /** Null when the provider does not know it, or has no way to find it by what we saved. */
  lookup(name: PayoutName): Promise<FetchedPayout | null>;
  /** Whether `lookup` finds a payout without an id of theirs. */
  readonly findsByReference: boolean;
  /** Their list since an instant, for reconciliation; null for a provider that has none. */
  list: ((since: Date) => Promise<readonly ListedPayout[]>) | null;
  /** Tries the address of its webhooks by an empty call: unsigned, and about no payout. */
  readonly probesWebhooks?: boolean;
  /** As `PaymentProvider.mayBeTrusted`. */
  mayBeTrusted(headers: WebhookHeaders): boolean;
  /** As `PaymentProvider.withoutProof`. */
  withoutProof?(rawBody: Uint8Array): Uint8Array;
  /** Checks the signature over the raw bytes, then reads which payout it is about. */
  readWebhook(headers: WebhookHeaders, rawBody: Uint8Array): PayoutWebhook;
};
