import type { Clock } from "@sesame/kernel";

/** Calls that were let through, by the kind of call: a test counts them in place of measuring time. */
export type CallCounts = { initialize: number; verify: number; refused: number };

/** A provider's limit (Moneroo's is 120 calls a minute, documented); off unless a test sets it. */
export type RateLimit = {
  /** Null: no limit. */
  perMinute: number | null;
  readonly counts: CallCounts;
  /** False: the call is refused. */
  take(call: "initialize" | "verify"): boolean;
};

const MINUTE_MS = 60_000;

/** As Laravel's throttle counts: a window begins with the first call, and is over a minute later. */
export function rateLimit(clock: Pick<Clock, "now">): RateLimit {
  let windowStart = Number.NEGATIVE_INFINITY;
  let calls = 0;
  const limit: RateLimit = {
    perMinute: null,
    counts: { initialize: 0, verify: 0, refused: 0 },
    take(call) {
      const now = clock.now().getTime();
      if (now - windowStart >= MINUTE_MS) {
        windowStart = now;
        calls = 0;
      }
      calls += 1;
      if (limit.perMinute !== null && calls > limit.perMinute) {
        limit.counts.refused += 1;
        return false;
      }
      limit.counts[call] += 1;
      return true;
    },
  };
  return limit;
}
