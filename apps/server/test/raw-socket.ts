import { assert } from "@sesame/kernel";

export type RawSocket = {
  /** Sends a packet as it is. */
  send(packet: string): void;
  /** The next packet that begins with `start`; rejects when the socket ends first. */
  heard(start: string): Promise<string>;
  readonly closed: Promise<void>;
  /** How often the server has asked whether it lives. */
  pings(): number;
  close(): void;
};

/** A Socket.IO client by hand: what no client library would send. Answers the server's pings. */
export async function openRawSocket(url: string): Promise<RawSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`);
  const packets: string[] = [];
  const looks = new Set<() => void>();
  let ended = false;
  let pings = 0;
  const look = (): void => {
    for (const each of looks) each();
  };
  socket.addEventListener("message", ({ data }) => {
    assert(typeof data === "string", "the server sends text");
    if (data === "2") {
      pings += 1;
      return socket.send("3");
    }
    packets.push(data);
    look();
  });
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener("close", () => {
      ended = true;
      look();
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error("the socket was refused")));
  });
  return {
    send: (packet) => socket.send(packet),
    closed,
    pings: () => pings,
    close: () => socket.close(),
    heard: (start) =>
      new Promise((resolve, reject) => {
        const again = (): void => {
          const index = packets.findIndex((packet) => packet.startsWith(start));
          if (index < 0 && !ended) return;
          looks.delete(again);
          const [packet] = index < 0 ? [] : packets.splice(index, 1);
          if (packet === undefined) reject(new Error(`the socket ended before ${start}`));
          else resolve(packet);
        };
        looks.add(again);
        again();
      }),
  };
}

/** Opens one and says who it is. */
export async function openSignedSocket(url: string, token: string): Promise<RawSocket> {
  const socket = await openRawSocket(url);
  socket.send(`40${JSON.stringify({ token })}`);
  const answer = await socket.heard("4");
  assert(answer.startsWith("40"), `the token was refused: ${answer}`);
  return socket;
}
