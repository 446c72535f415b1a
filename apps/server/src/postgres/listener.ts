import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { destroySocket, KEEP_ALIVE, LIMITS } from "./connections.ts";

export type Listener = ReturnType<typeof createListener>;

export type ListenerOptions = {
  /** The interval of the pulse, and how long it waits for the answer. */
  readonly pulse?: { readonly everyMs: number; readonly limitMs: number };
  /** The connection is silent: nothing was received since `at` (performance.now). */
  readonly onSilence?: (at: number) => void;
};

const RECONNECT_MS = 500;
/** Together the longest time until a silent loss is detected: ten seconds. */
const PULSE = { everyMs: 5_000, limitMs: 5_000 } as const;

/**
 * One connection that receives NOTIFY, and is reopened after a loss. It sends nothing else, so it
 * would never detect a silent network: hence the pulse. Notifications between loss and return are
 * missed: `onResume` is for listeners who must then read for themselves.
 */
export function createListener(url: string, { pulse = PULSE, onSilence }: ListenerOptions = {}) {
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

  /** Sends the pulse until the connection has ended, or ends it when it is silent. */
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
    /** Calls back with the payload of each notification on `channel`. */
    on(channel: string, listener: (payload: string) => void) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    /** Calls back each time it listens again after a loss: notifications in between are missed. */
    onResume(callback: () => void) {
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
      // On a dead network an orderly end would never finish.
      const gone = client;
      const impatience = setTimeout(() => destroySocket(gone), LIMITS.connectMs / 5).unref();
      await gone.end();
      clearTimeout(impatience);
    },
  };
}

/** Connects, and listens to each channel, within the limit for a connection. */
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
  // One more turn of the event loop: after a pause of our own process the answer may have come, but is not yet read.
  const silence = wait(limitMs).then(() => new Promise<false>((no) => setImmediate(no, false)));
  return Promise.race([answer, silence]);
}
