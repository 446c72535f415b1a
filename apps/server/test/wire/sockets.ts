import { io, type Socket } from "socket.io-client";

type Received = { readonly name: string; readonly body: unknown };

export type Ear = {
  readonly received: Received[];
  follow(orderId: unknown): Promise<unknown>;
  onReceived(listener: (received: Received) => void): void;
  onGone(listener: (reason: string) => void): void;
  close(): void;
};

/** A realtime client, set up as in A §9. Rejects when it is refused. */
export function listenTo(url: string, auth: Record<string, unknown>): Promise<Ear> {
  const socket: Socket = io(url, { auth, reconnection: false, timeout: 5_000 });
  const received: Received[] = [];
  socket.onAny((name: string, body: unknown) => received.push({ name, body }));
  return new Promise((resolve, reject) => {
    socket.on("connect_error", (error) => {
      socket.close();
      reject(error);
    });
    socket.on("connect", () =>
      resolve({
        received,
        onReceived: (listener) => void socket.onAny((name, body) => listener({ name, body })),
        onGone: (listener) => void socket.on("disconnect", listener),
        follow: (id) => socket.timeout(5_000).emitWithAck("order:follow", { id }),
        close: () => socket.close(),
      }),
    );
  });
}
