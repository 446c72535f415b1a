import { useSyncExternalStore } from "react";

/**
 * A value of this page that outlives its screens: components that use it are drawn again when it changes.
 * React's compiler knows a hook by its name: one named `use` alone it would call once and remember.
 */
export function createStore<T>(first: T) {
  let value = first;
  const listeners = new Set<() => void>();
  const get = () => value;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next: T) {
      value = next;
      for (const listener of listeners) listener();
    },
    useValue: () => useSyncExternalStore(subscribe, get),
  };
}
