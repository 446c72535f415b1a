import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { destroySocket, KEEP_ALIVE, LIMITS } from "./connections.ts";

export type Listener = {
  /** Calls back with the payload of each notification on `channel`. */
  on(channel: string, listener: (payload: string) => void): void;
  /** Calls back each time it listens again after a loss: what was said in between is missed. */
  onResume(callback: () => void): void;
  readonly connected: boolean;
  start(): Promise<void>;
  close(): Promise<void>;
};

export type ListenerOptions = {
  /** How often it asks whether the other side is still there, and how long it waits to hear. */
  readonly pulse?: { readonly everyMs: number; readonly limitMs: number };
  /** The other side fell silent: nothing has been heard of it since `at` (performance.now). */
  readonly onSilence?: (at: number) => void;
};

const RECONNECT_MS = 500;
/** Together the longest that a silent loss goes unseen: ten seconds. */
const PULSE = { everyMs: 5_000, limitMs: 5_000 } as const;

/**
 * One connection that hears NOTIFY, and comes back after a loss. It never writes by itself, so a
 * network that fell silent would leave it deaf for ever: a pulse finds out. What was said between
 * loss and return is missed: `onResume` is for those who must then look by themselves.
 */
export function createListener(
  url: string,
  { pulse = PULSE, onSilence }: ListenerOptions = {},
): Listener {
  const listeners = new Map<string, Array<(payload: string) => void>>();
  const resumed: Array<() => void> = [];
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, ...KEEP_ALIVE });
    let ended = false;
    next.on("notification", (message) => {
      for (const listener of listeners.get(message.channel) ?? []) listener(message.payload ?? "");
    });
    next.on("error", () => {});
    next.on("end", () => {
      ended = true;
      reconnectLater();
    });
    await listenTo(next, [...listeners.keys()]);
    if (ended) throw new Error("Connection terminated while it began to listen");
    client = next;
    void beat(next, () => ended || closed);
  }

  /** Asks again and again until the connection has ended, or ends it when it is silent. */
  async function beat(next: pg.Client, isOver: () => boolean): Promise<void> {
    for (;;) {
      await wait(pulse.everyMs);
      if (isOver()) return;
      const at = performance.now();
      if (await answersWithin(next, pulse.limitMs)) continue;
      if (isOver()) return;
      destroySocket(next);
      onSilence?.(at);
      return;
    }
  }

  function reconnectLater(): void {
    client = null;
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = null;
      connect().then(
        () => {
          for (const callback of resumed) callback();
        },
        () => reconnectLater(),
      );
    }, RECONNECT_MS);
    retry.unref();
  }

  return {
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    onResume(callback) {
      resumed.push(callback);
    },
    get connected() {
      return client !== null;
    },
    start: connect,
    async close() {
      closed = true;
      if (retry) clearTimeout(retry);
      if (!client) return;
      // Said to a network that is not there, a farewell would never end.
      const gone = client;
      const impatience = setTimeout(() => destroySocket(gone), LIMITS.connectMs / 5).unref();
      await gone.end();
      clearTimeout(impatience);
    },
  };
}

/** Connects, and listens to each channel, within the time a connection may take. */
async function listenTo(client: pg.Client, channels: readonly string[]): Promise<void> {
  const silence = setTimeout(() => destroySocket(client), LIMITS.connectMs).unref();
  const listens = channels.map((channel) => `LISTEN ${channel};`);
  try {
    await client.connect();
    // A role's own limit would end a connection whose work is to wait.
    await client.query(`SET idle_session_timeout = 0; ${listens.join(" ")}`);
  } catch (error) {
    destroySocket(client);
    throw error;
  } finally {
    clearTimeout(silence);
  }
}

const wait = (ms: number) => sleep(ms, undefined, { ref: false });

async function answersWithin(client: pg.Client, limitMs: number): Promise<boolean> {
  const answer = client.query("SELECT 1").then(
    () => true,
    () => true,
  );
  // A turn more: after a pause of our own process the answer may be there, only not yet read.
  const silence = wait(limitMs).then(() => new Promise<false>((no) => setImmediate(no, false)));
  return Promise.race([answer, silence]);
}
