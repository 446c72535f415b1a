import pg from "pg";

export type Listener = {
  /** Calls back with the payload of each notification on `channel`. */
  on(channel: string, listener: (payload: string) => void): void;
  start(): Promise<void>;
  close(): Promise<void>;
};

const RECONNECT_MS = 500;

/**
 * One connection that hears NOTIFY, and comes back after a loss. What was said in between is lost:
 * listeners must also look by themselves from time to time.
 */
export function createListener(url: string): Listener {
  const listeners = new Map<string, Array<(payload: string) => void>>();
  let client: pg.Client | null = null;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url });
    next.on("notification", (message) => {
      for (const listener of listeners.get(message.channel) ?? []) listener(message.payload ?? "");
    });
    next.on("error", () => {});
    next.on("end", () => reconnectLater());
    await next.connect();
    for (const channel of listeners.keys()) await next.query(`LISTEN ${channel}`);
    client = next;
  }

  function reconnectLater(): void {
    client = null;
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = null;
      connect().catch(() => reconnectLater());
    }, RECONNECT_MS);
    timer.unref();
  }

  return {
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
    },
    start: connect,
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await client?.end();
    },
  };
}
