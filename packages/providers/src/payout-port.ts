import type { Fcfa, Result } from "@sesame/kernel";
import type { Environment, NoticeHeaders } from "./port.ts";

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
  /** Where the provider may tell the end. */
  readonly callbackUrl: string;
};

/**
 * Why a lane cannot serve a payout, known without any call: the method, or an amount outside what
 * it sends; no `max` when none is known.
 */
export type LaneRefusal =
  | { readonly kind: "method" }
  | { readonly kind: "amount"; readonly min: Fcfa; readonly max: Fcfa | null };

/**
 * An explicit no before any money moved: `keys` refused, `float` too short at the provider, the
 * request refused with the provider's words. `busy` is a no for now: too many requests, or their
 * door never opened; the very same call may be made again after the wait.
 */
export type PayoutRefusal =
  | { readonly kind: "keys" }
  | { readonly kind: "float" }
  | { readonly kind: "busy"; readonly retryAfterMs: number }
  | { readonly kind: "request"; readonly message: string | null };

/**
 * `succeeded` only when it said yes, `failed` only when it said no for ever; `not-started` when it
 * says that it knows the payout and was never told to send it; `sent` for all else.
 */
export type PayoutVerdict = "succeeded" | "failed" | "not-started" | "sent";

export type PayoutAnswer = {
  readonly verdict: PayoutVerdict;
  /** Theirs; null while it has none. */
  readonly providerPayoutId: string | null;
  /** Their word, for the trace. */
  readonly word: string;
  /** The mobile operator's reference, when told. */
  readonly operatorReference: string | null;
  /** Why it failed, in their words. */
  readonly failure: string | null;
  /** What they took for it, in francs; null when not told. */
  readonly cost: Fcfa | null;
  /** `sandbox`: no franc left, whatever the verdict; production believes no such answer. */
  readonly environment: Environment;
};

/** A payout as the provider tells it when asked; amount, reference null when it does not say. */
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

export type PayoutNotice =
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
 * means that nobody knows, and only `lookup` may tell.
 */
export type PayoutProvider = {
  readonly id: PayoutProviderId;
  /** Null when it can serve; says no before any call. */
  cannotServe(method: PayoutMethod, amount: Fcfa): LaneRefusal | null;
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
  /** Tries the address of its notices by an empty call, which proves nothing and asks nothing. */
  readonly probesNotices?: boolean;
  /** As `PaymentProvider.mayBeTrusted`. */
  mayBeTrusted(headers: NoticeHeaders): boolean;
  /** As `PaymentProvider.withoutProof`. */
  withoutProof?(rawBody: Uint8Array): Uint8Array;
  /** Checks the signature over the raw bytes, then reads which payout it is about. */
  readNotice(headers: NoticeHeaders, rawBody: Uint8Array): PayoutNotice;
};
