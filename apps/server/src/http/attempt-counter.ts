import { type Clock, MINUTE_MS } from "@sesame/kernel";

/** Keys remembered at most: memory stays bounded, whoever tries. */
const MAX_TRACKED = 10_000;

export type AttemptCounter = {
  /** Counts one; → seconds to wait, when there were too many in this minute. */
  count(key: string): number | null;
  /** Seconds to wait after those counted so far; null while there is room. Counts nothing. */
  waitOf(key: string): number | null;
};

export type AttemptOptions = { readonly clock: Clock; readonly perMinute: number };

type Window = { readonly startedMs: number; count: number };

/** Attempts by key, in windows of a minute. */
export function createAttemptCounter({ clock, perMinute }: AttemptOptions): AttemptCounter {
  const windows = new Map<string, Window>();
  const waitIn = (window: Window, nowMs: number): number | null =>
    window.count > perMinute
      ? Math.max(1, Math.ceil((window.startedMs + MINUTE_MS - nowMs) / 1_000))
      : null;
  const current = (key: string, nowMs: number): Window | null => {
    const known = windows.get(key);
    return known && nowMs - known.startedMs < MINUTE_MS ? known : null;
  };
  return {
    count(key) {
      const nowMs = clock.now().getTime();
      const known = current(key, nowMs);
      if (known) {
        known.count += 1;
        return waitIn(known, nowMs);
      }
      if (windows.size >= MAX_TRACKED) forgetOld(windows, nowMs);
      const fresh = { startedMs: nowMs, count: 1 };
      windows.set(key, fresh);
      return waitIn(fresh, nowMs);
    },
    waitOf(key) {
      const nowMs = clock.now().getTime();
      const known = current(key, nowMs);
      return known ? waitIn(known, nowMs) : null;
    },
  };
}

function forgetOld(windows: Map<string, Window>, nowMs: number): void {
  for (const [key, window] of windows) {
    if (nowMs - window.startedMs >= MINUTE_MS) windows.delete(key);
  }
  // All of them recent: the oldest half goes, so that memory stays bounded.
  if (windows.size < MAX_TRACKED) return;
  for (const key of [...windows.keys()].slice(0, MAX_TRACKED / 2)) windows.delete(key);
}
