import type { Socket } from "socket.io-client";

type RealtimeOptions<E extends string> = {
  token(): string | null;
  readonly events: readonly E[];
  on(event: E, body: unknown): void;
  /** At each connection, and on the server's order: what was pushed before is lost, also before the first. */
  connected(isFirst: boolean): void;
};

/**
 * Opens the live connection once the page has been painted: on a slow phone its client weighs as much as
 * React. Times of A §9. Returns what closes it.
 */
export function openRealtime<E extends string>(options: RealtimeOptions<E>): () => void {
  let socket: Socket | null = null;
  let closed = false;
  const open = async () => {
    const { io } = await import("socket.io-client");
    if (closed) return;
    socket = io({
      auth: (answer) => answer({ token: options.token() ?? "" }),
      transports: ["websocket", "polling"],
      timeout: 20_000,
      reconnectionDelay: 1_000,
      reconnectionDelayMax: 5_000,
      randomizationFactor: 0.5,
    });
    let isFirst = true;
    socket.on("connect", () => {
      options.connected(isFirst);
      isFirst = false;
    });
    // The server missed events of its own database: the same as after a reconnection.
    socket.on("resync", () => options.connected(false));
    for (const event of options.events) {
      socket.on<string>(event, (body: unknown) => options.on(event, body));
    }
  };
  const cancel = whenIdle(() => {
    // Realtime errors only log (A §8): screens refresh by themselves without it.
    open().catch((error: unknown) => {
      console.warn("realtime", error);
    });
  });
  return () => {
    closed = true;
    cancel();
    socket?.close();
  };
}

/** After paint, when the phone has nothing better to do. Returns what cancels it. */
export function whenIdle(run: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const id = requestIdleCallback(run, { timeout: 2_000 });
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(run, 300);
  return () => clearTimeout(id);
}
