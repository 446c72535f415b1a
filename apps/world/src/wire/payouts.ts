/** Who sends money to phones for the app. */
export type PayoutProviderName = "paydunya" | "moneroo" | "fedapay";

/**
 * One vocabulary for the three; each answers in its own words. `created`: known, nothing asked of
 * it yet; `queued`: told to send; `pending`: with the operator.
 */
export type PayoutStatus = "created" | "queued" | "pending" | "success" | "failed";

export type PayoutView = {
  provider: PayoutProviderName;
  /** Theirs. */
  id: string;
  /** The token of PayDunya's first step. */
  handle: string | null;
  /** Ours, as they were told it. */
  reference: string | null;
  amount: number;
  /** What they take for it, on top. */
  cost: number;
  /** Their code. */
  method: string;
  /** E.164. */
  phone: string;
  status: PayoutStatus;
  failure: string | null;
  operatorReference: string | null;
  createdAt: string;
  startedAt: string | null;
  /** When the money reached the phone, and only then. */
  sentAt: string | null;
  /** Nobody asked for it. */
  planted: boolean;
};

/** What a provider has left to send. */
export type FloatView = { provider: PayoutProviderName; account: string; amount: number };

/** `prepare` moves no money; PayDunya and FedaPay alone have it. */
export type PayoutStep = "prepare" | "submit" | "lookup" | "list";

export type PayoutFaultKind =
  /** An explicit no; nothing was done. */
  | "refuse"
  | "insufficient-float"
  /** The connection breaks, and nothing was done. */
  | "timeout-before"
  /** It was done, and the connection breaks. */
  | "timeout-after-acceptance"
  | "500-after-acceptance"
  /** Taken; succeeds six hours later. */
  | "late-success"
  /** Taken; fails six hours later. */
  | "late-failure"
  /** Taken; never ends by itself. */
  | "stay-pending"
  /** 503 to everything. */
  | "down"
  | "slow"
  | "429"
  /** 200, and no JSON. */
  | "garbage"
  | "unknown-word"
  /** The field of the status is missing. */
  | "no-word"
  | "wrong-amount"
  | "wrong-reference";

export type PayoutFault = {
  kind: PayoutFaultKind;
  step: PayoutStep | "any";
  /** How many calls still to hit; null: until cleared. */
  times: number | null;
  /** How long a connection that breaks stays silent first; a slow answer's delay. */
  afterMs: number;
};
