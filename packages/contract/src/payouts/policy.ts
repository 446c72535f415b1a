import { DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";

/**
 * `ready` approved, nothing asked of anybody · `prepared` the provider gave a handle, no money moves
 * by it · `sending` about to be told to send · `uncertain` no answer to that: only looked up · `sent`
 * taken, the end not said · `succeeded` · `failed` for ever, the francs went back.
 */
export const PAYOUT_STATUSES = [
  "ready",
  "prepared",
  "sending",
  "uncertain",
  "sent",
  "succeeded",
  "failed",
] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

/** Nobody knows for this long: the desk looks. Also for one that could not be sent. */
export const PAYOUT_ALERT_MS = 10 * MINUTE_MS;

/** Taken by the provider and not ended after this long: the desk looks. */
export const PAYOUT_SLOW_MS = DAY_MS;

/**
 * A provider that says it was never told to send is believed this long after it was told: the call
 * may still be on its way.
 */
export const SUBMIT_AGAIN_MS = 2 * MINUTE_MS;

const FIRST_LOOK_MS = 10_000;
const EARLY_WAIT_MS = 18_000;
const LONGEST_WAIT_MS = HOUR_MS;

/**
 * How long to wait before the next question about a payout sent that long ago: 10 s, 28 s, 46 s,
 * 64 s, then half its age later, at most an hour. Never given up: the money is on its way or not.
 */
export function lookAfterMs(ageMs: number): number {
  // Sent under a clock that ran ahead and has been set back; and so below.
  if (ageMs < -MINUTE_MS) return LONGEST_WAIT_MS;
  if (ageMs < FIRST_LOOK_MS) return FIRST_LOOK_MS - ageMs;
  return Math.min(LONGEST_WAIT_MS, Math.max(EARLY_WAIT_MS, Math.round(ageMs / 2)));
}

const LATE_LOOKS_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS];

/** When to look again at one that failed that long ago, from now; null: no more. */
export function lookLateAfterMs(ageMs: number): number | null {
  if (ageMs < -MINUTE_MS) return DAY_MS;
  const next = LATE_LOOKS_MS.find((at) => at > ageMs);
  return next === undefined ? null : next - ageMs;
}

/** A provider that says no of what had arrived is believed when it still says so after this long. */
export const RETURN_DOUBT_MS = 10 * MINUTE_MS;

const LONGEST_TRY_MS = 5 * MINUTE_MS;

/** Before the next try to reach a provider that takes nothing, after so many: 2, 4, 8 … seconds. */
export function tryAgainAfterMs(tries: number): number {
  return Math.min(LONGEST_TRY_MS, 1_000 * 2 ** Math.min(20, Math.max(1, tries)));
}
