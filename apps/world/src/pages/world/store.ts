import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { WorldEvent, WorldState } from "../../wire.ts";

const RECONNECT_MS = 1500;

type Snapshot = { state: WorldState | null; live: boolean };

/** Called at each change of the snapshot, and with each event that is no state. */
type Listener = (event?: WorldEvent) => void;

type WorldStore = { subscribe: (listener: Listener) => () => void; snapshot: () => Snapshot };

/** Follows the world: the browser reconnects a broken stream, we reopen one that was refused. */
export function connectWorld(): WorldStore {
  const listeners = new Set<Listener>();
  let current: Snapshot = { state: null, live: false };
  const set = (next: Partial<Snapshot>) => {
    current = { ...current, ...next };
    for (const listener of listeners) listener();
  };
  const open = () => {
    const source = new EventSource("/world/events");
    source.onopen = () => set({ live: true });
    source.onmessage = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as WorldEvent;
      if (event.type === "state") set({ state: event.state, live: true });
      else for (const listener of listeners) listener(event);
    };
    source.onerror = () => {
      set({ live: false });
      if (source.readyState === EventSource.CLOSED) setTimeout(open, RECONNECT_MS);
    };
  };
  open();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => current,
  };
}

export const WorldContext = createContext<WorldStore | null>(null);

function useStore(): WorldStore {
  const store = useContext(WorldContext);
  if (store === null) throw new Error("no world store above this component");
  return store;
}

export function useWorldLink(): Snapshot {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, store.snapshot);
}

/** Only below the gate that waits for the first state. */
export function useWorld(): WorldState {
  const { state } = useWorldLink();
  if (state === null) throw new Error("the world's state is not here yet");
  return state;
}

export function useWorldEvent(listener: (event: WorldEvent) => void): void {
  const store = useStore();
  useEffect(() => store.subscribe((event) => event && listener(event)), [store, listener]);
}

/** The world's clock, moving: the browser's time shifted by the world's offset. */
export function useWorldNow(everyMs: number): number {
  const { offsetMs } = useWorld();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now + offsetMs;
}
