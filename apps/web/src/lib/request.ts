import type { AnswerOf, CallName, Sent } from "@sesame/contract/routes";
import { requestCopy } from "./request-messages.fr.ts";

/** The server refused, or no answer came: always with a sentence for the person. */
export class RequestError extends Error {
  override name = "RequestError";
  /** HTTP status; 0 when no answer came. */
  declare readonly status: number;
  declare readonly code: string;
  /** A refusal without a message of its own. */
  readonly isBare: boolean = false;
  /** An order that was created all the same: the buyer goes on with it (`unopenedOrderBody`). */
  readonly orderId: string | null = null;

  constructor(
    message: string,
    how: Pick<RequestError, "status" | "code"> & Partial<Pick<RequestError, "isBare" | "orderId">>,
  ) {
    super(message);
    Object.assign(this, how);
  }
}

/** The server has checked the init data and refused; too many calls or no answer prove nothing. */
export function isProofRefused(error: unknown): error is RequestError {
  return error instanceof RequestError && (error.status === 401 || error.status === 403);
}

/** The server has checked and refused; no answer and a server error prove nothing. */
export function isRefusal(error: RequestError): boolean {
  return error.status > 0 && error.status < 500;
}

/** How a declared call is made, beside what it sends. */
export type Manner = {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** One key for one intention: sent several times, it counts once. */
  readonly key?: string;
  /** Milliseconds before giving up; 5 s as in A §9. */
  readonly timeoutMs?: number;
  /** The same call, begun before this code was loaded. */
  readonly begun?: Promise<Response> | undefined;
};

const TIMEOUT_MS = 5_000;

/** A read that was not JSON is an empty object (decision 91): its fields are absent. */
export type Answered<C extends CallName> = C extends `GET ${string}`
  ? AnswerOf<C> extends readonly unknown[]
    ? AnswerOf<C>
    : Partial<AnswerOf<C>>
  : AnswerOf<C>;

/**
 * One call as the contract declares it, made once. A success that is not JSON is an empty object on a read
 * and unknown on a write (decision 91); one with `success: false` is a failure. Throws `RequestError`.
 */
export async function ask<C extends CallName>(
  name: C,
  { params, query, ...sent }: Sent<C> & Manner,
): Promise<Answered<C>> {
  const [method, path] = name.split(" ") as [string, string];
  const words = Object.entries(query ?? {}).filter(([, word]) => (word ?? "") !== "");
  const search = `${new URLSearchParams(words as [string, string][])}`;
  const address = path.replace(/:(\w+)/g, (_, at: string) =>
    encodeURIComponent((params as Record<string, string>)[at] ?? ""),
  );
  const response = await send(method, address + (search && `?${search}`), sent);
  const text = await response.text().catch(() => null);
  if (text === null) throw unreachable();
  const body = response.status === 204 ? {} : parseJson(text);
  const { success } = (body ?? {}) as { success?: unknown };
  if (response.ok && success !== false) {
    if (body !== undefined) return body as Answered<C>;
    if (method === "GET") return {} as Answered<C>;
    throw new RequestError(requestCopy.unreadable, { status: 0, code: "unreadable" });
  }
  const refusal = (body ?? {}) as { message?: unknown; code?: unknown; order_id?: unknown };
  const { status } = response;
  const said = typeof refusal.message === "string" ? refusal.message : null;
  const refused = response.ok ? requestCopy.unreadable : requestCopy.refused(status);
  const bare = body === undefined ? requestCopy.badAnswer(status) : refused;
  throw new RequestError(said ?? bare, {
    status,
    isBare: said === null,
    code: typeof refusal.code === "string" ? refusal.code : "unknown",
    orderId: typeof refusal.order_id === "string" ? refusal.order_id : null,
  });
}

/** No answer came, or not to the end. */
export function unreachable(): RequestError {
  return new RequestError(requestCopy.unreachable, { status: 0, code: "unreachable" });
}

type Body = { readonly body?: unknown; readonly form?: FormData };

async function send(method: string, path: string, sent: Manner & Body): Promise<Response> {
  const headers: Record<string, string> = { ...sent.headers };
  if (sent.token) headers["authorization"] = `Bearer ${sent.token}`;
  if (sent.key) headers["idempotency-key"] = sent.key;
  const init: RequestInit = { method, headers };
  if (sent.form) init.body = sent.form;
  else if (sent.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(sent.body);
  }
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), sent.timeoutMs ?? TIMEOUT_MS);
  try {
    if (sent.begun) return await Promise.race([sent.begun, aborted(abort.signal)]);
    return await fetch(path, { ...init, signal: abort.signal });
  } catch {
    if (!abort.signal.aborted) throw unreachable();
    throw new RequestError(requestCopy.timeout, { status: 0, code: "timeout" });
  } finally {
    clearTimeout(timer);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

/**
 * A key that makes a repeated write harmless. Not `randomUUID`, which exists only in secure contexts: a demo
 * on http://192.168… is not one.
 */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The message of the error, or `otherwise` where the server gave none. */
export function sayError(error: unknown, otherwise: string): string {
  const isBare = error instanceof RequestError && error.isBare;
  return error instanceof Error && !isBare && error.message !== "" ? error.message : otherwise;
}

/** The token of a session, and how to get another. */
export type TokenSource = {
  current(): string | null;
  /** Signs in again; null when it cannot. Callers at the same time share one attempt. */
  renew(): Promise<string | null>;
};

/** A refused token is renewed once (A §6). Throws `none()` when there is no token. */
export async function withToken<T>(
  source: TokenSource,
  ask: (token: string) => Promise<T>,
  none: () => Error,
): Promise<T> {
  const token = source.current() ?? (await source.renew());
  if (!token) throw none();
  try {
    return await ask(token);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    const fresh = await source.renew();
    if (!fresh) throw error;
    return ask(fresh);
  }
}

/** Simultaneous callers share one attempt. */
export function shareOne<T>(run: () => Promise<T>): () => Promise<T> {
  let under: Promise<T> | null = null;
  return () => {
    under ??= run().finally(() => {
      under = null;
    });
    return under;
  };
}

// Here, not in text.ts, of which the buyer's first load has nothing.

/** → undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
