import { DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";

/** WIRE §2. `failed` is not the end: a late success still pays the order, once (decision 55). */
export const ORDER_STATUSES = ["pending", "paid", "failed", "refunded"] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** A product's reference (WIRE §3). */
export const REFERENCE_PATTERN = /^[A-Za-z0-9_-]{6,32}$/;

/** How long a place stays reserved with a pending order (decision 82). */
export const PLACE_RESERVED_MS = 15 * MINUTE_MS;

/**
 * A second tap within this time, without an Idempotency-Key of its own, gives the same order and
 * the same payment page back. Later, or with another key, it is a second purchase: paid, it adds
 * its time to the first.
 */
export const SAME_ORDER_MS = MINUTE_MS;

/** A provider is asked again for this long, then the order has failed (decision 55). */
export const ASKED_FOR_MS = 72 * HOUR_MS;

/** A wrong payment's money stands aside after this long without a decision (decision 85). */
export const MISMATCH_SUSPENSE_MS = DAY_MS;

const FIRST_ASK_MS = 10_000;
const EARLY_WAIT_MS = 18_000;
const LONGEST_WAIT_MS = 6 * HOUR_MS;

/**
 * How long to wait before the next question about a payment of this age, in milliseconds: asked at
 * 10, 28, 46 and 64 s, then half its age later each time, at most 6 h (WIRE §3). Some 30 times in
 * all for a payment nobody makes: Moneroo allows 120 calls a minute for the whole account.
 */
export function askAfterMs(ageMs: number): number {
  if (ageMs < FIRST_ASK_MS) return FIRST_ASK_MS - ageMs;
  return Math.min(LONGEST_WAIT_MS, Math.max(EARLY_WAIT_MS, Math.round(ageMs / 2)));
}

/** An address somebody can be written to: one @, something before, a dotted name after. */
export function isEmail(value: string): boolean {
  return value.length <= 254 && /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;.]{2,}$/.test(value);
}
