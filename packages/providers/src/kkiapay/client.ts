import { createHttpClient, type HttpAnswer } from "../http-client.ts";

export type KkiapayKeys = {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly secretKey: string;
  /** Scheme, host and port. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
};

export type KkiapayClient = {
  status(transactionId: string): Promise<HttpAnswer>;
  /** Gives the whole amount back. */
  revert(transactionId: string): Promise<HttpAnswer>;
};

/** Their calls (reference §6.3, 6.4): see `createHttpClient` for what is thrown. */
export function createKkiapayClient(keys: KkiapayKeys): KkiapayClient {
  const call = createHttpClient({
    party: "kkiapay",
    apiRoot: keys.apiRoot,
    headers: {
      "x-api-key": keys.publicKey,
      "x-private-key": keys.privateKey,
      "x-secret-key": keys.secretKey,
    },
    timeoutMs: keys.timeoutMs,
  });
  const post = (name: string, transactionId: string) =>
    call({ method: "POST", path: `/api/v1/transactions/${name}`, body: { transactionId } });
  return {
    status: (transactionId) => post("status", transactionId),
    revert: (transactionId) => post("revert", transactionId),
  };
}
