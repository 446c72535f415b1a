/** Keeps the results used last, by what they were made from: made once, forgotten when too many. */
export type Recent<T> = { get(key: string, make: () => T): T };

/** @param most results kept. */
export function createRecent<T>(most: number): Recent<T> {
  const kept = new Map<string, T>();
  return {
    get(key, make) {
      const result = kept.has(key) ? (kept.get(key) as T) : make();
      // Set last, it is forgotten last.
      kept.delete(key);
      kept.set(key, result);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return result;
    },
  };
}
