import type { Principal } from "../http/principal.ts";

/** Said to every client after events may have been missed: it asks for everything again. */
export const RESYNC = "resync";

/** All clients asking at once would be a wave of its own. */
const SPREAD_MS = 3_000;
/** Timers for ten thousand sockets: one for each of these shares. */
const SHARES = 30;

export type ResyncSocket = {
  readonly handshake: { readonly auth: Readonly<Record<string, unknown>> };
  emit(name: typeof RESYNC, body: object): unknown;
  disconnect(close: boolean): unknown;
};

export type ResyncOptions = {
  sockets(): readonly ResyncSocket[];
  authenticate(token: string): Promise<Principal | null>;
  /** How long the clients are spread over; for tests. */
  readonly spreadMs?: number;
};

/**
 * Tells every client of this process to ask again, some at a time. The end of a session may be
 * among the events missed, so each session is looked up before its client is told anything.
 */
export function sendResync({ sockets, authenticate, spreadMs = SPREAD_MS }: ResyncOptions): void {
  const all = sockets();
  const size = Math.max(1, Math.ceil(all.length / SHARES));
  for (let start = 0; start < all.length; start += size) {
    const share = all.slice(start, start + size);
    const afterMs = (start / all.length) * spreadMs;
    setTimeout(() => {
      for (const socket of share) void resyncOne(socket, authenticate);
    }, afterMs).unref();
  }
}

async function resyncOne(
  socket: ResyncSocket,
  authenticate: ResyncOptions["authenticate"],
): Promise<void> {
  const token: unknown = socket.handshake.auth["token"];
  try {
    const principal = typeof token === "string" ? await authenticate(token) : null;
    if (principal) socket.emit(RESYNC, {});
    else socket.disconnect(true);
  } catch {
    // The database is away again: the client asks when it can, and the next return says it again.
    socket.emit(RESYNC, {});
  }
}
