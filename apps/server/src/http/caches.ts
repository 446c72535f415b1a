/**
 * Keeps recently used results by their input: created once, dropped when there are too many.
 * @param most results kept.
 */
export function createRecent<T>(most: number) {
  const kept = new Map<string, T>();
  return {
    get(key: string, make: () => T): T {
      const result = kept.has(key) ? (kept.get(key) as T) : make();
      // Inserted again, it is dropped last.
      kept.delete(key);
      kept.set(key, result);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return result;
    },
  };
}

/** The maximum age of what is cached (QUALITY P4: a change is visible within a second). */
const FRESH_MS = 900;
const MAX_KEPT = 5_000;

/**
 * A short cache for what is read far more often than it changes; readers at the same time share one
 * query. `elapsedMs` is the machine's monotonic clock, not business time.
 */
export function createCache<T>(elapsedMs = () => performance.now()) {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();
  return {
    get(key: string, load: () => Promise<T>): Promise<T> {
      const now = elapsedMs();
      const known = kept.get(key);
      if (known && now - known.at < FRESH_MS) return known.answer;
      const answer = load();
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, { at: now, answer });
      answer.catch(() => {
        if (kept.get(key)?.answer === answer) kept.delete(key);
      });
      return answer;
    },
    forgetAll: () => kept.clear(),
  };
}
