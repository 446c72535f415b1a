import { createHmac, timingSafeEqual } from "node:crypto";
import { createHttpClient, type HttpAnswer } from "../http-client.ts";
import type { Environment } from "../port.ts";

type FedapayKeys = {
  readonly secretKey: string;
  /** Scheme, host and port: `https://api.fedapay.com`. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
};

export type FedapayClient = {
  /** Makes a payout that waits; moves no money. */
  createPayout(payout: object): Promise<HttpAnswer>;
  /** Moves the money. */
  startPayout(id: string): Promise<HttpAnswer>;
  payoutById(id: string): Promise<HttpAnswer>;
  /** Seen in use, not in their own material: may be unknown to them. */
  payoutByReference(reference: string): Promise<HttpAnswer>;
  /** `page` from 1. */
  listPayouts(page: number): Promise<HttpAnswer>;
  /** Makes a transaction that nobody can pay before its page or widget is opened. */
  createTransaction(transaction: object): Promise<HttpAnswer>;
  /** The address of its page. */
  tokenOf(transactionId: string): Promise<HttpAnswer>;
  transactionById(id: string): Promise<HttpAnswer>;
  /** As `payoutByReference`. */
  transactionByReference(reference: string): Promise<HttpAnswer>;
};

const PAYOUTS_IN_A_PAGE = 100;

/** Their calls (reference §5.1, 5.2, 5.6): see `createHttpClient` for what is thrown. */
export function createFedapayClient(keys: FedapayKeys): FedapayClient {
  const call = createHttpClient({
    party: "fedapay",
    apiRoot: keys.apiRoot,
    headers: { authorization: `Bearer ${keys.secretKey}` },
    timeoutMs: keys.timeoutMs,
  });
  const get = (path: string) => call({ method: "GET", path: `/v1/payouts${path}` });
  const transactions = (path: string, body?: object) =>
    call({ method: body ? "POST" : "GET", path: `/v1/transactions${path}`, body });
  return {
    createPayout: (body) => call({ method: "POST", path: "/v1/payouts", body }),
    startPayout: (id) =>
      call({
        method: "PUT",
        path: "/v1/payouts/start",
        body: { payouts: [{ id: /^\d{1,15}$/.test(id) ? Number(id) : id }] },
      }),
    payoutById: (id) => get(`/${encodeURIComponent(id)}`),
    payoutByReference: (reference) => get(`/merchant/${encodeURIComponent(reference)}`),
    listPayouts: (page) => get(`?page=${page}&per_page=${PAYOUTS_IN_A_PAGE}`),
    createTransaction: (body) => transactions("", body),
    tokenOf: (id) => transactions(`/${encodeURIComponent(id)}/token`, {}),
    transactionById: (id) => transactions(`/${encodeURIComponent(id)}`),
    transactionByReference: (reference) =>
      transactions(`/merchant/${encodeURIComponent(reference)}`),
  };
}

/** A notice older, or further ahead, was kept by someone (reference §5.7). */
const TOLERANCE_S = 300;

type TimedSignature = {
  /** `X-FEDAPAY-SIGNATURE: t=<unix seconds>,s=<hex>`; several `s=` may stand there. */
  readonly header: string | readonly string[] | undefined;
  readonly secret: string;
  readonly now: Date;
};

/**
 * HMAC-SHA256 over `t`, a dot and the raw bytes, in lower-case hex, compared in constant time. Their
 * own client lets a time far ahead pass; here both sides are bounded.
 */
export function isTimelySigned(rawBody: Uint8Array, signature: TimedSignature): boolean {
  const parts = readHeader(signature);
  if (parts === null) return false;
  const { time, signatures } = parts;
  const expected = createHmac("sha256", signature.secret)
    .update(`${time}.`)
    .update(rawBody)
    .digest();
  return signatures.some((value) => timingSafeEqual(expected, Buffer.from(value, "hex")));
}

/** Whether the header has the form of a signature of these minutes: known before the body is there. */
export function isTimelySignature(signature: Pick<TimedSignature, "header" | "now">): boolean {
  return (readHeader(signature)?.signatures.length ?? 0) > 0;
}

function readHeader({
  header,
  now,
}: Pick<TimedSignature, "header" | "now">): { time: string; signatures: string[] } | null {
  if (typeof header !== "string" || header.length > 2_000) return null;
  const pairs = header.split(",").map((pair) => pair.trim().split("="));
  const times = pairs.filter(([scheme]) => scheme === "t").map(([, value]) => value ?? "");
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time)) return null;
  if (Math.abs(now.getTime() / 1000 - Number(time)) > TOLERANCE_S) return null;
  const signatures = pairs.flatMap(([scheme, value, ...rest]) =>
    scheme === "s" && rest.length === 0 && /^[0-9a-f]{64}$/.test(value ?? "") ? [value ?? ""] : [],
  );
  return { time, signatures };
}

/** The key says it, beside the address (§5.1). */
export function environmentOfKey(secretKey: string): Environment {
  if (secretKey.startsWith("sk_live_")) return "live";
  return secretKey.startsWith("sk_sandbox_") ? "sandbox" : "unknown";
}
