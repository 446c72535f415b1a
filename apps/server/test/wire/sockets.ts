import { io, type Socket } from "socket.io-client";

type Received = { readonly name: string; readonly body: unknown };

export type Ear = Awaited<ReturnType<typeof listenTo>>;

/** A realtime client, set up as in A §9. Rejects when it is refused. */
export async function listenTo(url: string, auth: Record<string, unknown>) {
  const socket: Socket = io(url, { auth, reconnection: false, timeout: 5_000 });
  const received: Received[] = [];
  socket.onAny((name: string, body: unknown) => received.push({ name, body }));
  await new Promise<void>((resolve, reject) => {
    socket.on("connect", resolve);
    socket.on("connect_error", (error) => {
      socket.close();
      reject(error);
    });
  });
  return {
    received,
    onReceived: (listener: (received: Received) => void) =>
      void socket.onAny((name, body) => listener({ name, body })),
    follow: (id: unknown): Promise<unknown> =>
      socket.timeout(5_000).emitWithAck("order:follow", { id }),
    close: () => void socket.close(),
  };
}
