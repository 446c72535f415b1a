import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type { EmulatorEvent, EmulatorState } from "../../wire.ts";

const RECONNECT_MS = 1500;

type Snapshot = { state: EmulatorState | null; live: boolean };

/** Called at each change of the state and at each event. */
type Listener = (event?: EmulatorEvent) => void;

type EmulatorStore = { subscribe: (listener: Listener) => () => void; snapshot: () => Snapshot };

/** Follows the emulators: the browser reopens a broken stream, this code one that was refused. */
export function connectEmulators(): EmulatorStore {
  const listeners = new Set<Listener>();
  let current: Snapshot = { state: null, live: false };
  const set = (next: Partial<Snapshot>) => {
    current = { ...current, ...next };
    for (const listener of listeners) listener();
  };
  const open = () => {
    const source = new EventSource("/emulators/events");
    source.onopen = () => set({ live: true });
    source.onmessage = (message: MessageEvent<string>) => {
      const event = JSON.parse(message.data) as EmulatorEvent;
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

export const EmulatorContext = createContext<EmulatorStore | null>(null);

function useStore(): EmulatorStore {
  const store = useContext(EmulatorContext);
  if (store === null) throw new Error("no emulators store above this component");
  return store;
}

export function useEmulatorLink(): Snapshot {
  const store = useStore();
  return useSyncExternalStore(store.subscribe, store.snapshot);
}

/** Only inside the component that waits for the first state. */
export function useEmulators(): EmulatorState {
  const { state } = useEmulatorLink();
  if (state === null) throw new Error("the emulators' state is not here yet");
  return state;
}

export function useEmulatorEvent(listener: (event: EmulatorEvent) => void): void {
  const store = useStore();
  useEffect(() => store.subscribe((event) => event && listener(event)), [store, listener]);
}

/** The emulators' clock, moving: the browser's time shifted by the emulators' offset. */
export function useEmulatorNow(everyMs: number): number {
  const { offsetMs } = useEmulators();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now + offsetMs;
}
