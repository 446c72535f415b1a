/** `session`: until this web view closes; `local`: on this phone. A browser may refuse either. */
type Place = "session" | "local";

const storageIn = (place: Place): Storage => window[`${place}Storage`];

/** → the value under the key; null when there is none, or none that can be read. */
export function readKept(place: Place, key: string): unknown {
  try {
    return JSON.parse(storageIn(place).getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** → false when the browser refuses: the caller's screen goes on without it. */
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
    // Storage that refuses holds nothing either.
  }
}
