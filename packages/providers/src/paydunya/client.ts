import { createHttpClient, type HttpAnswer } from "../http-client.ts";

export type PaydunyaKeys = {
  readonly masterKey: string;
  readonly privateKey: string;
  readonly token: string;
  /** Scheme, host and port. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
};

export type PaydunyaClient = {
  /** Makes a token; moves no money. */
  getInvoice(invoice: object): Promise<HttpAnswer>;
  /** Moves the money. */
  submitInvoice(submission: object): Promise<HttpAnswer>;
  checkStatus(disburseToken: string): Promise<HttpAnswer>;
};

/** Their calls (reference §7.1, 7.4): see `createHttpClient` for what is thrown. */
export function createPaydunyaClient(keys: PaydunyaKeys): PaydunyaClient {
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
  return {
    getInvoice: (invoice) => post("get-invoice", invoice),
    submitInvoice: (submission) => post("submit-invoice", submission),
    checkStatus: (disburseToken) => post("check-status", { disburse_invoice: disburseToken }),
  };
}
