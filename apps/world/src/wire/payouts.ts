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
