import { requestCopy } from "./request-messages.fr.ts";

type ErrorOptions = {
  readonly status: number;
  readonly code: string;
  readonly isBare?: boolean;
  readonly orderId?: string | null;
};

/** The server said no, or nobody answered: always with a sentence for the person. */
export class RequestError extends Error {
  override name = "RequestError";
  /** HTTP status; 0 when nobody answered. */
  readonly status: number;
  readonly code: string;
  /** A refusal without a sentence of its own. */
  readonly isBare: boolean;
  /** An order that was made all the same: one goes on with it (`unopenedOrderBody`). */
  readonly orderId: string | null;

  constructor(message: string, options: ErrorOptions) {
    super(message);
    this.status = options.status;
    this.code = options.code;
    this.isBare = options.isBare ?? false;
    this.orderId = options.orderId ?? null;
  }
}

export type RequestOptions = {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly form?: FormData;
  /** Milliseconds before giving up; 5 s as in A §9. */
  readonly timeoutMs?: number;
  /** The same call, made before this code was there. */
  readonly begun?: Promise<Response> | undefined;
};

const TIMEOUT_MS = 5_000;

/**
 * One call to our server. A success that is not JSON is an empty object on a read and unknown on a
 * write (decision 91). Throws `RequestError`.
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  const text = await response.text().catch(() => null);
  if (text === null) throw unreachable();
  const body = parse(text);
  if (response.ok) {
    if (body !== undefined) return body as T;
    if ((options.method ?? "GET") === "GET") return {} as T;
    throw new RequestError(requestCopy.unreadable, { status: 0, code: "unreadable" });
  }
  const refusal = (body ?? {}) as { message?: unknown; code?: unknown; order_id?: unknown };
  const { status } = response;
  const said = typeof refusal.message === "string" ? refusal.message : null;
  const bare = body === undefined ? requestCopy.badAnswer(status) : requestCopy.refused(status);
  throw new RequestError(said ?? bare, {
    status,
    isBare: said === null,
    code: typeof refusal.code === "string" ? refusal.code : "unknown",
    orderId: typeof refusal.order_id === "string" ? refusal.order_id : null,
  });
}

/** Nobody answered, or not to the end. */
function unreachable(): RequestError {
  return new RequestError(requestCopy.unreachable, { status: 0, code: "unreachable" });
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token) headers["authorization"] = `Bearer ${options.token}`;
  const init: RequestInit = { method: options.method ?? "GET", headers };
  if (options.form) init.body = options.form;
  else if (options.body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(options.body);
  }
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), options.timeoutMs ?? TIMEOUT_MS);
  try {
    if (options.begun) return await Promise.race([options.begun, aborted(abort.signal)]);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A key that makes a repeated write harmless. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID ? crypto.randomUUID() : fallbackKey();
}

// randomUUID exists only in secure contexts; a demo on http://192.168… is not one.
function fallbackKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The sentence of whoever failed, or the screen's own where the server gave none. */
export function sayError(error: unknown, otherwise: string): string {
  const isBare = error instanceof RequestError && error.isBare;
  return error instanceof Error && !isBare && error.message !== "" ? error.message : otherwise;
}
