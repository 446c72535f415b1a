import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a call to a provider is for: the steps of a payout. */
export type CallStep = "prepare" | "submit" | "lookup";

/**
 * `before` they hear it · `after` they did and nothing was answered · `answered`, unless they cut it
 * off.
 */
export type Instant = "before" | "after" | "answered";

export type ProviderProxy = {
  readonly url: string;
  /** At the next call of that step: calls back, and lets nothing of it be heard that came later. */
  trap(at: { step: CallStep; instant: Instant }, spring: () => Promise<void>): void;
  /** Nothing is set any more. */
  readonly sprung: boolean;
  close(): Promise<void>;
};

type Trap = { step: CallStep; instant: Instant; spring(): Promise<void> };

/** Stands between the server and the emulated providers, to kill it at a known instant. */
export async function startProviderProxy(target: string): Promise<ProviderProxy> {
  let trap: Trap | null = null;
  const server = createServer((incoming, response) => {
    const caught = trap !== null && stepOf(incoming) === trap.step ? trap : null;
    if (caught) trap = null;
    pass({ target, incoming, response }, caught).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    trap: (at, spring) => {
      trap = { ...at, spring };
    },
    get sprung() {
      return trap === null;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Passing = { target: string; incoming: IncomingMessage; response: ServerResponse };

async function pass({ target, incoming, response }: Passing, trap: Trap | null): Promise<void> {
  const body = await readAll(incoming);
  if (trap?.instant === "before") {
    await trap.spring();
    return void response.destroy();
  }
  const answer = await forward(target, incoming, body).catch(() => null);
  if (answer === null || trap?.instant === "after") {
    await trap?.spring();
    return void response.destroy();
  }
  response.writeHead(answer.status, { "content-type": answer.type });
  response.end(answer.body);
  if (trap) await trap.spring();
}

function stepOf({ method, url = "" }: IncomingMessage): CallStep | null {
  const path = url.split("?")[0] ?? "";
  if (path.endsWith("/get-invoice")) return "prepare";
  if (path.endsWith("/submit-invoice") || path.endsWith("/payouts/initialize")) return "submit";
  if (path.endsWith("/check-status")) return "lookup";
  if (!path.startsWith("/v1/payouts")) return null;
  if (method === "POST") return "prepare";
  return method === "PUT" ? "submit" : "lookup";
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

type Answer = { status: number; type: string; body: Buffer };

function forward(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method, headers } = incoming;
    const url = new URL(incoming.url ?? "/", target);
    const sent = request(url, { method, headers: { ...headers, host: url.host } }, (response) => {
      readAll(response).then(
        (read) =>
          resolve({
            status: response.statusCode ?? 502,
            type: response.headers["content-type"] ?? "application/json",
            body: read,
          }),
        reject,
      );
    });
    sent.once("error", reject);
    sent.end(body);
  });
}
