import type { Result } from "@sesame/kernel";

/** A payment in Stars, as an update or Telegram's list tells it. */
export type StarCharge = {
  /** Theirs: `telegram_payment_charge_id`, the transaction's id in the list. */
  readonly chargeId: string;
  /** Ours: the invoice's payload. */
  readonly reference: string;
  /** Who paid: an invoice's link may be opened by anybody. */
  readonly telegramId: bigint;
  readonly stars: number;
  readonly chargedAt: Date;
};

export type KnownCharge = StarCharge & { readonly refunded: boolean };

/** What was read of Telegram's list, to be kept in one transaction. */
export type ReadCharges = {
  /** New ones and known ones; a known one stays as it is. */
  readonly charges: readonly StarCharge[];
  /** Charges given back, by id: after the charges above, ids unknown here are ignored. */
  readonly refunds: readonly string[];
  /** How many of Telegram's transactions have been read now; null leaves that number. */
  readonly transactionsRead: number | null;
};

/** Where charges are kept; the caller's store. */
export type StarCharges = {
  /**
   * Every charge made for this reference, the earliest first: an invoice's link that two people
   * open at once may be paid twice.
   */
  find(reference: string): Promise<readonly KnownCharge[]>;
  add(read: ReadCharges): Promise<void>;
  /** How many of Telegram's transactions were read; 0 at first. */
  read(): Promise<number>;
};

export type StarsMethod = "createInvoiceLink" | "getStarTransactions" | "refundStarPayment";

/**
 * The bot's way to Telegram: its `result`, or what it `said` when it refused; no answer, a flood and
 * a refused token are thrown as an Outage.
 */
export type StarsCall = (
  method: StarsMethod,
  params: Readonly<Record<string, unknown>>,
) => Promise<Result<unknown, { readonly said: string }>>;
