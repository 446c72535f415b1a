import { createServer, type IncomingHttpHeaders } from "node:http";

type Received = { body: string; headers: IncomingHttpHeaders; at: number };

/** The receiver of webhooks: a server that keeps them, and answers as a test wants. */
export type Receiver = {
  url: string;
  received: Received[];
  /** Decides each answer; 200 by default. `null` never answers. */
  answer: (request: Received) => { status: number; body?: string; headers?: object } | null;
  /** Waits until so many have come in all. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
};

/** @param receiver becomes it: another one of the same name, for the next test */
export async function startReceiver(receiver = {} as Receiver): Promise<Receiver> {
  const waiting = new Set<() => void>();
  Object.assign(receiver, {
    url: "",
    received: [],
    answer: () => ({ status: 200 }),
    async until(count: number) {
      while (receiver.received.length < count) {
        await new Promise<void>((done) => waiting.add(done));
      }
    },
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = {
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
        at: receiver.received.length,
      };
      receiver.received.push(received);
      const answer = receiver.answer(received);
      if (answer !== null) {
        response.writeHead(answer.status, { ...answer.headers });
        response.end(answer.body ?? "");
      }
      for (const done of waiting) done();
      waiting.clear();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  receiver.url = `http://127.0.0.1:${port}`;
  return receiver;
}

export function lastReceived({ received }: Receiver): Received {
  const last = received.at(-1);
  if (last === undefined) throw new Error("nothing was received");
  return last;
}
