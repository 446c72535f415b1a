import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Outage } from "@sesame/kernel";
import { expect } from "vitest";

export type SeenCall = {
  readonly call: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
};

/** What the provider answers to one call; `silent` never does. */
export type ScriptedAnswer =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | "silent"
  | "hang-up";

export type ProviderHost = {
  readonly apiRoot: string;
  /** In order of arrival. */
  readonly calls: readonly SeenCall[];
  close(): Promise<void>;
};

/** A provider on a port of its own, answering as the test says. Text is sent as it is. */
export async function hostProvider(
  answer: (seen: SeenCall) => ScriptedAnswer,
): Promise<ProviderHost> {
  const calls: SeenCall[] = [];
  const server: Server = createServer((request, response) => {
    void readAll(request).then((text) => {
      const call = `${request.method} ${request.url}`;
      const seen = { call, headers: request.headers, body: text ? JSON.parse(text) : null };
      calls.push(seen);
      const said = answer(seen);
      if (said === "silent") return;
      if (said === "hang-up") {
        request.socket.destroy();
        return;
      }
      const body = typeof said.body === "string" ? said.body : JSON.stringify(said.body);
      response.writeHead(said.status ?? 200, said.headers ?? {}).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    apiRoot: `http://127.0.0.1:${port}`,
    calls,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** An address behind which nobody listens: a port that no system gives to a program. */
export const nobodyListening = (): string => "http://127.0.0.1:2";

export async function outageOf(promise: Promise<unknown>): Promise<Outage> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Outage);
  return error as Outage;
}
