import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import type {
  EmulatorEvent,
  EmulatorState,
  ActorCalls,
  CheckoutAction,
  CheckoutView,
  ControlCalls,
  KkiapayConfig,
} from "../wire.ts";

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

/** The emulators' reason why a person cannot do that, in English, for the console. */
export class EmulatorRefusal extends Error {}

async function call<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json: unknown = text === "" ? null : JSON.parse(text);
  if (answer.ok) return json as T;
  const sentence = (json as { error?: unknown } | null)?.error;
  throw new EmulatorRefusal(typeof sentence === "string" ? sentence : `HTTP ${answer.status}`);
}

export function act<K extends keyof ActorCalls>(
  name: K,
  takes: ActorCalls[K]["takes"],
): Promise<ActorCalls[K]["gives"]> {
  return call("/emulators/act", { act: name, ...takes });
}

export function control<K extends keyof ControlCalls>(
  name: K,
  takes: ControlCalls[K]["takes"],
): Promise<ControlCalls[K]["gives"]> {
  return call("/emulators/control", { control: name, ...takes });
}

/** What FedaPay's widget asks for by the public key and the transaction's id. */
export function readFedapayWidget(query: string): Promise<CheckoutView> {
  return call(`/emulators/fedapay/widget${query}`);
}

/** A payment by its provider and what stands in the address of its page. */
type HostedPayment = { provider: string; token: string };

export function readCheckout(payment: HostedPayment): Promise<CheckoutView> {
  return call(hostedPath(payment));
}

export function actOnCheckout(
  payment: HostedPayment,
  action: CheckoutAction,
): Promise<CheckoutView> {
  return call(hostedPath(payment), action);
}

function hostedPath({ provider, token }: HostedPayment): string {
  return `/emulators/pay/${provider}/${encodeURIComponent(token)}`;
}

export function openKkiapay(config: KkiapayConfig): Promise<CheckoutView> {
  return call("/emulators/kkiapay/openings", config);
}

function inAbidjan(options: Intl.DateTimeFormatOptions): (at: number | string) => string {
  const format = new Intl.DateTimeFormat("fr-FR", { ...options, timeZone: "Africa/Abidjan" });
  return (at) => format.format(new Date(at));
}

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;
const DAY = { day: "numeric", month: "long" } as const;

export const formatClock = inAbidjan(CLOCK);
export const formatSeconds = inAbidjan({ ...CLOCK, second: "2-digit" });
export const formatDay = inAbidjan(DAY);
export const formatLongDay = inAbidjan({ ...DAY, weekday: "long", year: "numeric" });
const formatShortDay = inAbidjan({ day: "2-digit", month: "2-digit" });

const number = new Intl.NumberFormat("fr-FR");
export const formatNumber = (value: number) => number.format(value);

/** In a list: the hour today, the day before that. */
export function formatListTime(at: string, now: number): string {
  return formatShortDay(at) === formatShortDay(now) ? formatClock(at) : formatShortDay(at);
}
