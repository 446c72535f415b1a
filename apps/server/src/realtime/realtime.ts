import type { Server as NodeServer } from "node:http";
import { idOnWire } from "@sesame/contract";
import { type Clock, MINUTE_MS } from "@sesame/kernel";
import { Server, type Socket } from "socket.io";
import { z } from "zod";
import type { Config } from "../config.ts";
import {
  type AttemptCounter,
  createAttemptCounter,
  addressKey,
  clientAddress,
} from "../http/callers.ts";
import type { LiveSession, Principal } from "../http/server.ts";
import type { Guard } from "../monitoring/guard.ts";
import type { Listener } from "../postgres/listener.ts";
import {
  STAFF_ROOM,
  REALTIME_CHANNEL,
  type RealtimeEvent,
  SESSION_ENDED,
  sessionRoom,
} from "./events.store.ts";

/** Sent to every client after events may have been missed: the client reloads everything. */
const RESYNC = "resync";

/** All clients at once would be too many requests. */
const SPREAD_MS = 3_000;

export type ResyncSocket = {
  readonly handshake: { readonly auth: Readonly<Record<string, unknown>> };
  emit(name: typeof RESYNC, body: object): unknown;
  disconnect(close: boolean): unknown;
};

type ResyncOptions = {
  sockets(): readonly ResyncSocket[];
  authenticate(token: string): Promise<Principal | null>;
  /** The time over which clients are spread; for tests. */
  readonly spreadMs?: number;
};

/**
 * Makes every client of this process reload, some at a time. The missed events may include the end
 * of a session, so each session is checked before its client gets the event.
 */
export function sendResync({ sockets, authenticate, spreadMs = SPREAD_MS }: ResyncOptions): void {
  const all = sockets();
  for (const [index, socket] of all.entries()) {
    const afterMs = (index / all.length) * spreadMs;
    setTimeout(() => void resyncOne(socket, authenticate), afterMs).unref();
  }
}

async function resyncOne(socket: ResyncSocket, authenticate: ResyncOptions["authenticate"]) {
  const token: unknown = socket.handshake.auth["token"];
  try {
    const principal = typeof token === "string" ? await authenticate(token) : null;
    if (principal) socket.emit(RESYNC, {});
    else socket.disconnect(true);
  } catch {
    // Another outage of the database: the client reloads when it can, and the next return sends the event again.
    socket.emit(RESYNC, {});
  }
}

export type RealtimeOptions = Pick<Config, "telegramWebOrigins" | "trustedProxies"> & {
  readonly http: NodeServer;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly guard: Guard;
  /** Counts refused tokens by address, those of requests and of sockets together. */
  readonly refusedTokens: AttemptCounter;
  /** Null for an unknown, expired or revoked token. */
  sessionOf(token: string): Promise<LiveSession | null>;
  /** Whether the person may follow the order: its buyer or its seller. */
  mayFollow(principal: Principal, orderId: bigint): Promise<boolean>;
};

type Data = { session: LiveSession };
type Events = Record<string, (...args: unknown[]) => void>;
type AppServer = Server<Events, Record<string, (body: unknown) => void>, Events, Data>;
type AppSocket = Socket<Events, Record<string, (body: unknown) => void>, Events, Data>;
/** The answer to `order:follow`: `code` is the reason, if it is more than a refusal. */
type FollowAnswer = { success: boolean; code?: "request.too-many" };

/** Pushes the events of each commit to persons, orders and the back office (WIRE §2). */
export function createRealtime(options: RealtimeOptions) {
  const { guard, trustedProxies } = options;
  const counts = createSocketCounts();
  const io: AppServer = new Server(options.http, {
    serveClient: false,
    cors: { origin: options.telegramWebOrigins },
    maxHttpBufferSize: 16_384,
    connectTimeout: UNKNOWN_FOR_MS,
    allowRequest(request, answer) {
      try {
        const may = counts.mayOpen(addressKey(clientAddress(request, trustedProxies)));
        answer(may ? null : "request.too-many", may);
      } catch (error) {
        guard.report("socket request", error);
        answer("request.fault", false);
      }
    },
  });
  countSockets(io, options, counts);
  io.use((socket, next) => {
    const answer = guard.wrap("socket admission", (refusal: string | null) =>
      next(refusal === null ? undefined : new Error(refusal)),
    );
    admit(io, options, socket).then(answer, () => answer("outage"));
  });
  io.on("connection", guard.wrap("socket connection", createWelcome(options)));
  options.listener.on(REALTIME_CHANNEL, (payload) => {
    for (const event of JSON.parse(payload) as RealtimeEvent[]) {
      const rooms = [event.room].flat();
      if (event.name === SESSION_ENDED) io.local.in(rooms).disconnectSockets(true);
      else io.to(rooms).emit(event.name, event.body);
    }
  });
  const endSweep = sweepEndedSessions(io, options);
  options.listener.onResume(() =>
    sendResync({
      sockets: () => [...io.sockets.sockets.values()],
      authenticate: async (token) => (await options.sessionOf(token))?.principal ?? null,
    }),
  );
  return {
    // Not io.close(): it would wait for the HTTP server's last connection, which the server ends.
    async close() {
      endSweep();
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

type Connection = AppSocket["conn"];

function countSockets(
  io: AppServer,
  { guard, trustedProxies }: RealtimeOptions,
  counts: SocketCounts,
): void {
  const open = new WeakMap<Connection, ReturnType<SocketCounts["open"]>>();
  io.engine.on(
    "connection",
    guard.wrap("socket opening", (connection: Connection) => {
      const counted = counts.open(addressKey(clientAddress(connection.request, trustedProxies)));
      open.set(connection, counted);
      connection.once("close", counted.gone);
    }),
  );
  io.on("connection", ({ conn }) => open.get(conn)?.identified());
}

/** → the code of a refusal, or null with the socket in its session's and its person's rooms. */
async function admit(io: AppServer, options: RealtimeOptions, socket: AppSocket) {
  const token: unknown = socket.handshake.auth["token"];
  if (typeof token !== "string") return "identity.token-missing";
  const session = await options.sessionOf(token);
  if (!session) {
    const address = addressKey(clientAddress(socket.request, options.trustedProxies));
    const waitSeconds = options.refusedTokens.count(address);
    return waitSeconds === null ? "identity.token-refused" : "request.too-many";
  }
  const room = `person:${session.principal.personId}`;
  if ((io.sockets.adapter.rooms.get(room)?.size ?? 0) >= SOCKETS_A_PERSON) {
    return "realtime.too-many-sockets";
  }
  socket.data.session = session;
  await socket.join([sessionRoom(token), room]);
  return null;
}

function createWelcome(options: RealtimeOptions): (socket: AppSocket) => void {
  const { clock, guard } = options;
  const events = createAttemptCounter(clock, EVENTS_A_MINUTE);
  return (socket) => {
    const { principal } = socket.data.session;
    if (principal.isAgent || principal.isOperator) void socket.join(STAFF_ROOM);
    socket.use(([, ...args], next) => {
      if (events.count(`${principal.personId}`) === null) return next();
      answerLast(args, { success: false, code: "request.too-many" });
    });
    // One after the other: a burst of one socket never holds more than one connection.
    let turn = Promise.resolve();
    socket.on(
      "order:follow",
      guard.wrap("socket order:follow", (...args) => {
        turn = turn.then(async () => {
          const success = await follow(options, socket, args[0]).catch((error: unknown) => {
            guard.report("socket order:follow", error);
            return false;
          });
          answerLast(args, { success });
        });
        return turn;
      }),
    );
  };
}

function answerLast(args: readonly unknown[], answer: FollowAnswer): void {
  const last = args.at(-1);
  if (typeof last === "function") last(answer);
}

const FOLLOWED = z.object({ id: idOnWire });

async function follow({ mayFollow }: RealtimeOptions, socket: AppSocket, body: unknown) {
  const { success, data } = FOLLOWED.safeParse(body);
  if (!success || !(await mayFollow(socket.data.session.principal, data.id))) return false;
  await socket.join(`order:${data.id}`);
  return true;
}

/** Closes sockets whose session ended, each minute. → the function that stops this. */
function sweepEndedSessions(io: AppServer, { clock, guard }: RealtimeOptions): () => void {
  const endOver = guard.wrap("socket sweep", () => {
    const now = clock.now();
    for (const socket of io.sockets.sockets.values()) {
      if (socket.data.session.endsAt <= now) socket.disconnect(true);
    }
  });
  const timer = setInterval(endOver, MINUTE_MS).unref();
  const unlisten = clock.onJump(endOver);
  return () => {
    clearInterval(timer);
    unlisten();
  };
}

/**
 * Above what a regular client does. Per person: tabs and phones, each one socket. Per address: a
 * whole mobile network may share one, so only sockets without an accepted token count early.
 */
export const SOCKETS_A_PERSON = 20;
const SOCKETS_AN_ADDRESS = 10_000;
const UNKNOWN_SOCKETS_AN_ADDRESS = 1_000;
const UNKNOWN_SOCKETS = 5_000;
/** A client sends its token with its first packet. */
const UNKNOWN_FOR_MS = 5_000;
/** Like requests of one person on one route. An app sends one event for each displayed order. */
export const EVENTS_A_MINUTE = 240;

type SocketCounts = ReturnType<typeof createSocketCounts>;

/** The number of open sockets, by address, and how many of them have no accepted token yet. */
function createSocketCounts() {
  const all = new Map<string, number>();
  const unknown = new Map<string, number>();
  let unknownInAll = 0;
  const add = (counts: Map<string, number>, key: string, step: 1 | -1): void => {
    const next = (counts.get(key) ?? 0) + step;
    if (next > 0) counts.set(key, next);
    else counts.delete(key);
  };
  return {
    /** Whether one more socket may be opened from the address. */
    mayOpen: (address: string) =>
      unknownInAll < UNKNOWN_SOCKETS &&
      (unknown.get(address) ?? 0) < UNKNOWN_SOCKETS_AN_ADDRESS &&
      (all.get(address) ?? 0) < SOCKETS_AN_ADDRESS,
    /** Counts a new socket; → functions to call when its token is accepted, and when it closes. */
    open(address: string) {
      let isUnknown = true;
      add(all, address, 1);
      add(unknown, address, 1);
      unknownInAll += 1;
      const identified = (): void => {
        if (!isUnknown) return;
        isUnknown = false;
        add(unknown, address, -1);
        unknownInAll -= 1;
      };
      return {
        identified,
        gone(): void {
          identified();
          add(all, address, -1);
        },
      };
    },
  };
}
