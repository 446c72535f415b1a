import { type Clock, MINUTE_MS } from "@sesame/kernel";

/** Refused sign-ins a minute, of one address for one claimed person (WIRE §3). */
export const REFUSED_A_MINUTE = 20;

const MAX_TRACKED = 10_000;

export type RefusedAttempts = {
  /** Counts one; → seconds to wait, when there were too many in this minute. */
  count(key: string): number | null;
};

/**
 * Only refused attempts are counted and held back: a good proof passes whatever someone else behind
 * the same address tries in that person's name.
 */
export function createRefusedAttempts(clock: Clock): RefusedAttempts {
  const windows = new Map<string, { startedMs: number; count: number }>();
  return {
    count(key) {
      const nowMs = clock.now().getTime();
      const known = windows.get(key);
      if (!known || nowMs - known.startedMs >= MINUTE_MS) {
        if (windows.size >= MAX_TRACKED) forgetOld(windows, nowMs);
        windows.set(key, { startedMs: nowMs, count: 1 });
        return null;
      }
      known.count += 1;
      if (known.count <= REFUSED_A_MINUTE) return null;
      return Math.max(1, Math.ceil((known.startedMs + MINUTE_MS - nowMs) / 1_000));
    },
  };
}

function forgetOld(windows: Map<string, { startedMs: number }>, nowMs: number): void {
  for (const [key, window] of windows) {
    if (nowMs - window.startedMs >= MINUTE_MS) windows.delete(key);
  }
  // All of them recent: the oldest half goes, so that memory stays bounded.
  if (windows.size < MAX_TRACKED) return;
  for (const key of [...windows.keys()].slice(0, MAX_TRACKED / 2)) windows.delete(key);
}
