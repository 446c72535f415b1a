import { DAY_MS, fcfa, HOUR_MS, MINUTE_MS } from "@sesame/kernel";

/** WIRE §2. `failed` is not final: a late success still pays the order, once (decision 55). */
export const ORDER_STATUSES = ["pending", "paid", "failed", "refunded"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * A product, the seller's premium plan, a trial of 100 francs with the seller's own keys (decision
 * 95), or a donation of any amount (decision 45).
 */
export const ORDER_KINDS = ["product", "plan", "trial", "donation"] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];

/** Only `paid` is final: a late success after any other status still counts, once. */
export const PAYMENT_STATUSES = ["pending", "paid", "refused", "mismatched", "expired"] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** A product's reference (WIRE §3). */
export const REFERENCE_PATTERN = /^[A-Za-z0-9_-]{6,32}$/;

/** The maximum amount of a donation. */
export const DONATION_MAX = fcfa(1_000_000n);

/** How long a pending order reserves a place (decision 82). */
export const PLACE_RESERVED_MS = 15 * MINUTE_MS;

/**
 * A second tap within this time, without an Idempotency-Key of its own, gives the same order and
 * the same payment page back. Later, or with another key, it is a second purchase: paid, it adds
 * its time to the first.
 */
export const SAME_ORDER_MS = MINUTE_MS;

/**
 * WIRE §4: the maximum of a person's unpaid orders of one product, and of all products, younger than a
 * day. A failed one counts too: its payments are still checked with the provider.
 */
export const UNPAID_SAME_MAX = 5;
export const UNPAID_ALL_MAX = 20;
export const UNPAID_WINDOW_MS = DAY_MS;

/**
 * Payments a person may open: as many at once as unpaid orders allowed, then one more every 30 s, as
 * long as other persons keep their share of the provider's rate (`take_opening`).
 */
export const OPENINGS_PER_PERSON_MAX = 20;
export const OPENING_REFILL_MS = 30_000;

/** The maximum share of a provider's calls a minute for openings: the rest is for verifying. */
const OPENINGS_SHARE = 0.5;
/** The maximum share for openings and scheduled checks; the rest is for signed webhooks. */
const PACED_SHARE = 0.9;

/** How a provider's rate, in calls a minute, is divided. */
export function divideRate(rate: number): { readonly openings: number; readonly paced: number } {
  return { openings: Math.floor(rate * OPENINGS_SHARE), paced: Math.floor(rate * PACED_SHARE) };
}

/** How long a provider is asked about a payment; then the order has failed (decision 55). */
export const ASKED_FOR_MS = 72 * HOUR_MS;

/**
 * The money of a wrong payment goes to the suspense account after this long without a decision
 * (decision 85).
 */
export const MISMATCH_SUSPENSE_MS = DAY_MS;

const FIRST_ASK_MS = 10_000;
const EARLY_WAIT_MS = 18_000;
const LONGEST_WAIT_MS = 6 * HOUR_MS;

/**
 * Milliseconds until the next check of a payment of this age: at 10, 28, 46 and 69 s, then after
 * half its age each time, at most 6 h (WIRE §3). Some 30 calls in all for a payment that nobody
 * makes: Moneroo allows 120 calls a minute for the whole account.
 */
export function askAfterMs(ageMs: number, longestMs = LONGEST_WAIT_MS): number {
  // The payment was created while the clock was ahead, and the clock has been set back.
  if (ageMs < -MINUTE_MS) return longestMs;
  if (ageMs < FIRST_ASK_MS) return FIRST_ASK_MS - ageMs;
  return Math.min(longestMs, Math.max(EARLY_WAIT_MS, Math.round(ageMs / 2)));
}

/** Whether an email address is plausible: one @, text before it, and a name with a dot after it. */
export function isEmail(value: string): boolean {
  return value.length <= 254 && /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;.]{2,}$/.test(value);
}

/** The price of the test payment with a seller's own keys (B §9). */
export const TRIAL_PRICE = fcfa(100n);

/** The maximum number of payments opened for one order. */
export const PAYMENTS_PER_ORDER_MAX = 12;

/** How long a payment's page is reused; afterwards the same provider opens another. */
export const PAGE_SERVES_MS = 12 * HOUR_MS;

/** Transaction ids that a browser may report for one payment: each costs a call to the provider. */
export const NAMES_REPORTED_MAX = 10;

/** The window in which a provider's answers decide its mark "perturbé". */
export const DISTURBED_WINDOW_MS = 30 * MINUTE_MS;
const FAILURES_MIN = 3;
const FAILURES_SHARE = 4;

/**
 * Whether a provider is "perturbé": at least three, and at least a quarter, of our calls of the
 * last 30 minutes had no answer or an invalid one. Two lost calls may be random; of few calls three
 * are a sign, and of many a quarter is visible to buyers.
 */
export function isDisturbed(calls: { readonly answered: number; readonly failed: number }) {
  const all = calls.answered + calls.failed;
  return calls.failed >= FAILURES_MIN && calls.failed * FAILURES_SHARE >= all;
}
