import { createHttpClient, type HttpAnswer } from "../http-client.ts";

export type FedapayKeys = {
  readonly secretKey: string;
  /** Scheme, host and port. */
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
