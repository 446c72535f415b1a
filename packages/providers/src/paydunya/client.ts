import { createHttpClient, type HttpAnswer } from "../http-client.ts";

export type PaydunyaOptions = {
  readonly masterKey: string;
  readonly privateKey: string;
  readonly token: string;
  /** Scheme, host and port: `https://app.paydunya.com`. */
  readonly apiRoot: string;
  readonly timeoutMs?: number;
};

export type PaydunyaClient = {
  /** Makes a token; moves no money. */
  getInvoice(invoice: object): Promise<HttpAnswer>;
  /** Moves the money. */
  submitInvoice(submission: object): Promise<HttpAnswer>;
  checkStatus(disburseToken: string): Promise<HttpAnswer>;
  /** Makes an invoice to pay. */
  createInvoice(invoice: object): Promise<HttpAnswer>;
  confirmInvoice(token: string): Promise<HttpAnswer>;
};

/** Their calls (reference §7.1–7.4): see `createHttpClient` for what is thrown. */
export function createPaydunyaClient(keys: Required<PaydunyaOptions>): PaydunyaClient {
  const call = createHttpClient({
    party: "paydunya",
    apiRoot: keys.apiRoot,
    headers: {
      "paydunya-master-key": keys.masterKey,
      "paydunya-private-key": keys.privateKey,
      "paydunya-token": keys.token,
    },
    timeoutMs: keys.timeoutMs,
  });
  const post = (name: string, body: object) =>
    call({ method: "POST", path: `/api/v2/disburse/${name}`, body });
  // Payments have an address to be rehearsed at, which a test key opens; payouts have none.
  const api = keys.privateKey.startsWith("test_") ? "/sandbox-api/v1" : "/api/v1";
  const invoices = `${api}/checkout-invoice`;
  return {
    getInvoice: (invoice) => post("get-invoice", invoice),
    submitInvoice: (submission) => post("submit-invoice", submission),
    checkStatus: (disburseToken) => post("check-status", { disburse_invoice: disburseToken }),
    createInvoice: (body) => call({ method: "POST", path: `${invoices}/create`, body }),
    confirmInvoice: (token) =>
      call({ method: "GET", path: `${invoices}/confirm/${encodeURIComponent(token)}` }),
  };
}
