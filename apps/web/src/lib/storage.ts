/** `session`: until this web view closes; `local`: on this phone. A browser may refuse either. */
type Place = "session" | "local";

const storageIn = (place: Place): Storage => window[`${place}Storage`];

/** → what was kept under the key; null when nothing was, or nothing that can be read. */
export function readKept(place: Place, key: string): unknown {
  try {
    return JSON.parse(storageIn(place).getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** → false when the browser refuses: the caller's screen goes on without. */
export function keep(place: Place, key: string, value: unknown): boolean {
  try {
    storageIn(place).setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function forget(place: Place, key: string): void {
  try {
    storageIn(place).removeItem(key);
  } catch {
    // Nothing was kept either.
  }
}
