import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the parrot answers: as the provider, or with all that it was told in its words. */
export type Parroting = "honest" | "500" | "400" | "401" | "422" | "nonsense" | "cut";

export type Parrot = {
  readonly root: string;
  /** Where honest calls go. */
  target: string;
  says: Parroting;
  close(): Promise<void>;
};

/** Stands before the providers: careless ones repeat a caller's keys in their errors. */
export async function startParrot(): Promise<Parrot> {
  const parrot = { root: "", target: "", says: "honest" as Parroting };
  const server = createServer((request, response) => {
    answer(parrot, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  parrot.root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(parrot, {
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  });
}

async function answer(
  { says, target }: Pick<Parrot, "says" | "target">,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bytesOf(request);
  if (says === "honest") return passOn({ target, request, response, body });
  if (says === "cut") return void response.destroy();
  const words = `Invalid: ${JSON.stringify(request.headers)} ${request.url} ${body.toString()}`;
  const json = JSON.stringify({
    message: words,
    error: words,
    response_code: words,
    response_text: words,
    errors: { key: [words] },
    data: { message: words, id: words },
  });
  if (says === "nonsense") return void response.writeHead(200).end(words);
  response.writeHead(Number(says), { "content-type": "application/json" }).end(json);
}

type Passing = {
  readonly target: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
};

async function passOn({ target, request, response, body }: Passing): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (["host", "connection", "content-length", "transfer-encoding"].includes(name)) continue;
    headers.set(name, String(value));
  }
  const { method = "GET", url = "/" } = request;
  const sent = await fetch(target + url, {
    method,
    headers,
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  });
  response.writeHead(sent.status, {
    "content-type": sent.headers.get("content-type") ?? "application/json",
  });
  response.end(Buffer.from(await sent.arrayBuffer()));
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
