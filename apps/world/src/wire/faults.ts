/** What the app asks of a provider: of payments the first three, of payouts the others. */
export type PaymentCall = "create" | "fetch" | "refund";
/** `prepare` moves no money; PayDunya and FedaPay alone have it. */
export type PayoutCall = "prepare" | "submit" | "lookup" | "list";

/** How any call of a provider's goes wrong. */
type CallFault =
  /** An explicit no; nothing was done. */
  | "refuse"
  /** The connection breaks, and nothing was done. */
  | "timeout-before"
  /** It was done, and the connection breaks. */
  | "timeout-after"
  /** It was done, and 500 is answered. */
  | "500-after"
  | "429"
  /** 200, and nothing of what the provider answers. */
  | "nonsense"
  /** 503. */
  | "down";

export type PaymentFault =
  | CallFault
  | "500"
  | "not-found"
  /** The keys are not accepted. */
  | "keys";

export type PayoutFault =
  | CallFault
  | "insufficient-float"
  /** Taken; succeeds six hours later. */
  | "late-success"
  /** Taken; fails six hours later. */
  | "late-failure"
  /** Taken; never ends by itself. */
  | "stay-pending"
  | "slow"
  | "unknown-word"
  /** The field of the status is missing. */
  | "no-word"
  | "wrong-amount"
  | "wrong-reference";

export type FaultRule<
  Call = PaymentCall | PayoutCall | "any",
  Kind = PaymentFault | PayoutFault,
> = {
  kind: Kind;
  call: Call;
  /** How many calls still to hit; null: until the rule is taken away. */
  times: number | null;
  /** How long a connection that breaks stays silent first; a slow answer's delay. */
  afterMs: number;
};
export type PaymentRule = FaultRule<PaymentCall, PaymentFault>;
export type PayoutRule = FaultRule<PayoutCall | "any", PayoutFault>;
