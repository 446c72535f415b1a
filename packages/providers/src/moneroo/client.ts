import { createHttpClient, type HttpAnswer } from "../http-client.ts";

export type MonerooKeys = {
  readonly secretKey: string;
  /** Scheme, host and port. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
};

export type MonerooAnswer = HttpAnswer;

export type MonerooClient = {
  initialize(payment: object): Promise<MonerooAnswer>;
  verify(paymentId: string): Promise<MonerooAnswer>;
  initializePayout(payout: object): Promise<MonerooAnswer>;
  verifyPayout(payoutId: string): Promise<MonerooAnswer>;
};

/** Their calls (reference §4.2, 4.4, 4.7): see `createHttpClient` for what is thrown. */
export function createMonerooClient(keys: MonerooKeys): MonerooClient {
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
