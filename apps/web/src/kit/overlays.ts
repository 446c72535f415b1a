import { useEffect, useEffectEvent } from "react";
import { createStore } from "../lib/store.ts";

// Sheets and dialogs now open, the top one last: "back" closes it before it leaves the screen.
const open = createStore<readonly (() => void)[]>([]);

export function useOverlay(close: () => void): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const entry = () => closeNow();
    open.set([...open.get(), entry]);
    return () => open.set(open.get().filter((each) => each !== entry));
  }, []);
}

/** False when none is open. */
export function closeTopOverlay(): boolean {
  const top = open.get().at(-1);
  top?.();
  return top !== undefined;
}

export function useAnyOverlay(): boolean {
  return open.useValue().length > 0;
}
