import { useEffect, useEffectEvent, useSyncExternalStore } from "react";

// Sheets and dialogs now open, the top one last: "back" closes it before it leaves the screen.
let open: readonly (() => void)[] = [];
const listeners = new Set<() => void>();

function set(next: readonly (() => void)[]): void {
  open = next;
  for (const listener of listeners) listener();
}

export function useOverlay(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const entry = () => closeNow();
    set([...open, entry]);
    return () => set(open.filter((each) => each !== entry));
  }, []);
}

/** False when none is open. */
export function closeTopOverlay(): boolean {
  const top = open[open.length - 1];
  top?.();
  return top !== undefined;
}

export function useAnyOverlay(): boolean {
  return useSyncExternalStore(subscribe, () => open.length > 0);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
