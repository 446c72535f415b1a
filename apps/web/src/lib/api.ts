import { createStore } from "./store.ts";
import type { CallName, Sent } from "@sesame/contract/routes";
import {
  ask,
  type Manner,
  newIdempotencyKey,
  RequestError,
  type TokenSource,
  type Answered,
  unreachable,
  withToken,
} from "./request.ts";

/** Set once by the session. */
let announce: (source: TokenSource) => void;
let tokens: Promise<TokenSource>;
expectTokenSource();

/** A sign-in is about to begin: calls of screens painted from the cache wait for its token. */
export function expectTokenSource(): void {
  tokens = new Promise((resolve) => {
    announce = resolve;
  });
}

export function setTokenSource(source: TokenSource): void {
  announce(source);
  tokens = Promise.resolve(source);
}

export type How = Omit<Manner, "token"> & {
  /**
   * Made offline, it waits for the network and goes on by itself. Never for money: what was true offline may
   * not be true when it is sent.
   */
  readonly waits?: boolean;
  /** Once aborted, a write that was not sent is never sent. */
  readonly takenBack?: AbortSignal;
  /** Milliseconds for all attempts together; `timeoutMs` for each when absent. */
  readonly withinMs?: number;
};

type Given<C extends CallName> = Sent<C> & How;

const WRITE_ATTEMPTS = 3;
const WAIT_MS = 700;
/** The code of a write that was cancelled: nothing shows it as an error. */
export const TAKEN_BACK = "taken-back";

/**
 * A declared call with the seller's token. A write is sent again under the same key when no answer came, so
 * that it counts once; the query client repeats reads.
 */
export async function call<C extends CallName>(
  name: C,
  ...[given]: object extends Given<C> ? [given?: Given<C>] : [given: Given<C>]
): Promise<Answered<C>> {
  const {
    waits,
    takenBack,
    withinMs = Number.POSITIVE_INFINITY,
    ...sent
  } = (given ?? {}) as How & Sent<C>;
  const once = async (manner: Manner) =>
    withToken(
      await tokens,
      (token) => ask(name, { ...sent, ...manner, token } as Sent<C> & Manner),
      unreachable,
    );
  if (name.startsWith("GET ")) return once({});
  const key = sent.key ?? newIdempotencyKey();
  const end = performance.now() + withinMs;
  /** Of an attempt that began online: the server may have counted it. */
  let unanswered: unknown;
  for (let attempt = 1; ; attempt += 1) {
    if (takenBack?.aborted) {
      throw unanswered ?? new RequestError("", { status: 0, code: TAKEN_BACK });
    }
    const mayLeave = !isOffline();
    const left = end - performance.now();
    try {
      return await once(Number.isFinite(left) ? { key, timeoutMs: left } : { key });
    } catch (error) {
      if (mayLeave) unanswered = error;
      if (waits && isOffline() && isWorthAsking(error)) {
        await untilOnline(takenBack);
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

/** A file of the server: requested with the token, which an address must not carry. */
export async function readFile(path: string): Promise<string> {
  const unread = (status: number) => new RequestError("", { status, code: "file" });
  return withToken(
    await tokens,
    async (token) => {
      const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } }).catch(
        () => null,
      );
      if (!answer?.ok) throw unread(answer?.status ?? 0);
      return answer.text();
    },
    () => unread(0),
  );
}

/** No answer came, or the service is down for a moment. */
export function isWorthAsking(error: unknown): boolean {
  return error instanceof RequestError && [0, 502, 503, 504].includes(error.status);
}

// Changes that wait for the network. Each is sent by itself later, under its first key.

const waiting = createStore(0);

/** How many wait now. */
export const useWaiting = waiting.useValue;

export function isOffline(): boolean {
  return navigator.onLine === false;
}

/** Or until it is cancelled. */
async function untilOnline(takenBack?: AbortSignal): Promise<void> {
  if (takenBack?.aborted) return;
  waiting.set(waiting.get() + 1);
  await new Promise<void>((resolve) => {
    window.addEventListener("online", () => resolve(), { once: true });
    takenBack?.addEventListener("abort", () => resolve(), { once: true });
  });
  waiting.set(waiting.get() - 1);
}
