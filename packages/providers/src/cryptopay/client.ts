import { createHttpClient, type HttpAnswer } from "../http-client.ts";

export type CryptopayKeys = {
  readonly token: string;
  /** Scheme, host and port. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
};

export type CryptopayClient = {
  createInvoice(invoice: object): Promise<HttpAnswer>;
  invoiceById(id: string): Promise<HttpAnswer>;
  getMe(): Promise<HttpAnswer>;
};

/** Their calls (reference §8.1): see `createHttpClient` for what is thrown. */
export function createCryptopayClient(keys: CryptopayKeys): CryptopayClient {
  const call = createHttpClient({
    party: "cryptopay",
    apiRoot: keys.apiRoot,
    headers: { "crypto-pay-api-token": keys.token },
    timeoutMs: keys.timeoutMs,
  });
  return {
    createInvoice: (body) => call({ method: "POST", path: "/api/createInvoice", body }),
    invoiceById: (id) =>
      call({ method: "GET", path: `/api/getInvoices?invoice_ids=${encodeURIComponent(id)}` }),
    getMe: () => call({ method: "GET", path: "/api/getMe" }),
  };
}
