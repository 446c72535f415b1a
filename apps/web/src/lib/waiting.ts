import { useSyncExternalStore } from "react";

// Changes that wait for the network. Each goes on by itself, under the key it began with.

let waiting = 0;
const listeners = new Set<() => void>();

function change(by: number): void {
  waiting += by;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How many wait now. */
export function useWaiting(): number {
  return useSyncExternalStore(subscribe, () => waiting);
}

export function isOffline(): boolean {
  return navigator.onLine === false;
}

export async function untilOnline(): Promise<void> {
  change(1);
  await new Promise<void>((resolve) => {
    window.addEventListener("online", () => resolve(), { once: true });
  });
  change(-1);
}
