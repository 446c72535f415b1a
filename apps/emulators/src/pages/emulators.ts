import { useEffect, useState, useSyncExternalStore } from "react";
import type {
  EmulatorEvent,
  EmulatorState,
  ActorCalls,
  CheckoutAction,
  CheckoutView,
  ControlCalls,
  User,
} from "../wire.ts";

const RECONNECT_MS = 1500;

type Snapshot = { state: EmulatorState | null; live: boolean };

/** Called at each change of the state and at each event. */
type Listener = (event?: EmulatorEvent) => void;

/** Follows the emulators: the browser reopens a broken stream, this code one that was refused. */
function connectEmulators() {
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
    subscribe: (listener: Listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    snapshot: () => current,
  };
}

let connected: ReturnType<typeof connectEmulators> | undefined;
/** One for the page, from the first component that asks: a page of payment follows nothing. */
const store = () => (connected ??= connectEmulators());

export function useEmulatorLink(): Snapshot {
  return useSyncExternalStore(store().subscribe, store().snapshot);
}

/** Only inside the component that waits for the first state. */
export function useEmulators(): EmulatorState {
  const { state } = useEmulatorLink();
  if (state === null) throw new Error("the emulators' state is not here yet");
  return state;
}

export function useEmulatorEvent(listener: (event: EmulatorEvent) => void): void {
  useEffect(() => store().subscribe((event) => event && listener(event)), [listener]);
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

export async function call<T>(path: string, body?: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  const post = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(path, body === undefined ? {} : post);
  const json: unknown = await answer.json();
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

/** Where the emulators answer about a payment, by what stands in the address of its page. */
export const paymentPath = (provider: string, token: string) =>
  `/emulators/pay/${provider}/${token}`;

export const actOnCheckout = ({ provider, id }: CheckoutView, action: CheckoutAction) =>
  call<CheckoutView>(paymentPath(provider, encodeURIComponent(id)), action);

function inAbidjan(options: Intl.DateTimeFormatOptions): (at: number | string) => string {
  const format = new Intl.DateTimeFormat("fr-FR", { ...options, timeZone: "Africa/Abidjan" });
  // French says the first day of a month otherwise than Intl.
  return (at) => format.format(new Date(at)).replace(/\b1 /, "1er ");
}

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;
const DAY = { day: "numeric", month: "long" } as const;

export const formatClock = inAbidjan(CLOCK);
export const formatSeconds = inAbidjan({ ...CLOCK, second: "2-digit" });
export const formatDay = inAbidjan(DAY);
export const formatLongDay = inAbidjan({ ...DAY, weekday: "long", year: "numeric" });
const formatShortDay = inAbidjan({ day: "2-digit", month: "2-digit" });

export const userName = ({ first_name, last_name }: User): string =>
  last_name === undefined ? first_name : `${first_name} ${last_name}`;

const number = new Intl.NumberFormat("fr-FR");
export const formatNumber = (value: number) => number.format(value);

/** In a list: the hour today, the day before that. */
export function formatListTime(at: number, now: number): string {
  return formatShortDay(at) === formatShortDay(now) ? formatClock(at) : formatShortDay(at);
}
