import type { Server as NodeServer } from "node:http";
import { Server, type Socket } from "socket.io";
import type { Principal } from "../http/principal.ts";
import type { Listener } from "../postgres/listener.ts";
import { sendResync } from "./resync.ts";
import {
  DESK_ROOM,
  REALTIME_CHANNEL,
  type RealtimeEvent,
  SESSION_ENDED,
  sessionRoom,
} from "./events.store.ts";

export type RealtimeOptions = {
  readonly http: NodeServer;
  readonly listener: Listener;
  readonly origins: readonly string[];
  authenticate(token: string): Promise<Principal | null>;
  /** Whether the person may follow the order: its buyer or its seller. */
  mayFollow(principal: Principal, orderId: bigint): Promise<boolean>;
};

export type Realtime = { close(): Promise<void> };

type Data = { principal: Principal };
type Events = Record<string, (...args: never[]) => void>;
type AppSocket = Socket<Events, Record<string, (body: unknown) => void>, Events, Data>;

/** Pushes what the database says at each commit: to persons, orders and the desk (WIRE §2). */
export function createRealtime(options: RealtimeOptions): Realtime {
  const io = new Server<Events, Record<string, (body: unknown) => void>, Events, Data>(
    options.http,
    { serveClient: false, cors: { origin: [...options.origins] }, maxHttpBufferSize: 16_384 },
  );
  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth["token"];
    if (typeof token !== "string") return next(new Error("identity.token-missing"));
    options.authenticate(token).then(
      (principal) => {
        if (!principal) return next(new Error("identity.token-refused"));
        socket.data.principal = principal;
        void socket.join(sessionRoom(token));
        next();
      },
      () => next(new Error("outage")),
    );
  });
  io.on("connection", (socket) => welcome(options, socket));
  options.listener.on(REALTIME_CHANNEL, (payload) => {
    for (const event of JSON.parse(payload) as RealtimeEvent[]) {
      const rooms = [event.room].flat();
      if (event.name === SESSION_ENDED) io.local.in(rooms).disconnectSockets(true);
      else io.to(rooms).emit(event.name, event.body);
    }
  });
  options.listener.onResume(() =>
    sendResync({
      sockets: () => [...io.sockets.sockets.values()],
      authenticate: options.authenticate,
    }),
  );
  return {
    // Not io.close(): it would wait for the HTTP server's last connection, which the server ends.
    async close() {
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

function welcome(options: RealtimeOptions, socket: AppSocket): void {
  const { principal } = socket.data;
  void socket.join(`person:${principal.personId}`);
  if (principal.isAgent || principal.isOperator) void socket.join(DESK_ROOM);
  const follow = (body: unknown, answer?: unknown) => {
    const orderId = readOrderId(body);
    const reply = (ok: boolean) => {
      if (typeof answer === "function") answer({ success: ok });
    };
    if (orderId === null) return reply(false);
    options.mayFollow(principal, orderId).then(
      async (allowed) => {
        if (allowed) await socket.join(`order:${orderId}`);
        reply(allowed);
      },
      () => reply(false),
    );
  };
  socket.on("order:follow", follow);
}

function readOrderId(body: unknown): bigint | null {
  if (typeof body !== "object" || body === null || !("id" in body)) return null;
  const id = String(body.id);
  return /^\d{1,18}$/.test(id) ? BigInt(id) : null;
}
