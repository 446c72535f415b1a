import { ok, Outage, type OutageOptions, refuse, type Result } from "@sesame/kernel";

/** How to call one provider with one set of keys. */
export type HttpClientOptions = {
  readonly party: string;
  /** Scheme, host and port. */
  readonly apiRoot: string;
  /** The keys, as headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

export type HttpCall = {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object | undefined;
};

export type HttpAnswer = { readonly status: number; readonly body: unknown };

/**
 * An outage of a call that certainly had no effect: too many requests, or no connection. The same
 * call may be retried.
 */
class NotTaken extends Outage {
  override name = "NotTaken";
}

/** Moneroo documents a minute and sends no Retry-After; others document nothing. */
const RATE_LIMIT_WAIT_MS = 60_000;
/** The maximum for any call. */
const LONGEST_WAIT_MS = 6 * 3_600_000;
const LONGEST_ANSWER = 4_000_000;

/**
 * Each call has one timeout and no retry. Throws a retryable `Outage` when the provider does not
 * answer, answers 429 or 5xx, or answers a success that is not JSON.
 */
export function createHttpClient(options: HttpClientOptions) {
  return (call: HttpCall): Promise<HttpAnswer> => callOnce(options, call);
}

/** The wait before the same call, when the provider names none. */
const UNREACHED_WAIT_MS = 30_000;

/**
 * The answer of a call; `busy` when the call was certainly not accepted; throws when that is
 * unknown.
 */
export async function orBusy(
  answer: Promise<HttpAnswer>,
): Promise<Result<HttpAnswer, { readonly kind: "busy"; readonly retryAfterMs: number }>> {
  try {
    return ok(await answer);
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    return refuse({ kind: "busy", retryAfterMs: error.retryAfterMs ?? UNREACHED_WAIT_MS });
  }
}

/** The answer of a call, or the outage in which it was lost; throws when the call was never accepted. */
export function orLost(answer: Promise<HttpAnswer>): Promise<HttpAnswer | Outage> {
  return answer.catch((error: unknown) => {
    if (error instanceof Outage && !(error instanceof NotTaken)) return error;
    throw error;
  });
}

/** The statuses of a final refusal; with any other status the call may have succeeded. */
export function isExplicitNo(status: number): boolean {
  return [400, 401, 403, 404, 405, 406, 413, 415, 422].includes(status);
}

/** An invalid answer: the effect of the call is unknown. */
export function nonsense(party: string, call: string, answer: HttpAnswer): Outage {
  return new Outage(`${party} answered ${call} with ${answer.status} and nothing to believe`, {
    party,
    retryable: true,
  });
}

/** Whether the keys are valid, from the answer to a lookup of an id that does not exist. */
export function readKeys(party: string, call: string, answer: HttpAnswer): "accepted" | "refused" {
  if (answer.status === 401 || answer.status === 403) return "refused";
  if (answer.status === 404 || answer.status === 200) return "accepted";
  throw nonsense(party, call, answer);
}

/** For a lookup: refused keys give no information about its subject. */
export function keysRefused(party: string): Outage {
  return new Outage(`${party} refuses the keys`, { party, retryable: true });
}

async function callOnce(options: HttpClientOptions, call: HttpCall): Promise<HttpAnswer> {
  const { party } = options;
  const response = await send(options, call);
  if (response.status === 429) {
    await response.body?.cancel();
    const retryAfterMs = readRetryAfter(response.headers.get("retry-after"));
    throw new NotTaken(`${party}: too many requests`, { party, retryable: true, retryAfterMs });
  }
  if (response.status >= 500) {
    await response.body?.cancel();
    throw new Outage(`${party} answered ${response.status}`, { party, retryable: true });
  }
  const body = await readJson(party, response).catch((error: unknown) => {
    // A refusal counts, whatever its text.
    if (response.status >= 400) return null;
    throw error;
  });
  return { status: response.status, body };
}

async function send(options: HttpClientOptions, call: HttpCall): Promise<Response> {
  try {
    return await fetch(`${options.apiRoot}${call.path}`, {
      method: call.method,
      headers: {
        ...options.headers,
        accept: "application/json",
        ...(call.body ? { "content-type": "application/json" } : {}),
      },
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      // A redirect would send the key to another server.
      redirect: "error",
      signal: AbortSignal.timeout(options.timeoutMs),
    });
  } catch (cause) {
    const { party } = options;
    const outage: OutageOptions = { party, retryable: true, cause };
    const words = `${party} did not answer ${call.method} ${call.path}`;
    if (!neverConnected(cause)) throw new Outage(words, outage);
    throw new NotTaken(words, outage);
  }
}

const NEVER_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** No byte was sent: no DNS name, no route, or a refused connection. */
function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  // Several addresses were tried, and all failed.
  if (cause instanceof AggregateError) return true;
  return (
    cause instanceof Error &&
    "code" in cause &&
    typeof cause.code === "string" &&
    NEVER_CONNECTED.has(cause.code)
  );
}

async function readJson(party: string, response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    if (text.length > LONGEST_ANSWER) throw new RangeError("the answer is too long");
    return JSON.parse(text);
  } catch (cause) {
    throw new Outage(`${party} answered ${response.status} with nonsense`, {
      party,
      retryable: true,
      cause,
    });
  }
}

function readRetryAfter(header: string | null): number {
  const seconds = header !== null && /^\d{1,5}$/.test(header) ? Number(header) : null;
  return seconds === null ? RATE_LIMIT_WAIT_MS : Math.min(seconds * 1000, LONGEST_WAIT_MS);
}
