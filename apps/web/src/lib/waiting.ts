import { createStore } from "./store.ts";

// Changes that wait for the network. Each goes on by itself, under the key it began with.

const waiting = createStore(0);

/** How many wait now. */
export const useWaiting = waiting.useValue;

export function isOffline(): boolean {
  return navigator.onLine === false;
}

/** Or until it is taken back. */
export async function untilOnline(takenBack?: AbortSignal): Promise<void> {
  if (takenBack?.aborted) return;
  waiting.set(waiting.get() + 1);
  await new Promise<void>((resolve) => {
    window.addEventListener("online", () => resolve(), { once: true });
    takenBack?.addEventListener("abort", () => resolve(), { once: true });
  });
  waiting.set(waiting.get() - 1);
}
