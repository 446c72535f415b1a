import { type Clock, MINUTE_MS } from "@sesame/kernel";

export type MinuteCounter = {
  /** Counts one more for the key. → how many in this minute, with it */
  count(key: string): number;
  /** How many in this minute. */
  countOf(key: string): number;
  /** Until the next minute of counting begins. */
  retryAfterSeconds(): number;
};

/** Counts by key, from nothing each minute: what is kept is bounded by what came in one. */
export function createMinuteCounter(clock: Clock): MinuteCounter {
  let counts = new Map<string, number>();
  let startedAt = clock.now().getTime();

  function current(): Map<string, number> {
    const elapsedMs = clock.now().getTime() - startedAt;
    // A clock that was set back begins a minute too.
    if (elapsedMs >= MINUTE_MS || elapsedMs < 0) {
      counts = new Map();
      startedAt += elapsedMs;
    }
    return counts;
  }

  return {
    count(key) {
      const next = (current().get(key) ?? 0) + 1;
      counts.set(key, next);
      return next;
    },
    countOf: (key) => current().get(key) ?? 0,
    retryAfterSeconds() {
      current();
      return Math.max(1, Math.ceil((startedAt + MINUTE_MS - clock.now().getTime()) / 1000));
    },
  };
}
