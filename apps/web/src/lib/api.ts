import { requestCopy } from "./request-messages.fr.ts";
import { newIdempotencyKey, RequestError, type RequestOptions, request } from "./request.ts";
import { isOffline, untilOnline } from "./waiting.ts";

/** How calls obtain a token. Set once by the session. */
export type TokenSource = {
  current(): string | null;
  /** Signs in again; null when it cannot. Callers at the same time share one attempt. */
  renew(): Promise<string | null>;
};

let announce: (source: TokenSource) => void = () => undefined;
let tokens: Promise<TokenSource> = new Promise((resolve) => {
  announce = resolve;
});

/** A session is about to begin: screens painted from the cache that ask already wait for it. */
export function expectTokenSource(): void {
  tokens = new Promise((resolve) => {
    announce = resolve;
  });
}

export function setTokenSource(source: TokenSource): void {
  announce(source);
  tokens = Promise.resolve(source);
}

/** A call with the seller's token; a refused token is renewed once (A §6). */
export async function call<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const source = await tokens;
  const token = source.current() ?? (await source.renew());
  if (!token) throw new RequestError(requestCopy.unreachable, { status: 0, code: "unreachable" });
  try {
    return await request<T>(path, { ...options, token });
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    const renewed = await source.renew();
    if (!renewed) throw error;
    return request<T>(path, { ...options, token: renewed });
  }
}

export type Write = Omit<RequestOptions, "token"> & {
  /** One key for one intention; made here when the caller repeats nothing himself. */
  readonly key?: string;
  /**
   * Made without a network, it waits for it and goes on by itself. Never for money: what was true of
   * it then may not be when it leaves.
   */
  readonly waits?: boolean;
  /** Milliseconds for all attempts together; `timeoutMs` for each when absent. */
  readonly withinMs?: number;
};

const WRITE_ATTEMPTS = 3;
const WAIT_MS = 700;

/** A write: asked again under the same key when nobody answered, so that it counts once. */
export async function write<T>(path: string, options: Write): Promise<T> {
  const {
    key = newIdempotencyKey(),
    withinMs = Number.POSITIVE_INFINITY,
    waits,
    ...rest
  } = options;
  const headers = { ...rest.headers, "idempotency-key": key };
  const end = performance.now() + withinMs;
  for (let attempt = 1; ; attempt += 1) {
    const left = end - performance.now();
    const timeout = Number.isFinite(left) ? { timeoutMs: left } : {};
    try {
      return await call<T>(path, { ...rest, ...timeout, headers });
    } catch (error) {
      if (waits && isOffline() && isWorthAsking(error)) {
        await untilOnline();
        attempt = 0;
        continue;
      }
      const wait = WAIT_MS * attempt;
      const over = attempt >= WRITE_ATTEMPTS || performance.now() + wait >= end;
      if (!isWorthAsking(error) || over) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** Nobody answered, or the service is down for a moment. */
export function isWorthAsking(error: unknown): boolean {
  return (
    error instanceof RequestError &&
    (error.status === 0 || error.status === 502 || error.status === 503 || error.status === 504)
  );
}
