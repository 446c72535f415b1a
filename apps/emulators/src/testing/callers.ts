import {
  CRYPTOPAY,
  FEDAPAY,
  KKIAPAY,
  PAYDUNYA,
  SECRET_KEY,
  type TestEmulators,
} from "./test-emulators.ts";

/** `body`: empty where the answer is no JSON. */
export type CallAnswer = { status: number; body: Record<string, unknown> };
export type Read = CallAnswer & { text: string };

type Call = { method?: string; headers?: object; body?: unknown };

/** A bare call: POST where something is sent. */
export async function read(
  emulators: TestEmulators,
  path: string,
  { headers, body, method = body === undefined ? "GET" : "POST" }: Call = {},
): Promise<Read> {
  const answer = await fetch(`${emulators.apiRoot}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json");
  return {
    status: answer.status,
    text,
    body: isJson ? (JSON.parse(text) as CallAnswer["body"]) : {},
  };
}

export async function ask(
  emulators: TestEmulators,
  path: string,
  call?: Call,
): Promise<CallAnswer> {
  const { status, body } = await read(emulators, path, call);
  return { status, body };
}

/** An app's requests to the three providers of payouts, as bare calls. */
export function callers<T extends CallAnswer = CallAnswer>(
  emulators: () => TestEmulators,
  call = ask as (...asked: Parameters<typeof ask>) => Promise<T>,
) {
  const byKey = (key: string) => (method: string, path: string, body?: unknown) =>
    call(emulators(), `/v1${path}`, { method, headers: bearer(key), body });
  return {
    paydunya: (name: string, body: object, keys: Partial<typeof PAYDUNYA> = {}) => {
      const headers = paydunyaHeaders({ ...PAYDUNYA, ...keys });
      return call(emulators(), `/api/v2/disburse/${name}`, { headers, body });
    },
    fedapay: byKey(FEDAPAY.secretKey),
    moneroo: byKey(SECRET_KEY),
    /** With any key. */
    byKey,
  };
}

export const AWA = "+2250700000001";

export const INVOICE = {
  title: "Club VIP",
  description: "Un mois d'accès au Club VIP",
  provider_token: "",
  currency: "XTR",
  prices: [{ label: "Club VIP", amount: 625 }],
};

const KEYS = {
  "x-api-key": KKIAPAY.publicKey,
  "x-private-key": KKIAPAY.privateKey,
  "x-secret-key": KKIAPAY.secretKey,
};

/** An app's requests to KkiaPay, and browsers' calls to it, as bare calls. */
export function kkiapayCallers(emulators: () => TestEmulators) {
  let orders = 0;
  /** As our page opens it in a browser: our reference in both places. */
  const opened = (more: object = {}): string => {
    const reference = `order-${++orders}`;
    const config = { amount: 5_000, data: reference, partnerId: reference, ...more };
    emulators().collectors.kkiapay.open(config);
    return reference;
  };
  const paid = (outcome: "success" | "failure" = "success"): { reference: string; id: string } => {
    const reference = opened();
    const view = emulators().collectors.kkiapay.settle(reference, outcome, { silent: true });
    return { reference, id: view.transactionId ?? "" };
  };
  const post = (path: string, body: object, headers: object = KEYS): Promise<CallAnswer> =>
    ask(emulators(), path, { headers, body });
  const about = (name: "status" | "revert", transactionId: unknown, headers?: object) =>
    post(`/api/v1/transactions/${name}`, { transactionId }, headers);
  return { keys: KEYS, opened, paid, post, ask: about };
}

export type PaymentKit = {
  create(reference: string, keys?: object): Promise<Read>;
  /** By their id, as the emulator names it. */
  fetch(id: string, keys?: object): Promise<Read>;
  /** The status word in an answer. */
  word(answer: Read): unknown;
  paid: string;
  /** How each fault shows on creation: HTTP status, and what the body must contain. */
  refusals: Record<"refuse" | "keys" | "not-found", [number, string]>;
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
export const paydunyaHeaders = (keys: object) => {
  const { masterKey, privateKey, token } = keys as typeof PAYDUNYA;
  return {
    "paydunya-master-key": masterKey,
    "paydunya-private-key": privateKey,
    "paydunya-token": token,
  };
};

/** A payment at each provider, made and asked about; with the app's keys unless others are given. */
export function paymentKits(
  emulators: () => TestEmulators,
  /** Where PayDunya sends its webhook: the app gives it this address with each payment. */
  callbackUrl: () => string | undefined = () => undefined,
): Record<"moneroo" | "fedapay" | "paydunya" | "cryptopay", PaymentKit> {
  const send = (path: string, headers: object, body?: object) =>
    read(emulators(), path, { headers, body });
  const customer = { email: "awa@example.com", first_name: "Awa", last_name: "Diàllo/Bâ" };
  const secretOf = (keys?: object) => (keys as { secretKey?: string } | undefined)?.secretKey;
  const tokenOf = (keys?: object) => (keys as { token?: string } | undefined)?.token;
  return {
    moneroo: {
      create: (reference, keys) =>
        send("/v1/payments/initialize", bearer(secretOf(keys) ?? SECRET_KEY), {
          amount: 5000,
          currency: "XOF",
          description: "Club VIP",
          return_url: "https://sesame.test/retour",
          customer,
          metadata: { order_id: reference },
        }),
      fetch: (id, keys) => send(`/v1/payments/${id}/verify`, bearer(secretOf(keys) ?? SECRET_KEY)),
      word: ({ body }) => (body.data as Record<string, unknown>).status,
      paid: "success",
      refusals: { refuse: [422, "amount"], keys: [401, "Unauth"], "not-found": [404, "not found"] },
    },
    fedapay: {
      create: (reference, keys) =>
        send("/v1/transactions", bearer(secretOf(keys) ?? FEDAPAY.secretKey), {
          amount: 5000,
          description: "Club VIP",
          currency: { iso: "XOF" },
          merchant_reference: reference,
        }),
      fetch: (id, keys) =>
        send(`/v1/transactions/${id}`, bearer(secretOf(keys) ?? FEDAPAY.secretKey)),
      word: ({ body }) => (body["v1/transaction"] as Record<string, unknown>).status,
      paid: "approved",
      refusals: {
        refuse: [422, "errors"],
        keys: [401, "Erreur"],
        "not-found": [404, "introuvable"],
      },
    },
    paydunya: {
      create: (reference, keys) =>
        send("/api/v1/checkout-invoice/create", paydunyaHeaders(keys ?? PAYDUNYA), {
          invoice: { total_amount: 5000, description: "Club VIP" },
          store: { name: "Sésame" },
          custom_data: { reference },
          actions: { callback_url: callbackUrl() },
        }),
      fetch: (id, keys) =>
        send(`/api/v1/checkout-invoice/confirm/${id}`, paydunyaHeaders(keys ?? PAYDUNYA)),
      word: ({ body }) => body.status,
      paid: "completed",
      refusals: { refuse: [200, "4003"], keys: [200, "1001"], "not-found": [200, "4004"] },
    },
    cryptopay: {
      create: (reference, keys) =>
        send(
          "/api/createInvoice",
          { "crypto-pay-api-token": tokenOf(keys) ?? CRYPTOPAY.token },
          { currency_type: "fiat", fiat: "EUR", amount: "7.62", payload: reference },
        ),
      fetch: (id, keys) =>
        send(`/api/getInvoices?invoice_ids=${id}`, {
          "crypto-pay-api-token": tokenOf(keys) ?? CRYPTOPAY.token,
        }),
      word({ body }) {
        const { items } = body.result as { items: Record<string, unknown>[] };
        return items[0]?.status;
      },
      paid: "paid",
      refusals: { refuse: [400, "AMOUNT"], keys: [401, "UNAUTH"], "not-found": [404, "NOT_FOUND"] },
    },
  };
}
