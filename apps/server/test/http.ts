import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { findFreePorts } from "../../../tools/launch/ports.ts";

/** A test's request: `body` as JSON, `form` as multipart. */
export type CallOptions = {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** Of idempotency. */
  readonly key?: string | undefined;
  readonly form?: Readonly<Record<string, string | Blob>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Called<T> = {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text when it is not JSON. */
  readonly body: T;
};

/** A refusal's body, which every call may answer. */
export type SomeBody = Readonly<Record<string, never>> & {
  readonly success?: boolean;
  readonly code?: string;
  readonly message?: string;
};

/** The status of an answer, and its code if it has one: `200`, `409 refunds.already`. */
export const sayAnswer = ({ status, body }: Pick<Called<{ code?: string }>, "status" | "body">) =>
  [status, body.code].filter(Boolean).join(" ");

export async function callHttp<T = SomeBody>(
  address: { readonly url: string; readonly method: string },
  options: CallOptions = {},
): Promise<Called<T>> {
  const { method, url } = address;
  const headers = new Headers(options.headers);
  if (options.token !== undefined) headers.set("authorization", `Bearer ${options.token}`);
  if (options.key !== undefined) headers.set("idempotency-key", options.key);
  let body: string | FormData | null = null;
  if (options.form) body = formOf(options.form);
  else if (options.body !== undefined) {
    body = typeof options.body === "string" ? options.body : JSON.stringify(options.body);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
  }
  const response = await fetch(url, { method, headers, body, redirect: "manual" });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text) as T };
}

function formOf(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, "file.bin");
  }
  return form;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A Telegram user, as in init data. */
export type TestPerson = { readonly id: number; readonly first_name: string } & {
  readonly [Field in "last_name" | "username" | "language_code" | "photo_url"]?: string;
} & { readonly allows_write_to_pm?: boolean };

type InitDataOptions = { token: string; authDate: Date; startParam?: string | undefined };

/** Init data as a Telegram client has it. */
export const signInitData = (person: TestPerson, options: InitDataOptions) =>
  signUser(JSON.stringify(person), options);

/** The same for any JSON: the signed value need not be a person. */
export function signUser(user: string, options: InitDataOptions): string {
  const pairs = new URLSearchParams({
    user,
    auth_date: String(Math.floor(options.authDate.getTime() / 1_000)),
    chat_instance: "-3788475317572404878",
    chat_type: "sender",
    ...(options.startParam === undefined ? {} : { start_param: options.startParam }),
    signature: "not-checked-by-bots",
  });
  pairs.set("hash", hashInitData(pairs, options.token));
  return pairs.toString();
}

export const hmac = (key: string | Buffer, text: string | Uint8Array): string =>
  createHmac("sha256", key).update(text).digest("hex");

export function hashInitData(pairs: URLSearchParams, token: string): string {
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const text = [...pairs]
    .filter(([key]) => key !== "hash")
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join("\n");
  return hmac(secret, text);
}

/** The server needs its address before it listens, and the emulators need the server's. */
export const freePort = (): Promise<number> => findFreePorts(1);

/** `body`: a text unchanged, anything else as JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json" }).end(text);
}

/** Passes a request on unchanged. → the answer */
export async function forward(target: string, request: IncomingMessage, body: Buffer) {
  const { method = "GET", url = "/" } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (["host", "connection", "content-length", "transfer-encoding"].includes(name)) continue;
    headers.set(name, String(value));
  }
  const sent = body.length > 0 ? { body: new Uint8Array(body) } : {};
  const answer = await fetch(target + url, { method, headers, ...sent });
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "application/json",
    body: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Every page of a list, from its first to its last. */
export async function pagesOf<Page extends { readonly next_cursor: string | null }>(
  read: (cursor: string) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null)
    pages.push(await read(cursor));
  return pages;
}

export type Line = Awaited<ReturnType<typeof openLine>>;

/**
 * A connection on which bytes are sent as a test wants them. `answer`: the status of the next answer
 * that is read, and its head and body.
 */
export function openLine(url: string) {
  type Answer = { status: number; text: string };
  return new Promise<{ socket: Socket; answer: () => Promise<Answer> }>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let received = "";
    let failure: Error | null = null;
    let look = () => undefined as void;
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      look();
    });
    socket.on("error", (error) => {
      failure = error;
      look();
      reject(error);
    });
    socket.on("close", () => {
      failure ??= new Error("closed");
      look();
    });
    const answer = () =>
      new Promise<Answer>((found, lost) => {
        look = () => {
          const end = received.indexOf("\r\n\r\n");
          const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
          if (end >= 0 && received.length >= end + 4 + length) {
            const text = received.slice(0, end + 4 + length);
            received = received.slice(end + 4 + length);
            return found({ status: Number(text.slice(9, 12)), text });
          }
          if (failure) lost(failure);
        };
        look();
      });
    socket.once("connect", () => resolve({ socket, answer }));
  });
}
