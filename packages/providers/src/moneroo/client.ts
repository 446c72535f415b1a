import { createHmac, timingSafeEqual } from "node:crypto";
import { createHttpClient, type HttpAnswer } from "../http-client.ts";

export type MonerooOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Scheme, host and port: `https://api.moneroo.io`. */
  readonly apiRoot: string;
  readonly timeoutMs?: number;
};

export type MonerooClient = {
  initialize(payment: object): Promise<HttpAnswer>;
  verify(paymentId: string): Promise<HttpAnswer>;
  initializePayout(payout: object): Promise<HttpAnswer>;
  verifyPayout(payoutId: string): Promise<HttpAnswer>;
};

/** Their calls (reference §4.2, 4.4, 4.7): see `createHttpClient` for what is thrown. */
export function createMonerooClient(keys: Required<MonerooOptions>): MonerooClient {
  const call = createHttpClient({
    party: "moneroo",
    apiRoot: keys.apiRoot,
    headers: { authorization: `Bearer ${keys.secretKey}` },
    timeoutMs: keys.timeoutMs,
  });
  const post = (path: string, body: object) => call({ method: "POST", path, body });
  const verify = (kind: string, id: string) =>
    call({ method: "GET", path: `/v1/${kind}/${encodeURIComponent(id)}/verify` });
  return {
    initialize: (payment) => post("/v1/payments/initialize", payment),
    verify: (paymentId) => verify("payments", paymentId),
    initializePayout: (payout) => post("/v1/payouts/initialize", payout),
    verifyPayout: (payoutId) => verify("payouts", payoutId),
  };
}

/** Whether the header has the form of a signature: known before the body is there. */
export function isSignature(header: string | readonly string[] | undefined): header is string {
  return typeof header === "string" && /^[0-9a-f]{64}$/.test(header);
}

/**
 * `X-Moneroo-Signature`: lower-case hex of HMAC-SHA256 over the raw bytes (reference §4.6).
 * Compared in constant time; a missing, repeated or upper-case header is a wrong one.
 */
export function isSigned(
  rawBody: Uint8Array,
  header: string | readonly string[] | undefined,
  secret: string,
): boolean {
  if (!isSignature(header)) return false;
  const expected = createHmac("sha256", secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(header, "hex"));
}
