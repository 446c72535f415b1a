import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { assert } from "@sesame/kernel";

export type FakeAnswer = { readonly status: number; readonly body: unknown };

export type FakeServer = { readonly root: string; close(): Promise<void> };

/** A server of the tests' own, written from the reference alone: it shares nothing with the emulators. */
export async function listenFake(
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<FakeServer> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert(typeof address === "object" && address, "a port was given");
  return {
    root: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

/** `text` is sent as it is, anything else as JSON. */
export function sendFake(response: ServerResponse, { status, body }: FakeAnswer): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json" });
  response.end(text);
}
