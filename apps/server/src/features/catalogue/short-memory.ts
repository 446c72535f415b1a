/** How old a kept answer may be (QUALITY P4: an edit shows within a second). */
const FRESH_MS = 900;
const MAX_KEPT = 5_000;

export type ShortMemory<T> = {
  /** Null when there is no such thing. */
  get(key: string): Promise<T | null>;
  forgetAll(): void;
};

type Entry<T> = { readonly at: number; readonly answer: Promise<T | null> };

/**
 * What is read far more often than it changes is kept for an instant, and the readers of one
 * instant share one look at the database. `elapsedMs` is the machine's own stopwatch, not business
 * time.
 */
export function createShortMemory<T>(options: {
  load(key: string): Promise<T | null>;
  elapsedMs(): number;
}): ShortMemory<T> {
  const kept = new Map<string, Entry<T>>();
  return {
    get(key) {
      const now = options.elapsedMs();
      const known = kept.get(key);
      if (known && now - known.at < FRESH_MS) return known.answer;
      const answer = options.load(key);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, { at: now, answer });
      answer.catch(() => kept.delete(key));
      return answer;
    },
    forgetAll: () => kept.clear(),
  };
}
