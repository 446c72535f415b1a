import { Outage } from "@sesame/kernel";

export type MonerooKeys = {
  readonly secretKey: string;
  /** Scheme, host and port. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
};

export type MonerooAnswer = { readonly status: number; readonly body: unknown };

const PARTY = "moneroo";
/** Their limit is 120 a minute and no Retry-After is documented (reference §4.1). */
const RATE_LIMIT_WAIT_MS = 60_000;
const LONGEST_ANSWER = 1_000_000;

export type MonerooClient = {
  initialize(payment: object): Promise<MonerooAnswer>;
  verify(paymentId: string): Promise<MonerooAnswer>;
};

/**
 * Their calls, each with one timeout and no retry. Throws a retryable `Outage` when they do not
 * answer, answer 429 or 5xx, or say yes in something that is not JSON.
 */
export function createMonerooClient(keys: MonerooKeys): MonerooClient {
  const call = (method: "GET" | "POST", path: string, body?: object) =>
    callMoneroo(keys, { method, path, body });
  return {
    initialize: (payment) => call("POST", "/v1/payments/initialize", payment),
    verify: (paymentId) => call("GET", `/v1/payments/${encodeURIComponent(paymentId)}/verify`),
  };
}

type Call = { readonly method: string; readonly path: string; readonly body?: object | undefined };

async function callMoneroo(keys: MonerooKeys, call: Call): Promise<MonerooAnswer> {
  const response = await send(keys, call);
  if (response.status === 429) {
    await response.body?.cancel();
    throw new Outage("moneroo: too many requests", {
      party: PARTY,
      retryable: true,
      retryAfterMs: readRetryAfter(response.headers.get("retry-after")),
    });
  }
  if (response.status >= 500) {
    await response.body?.cancel();
    throw new Outage(`moneroo answered ${response.status}`, { party: PARTY, retryable: true });
  }
  const body = await readJson(response).catch((error: unknown) => {
    // A no is a no, in whatever words.
    if (response.status >= 400) return null;
    throw error;
  });
  return { status: response.status, body };
}

async function send(keys: MonerooKeys, call: Call): Promise<Response> {
  try {
    return await fetch(`${keys.apiRoot}${call.path}`, {
      method: call.method,
      headers: {
        authorization: `Bearer ${keys.secretKey}`,
        accept: "application/json",
        ...(call.body ? { "content-type": "application/json" } : {}),
      },
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      // A redirect would carry the key elsewhere.
      redirect: "error",
      signal: AbortSignal.timeout(keys.timeoutMs),
    });
  } catch (cause) {
    throw new Outage(`moneroo did not answer ${call.method} ${call.path}`, {
      party: PARTY,
      retryable: true,
      cause,
    });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    if (text.length > LONGEST_ANSWER) throw new RangeError("the answer is too long");
    return JSON.parse(text);
  } catch (cause) {
    throw new Outage(`moneroo answered ${response.status} with nonsense`, {
      party: PARTY,
      retryable: true,
      cause,
    });
  }
}

function readRetryAfter(header: string | null): number {
  const seconds = header !== null && /^\d{1,5}$/.test(header) ? Number(header) : null;
  return seconds === null ? RATE_LIMIT_WAIT_MS : seconds * 1000;
}
