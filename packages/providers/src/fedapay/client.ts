import { createHmac, timingSafeEqual } from "node:crypto";
import { createHttpClient } from "../http-client.ts";
import type { Environment, WebhookHeaders } from "../port.ts";

export type FedapayClient = ReturnType<typeof createFedapayClient>;

const PAYOUTS_IN_A_PAGE = 100;

/** FedaPay's API; errors: see `createHttpClient`. */
export function createFedapayClient(keys: {
  readonly secretKey: string;
  /** Scheme, host and port: `https://api.fedapay.com`. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
}) {
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
    /** Creates a payout that waits; moves no money. */
    createPayout: (body: object) => call({ method: "POST", path: "/v1/payouts", body }),
    /** Moves the money. */
    startPayout: (id: string) =>
      call({
        method: "PUT",
        path: "/v1/payouts/start",
        body: { payouts: [{ id: /^\d{1,15}$/.test(id) ? Number(id) : id }] },
      }),
    payoutById: (id: string) => get(`/${encodeURIComponent(id)}`),
    /** Observed, but not in FedaPay's documents: the API may not have it. */
    payoutByReference: (reference: string) => get(`/merchant/${encodeURIComponent(reference)}`),
    /** `page` from 1. */
    listPayouts: (page: number) => get(`?page=${page}&per_page=${PAYOUTS_IN_A_PAGE}`),
    /** Creates a transaction, which can be paid once its page or widget is opened. */
    createTransaction: (body: object) => transactions("", body),
    /** The address of the transaction's page. */
    tokenOf: (id: string) => transactions(`/${encodeURIComponent(id)}/token`, {}),
    transactionById: (id: string) => transactions(`/${encodeURIComponent(id)}`),
    /** Like `payoutByReference`. */
    transactionByReference: (reference: string) =>
      transactions(`/merchant/${encodeURIComponent(reference)}`),
  };
}

/** A webhook that is older, or further in the future, may be a replay. */
const TOLERANCE_S = 300;

/** A trusted webhook has an `X-FEDAPAY-SIGNATURE` made with the secret within the last minutes. */
type Signing = { readonly webhookSecret: string; readonly now: () => Date };

/** Whether the signature's time is current: checked before the body is received. */
export function isTimely(headers: WebhookHeaders, { now }: Pick<Signing, "now">): boolean {
  return (readSignature(headers, now())?.signatures.length ?? 0) > 0;
}

/**
 * HMAC-SHA256 over `t`, a dot and the raw bytes, in lower-case hex, compared in constant time.
 * FedaPay's own client accepts a time far ahead; here both sides are bounded.
 */
export function isSigned(
  headers: WebhookHeaders,
  rawBody: Uint8Array,
  { webhookSecret, now }: Signing,
): boolean {
  const parts = readSignature(headers, now());
  if (parts === null) return false;
  const { time, signatures } = parts;
  const mac = createHmac("sha256", webhookSecret).update(`${time}.`).update(rawBody);
  const expected = mac.digest();
  return signatures.some((value) => timingSafeEqual(expected, Buffer.from(value, "hex")));
}

/** `t=<unix seconds>,s=<hex>`; there may be several `s=`. */
function readSignature(headers: WebhookHeaders, now: Date) {
  const header = headers["x-fedapay-signature"];
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

/** The key, besides the address, identifies the environment. */
export function environmentOfKey(secretKey: string): Environment {
  if (secretKey.startsWith("sk_live_")) return "live";
  return secretKey.startsWith("sk_sandbox_") ? "sandbox" : "unknown";
}
