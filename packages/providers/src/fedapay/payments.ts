import { ok, Outage, refuse, type Result } from "@sesame/kernel";
import { isExplicitNo, nonsense, orLost, readKeys } from "../http-client.ts";
import type * as port from "../port.ts";
import * as reading from "../reading.ts";
import {
  createFedapayClient,
  environmentOfKey,
  type FedapayClient,
  isSigned,
  isTimely,
} from "./client.ts";

export type FedapayCollectOptions = {
  readonly secretKey: string;
  /** For FedaPay's widget; without it only the hosted page is possible. */
  readonly publicKey: string | null;
  readonly webhookSecret: string;
  /** Scheme, host and port: `https://api.fedapay.com`. */
  readonly apiRoot: string;
  readonly widgetUrl: string;
  /** Checks the age of a webhook. */
  readonly now: () => Date;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 8_000;
/** The timeout of a second call that recovers from a failed first, while a person waits for both. */
const SECOND_TIMEOUT_MS = 3_000;

type Api = {
  readonly client: FedapayClient;
  /** The same client with a shorter timeout. */
  readonly mending: FedapayClient;
  readonly environment: port.Environment;
  readonly widget: port.PaymentWidget | null;
};

/** FedaPay's transactions as a payment provider. Our reference is `merchant_reference` in the answers. */
export function createFedapay(options: FedapayCollectOptions): port.PaymentProvider {
  const { secretKey, publicKey, apiRoot, widgetUrl } = options;
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const keys = { secretKey, apiRoot };
  const environment = environmentOf(secretKey, apiRoot);
  const api: Api = {
    client: createFedapayClient({ ...keys, timeoutMs }),
    mending: createFedapayClient({ ...keys, timeoutMs: Math.min(timeoutMs, SECOND_TIMEOUT_MS) }),
    environment,
    widget:
      publicKey === null
        ? null
        : {
            kind: "fedapay",
            scriptUrl: widgetUrl,
            publicKey,
            sandbox: environment === "sandbox",
          },
  };
  return {
    id: "fedapay",
    createPayment: (request) => createPayment(api, request),
    fetchPayment: ({ providerPaymentId }) => fetchPayment(api, providerPaymentId),
    mayBeTrusted: (headers) => isTimely(headers, options),
    readWebhook: (headers, rawBody) =>
      isSigned(headers, rawBody, options)
        ? { trusted: true, providerPaymentId: translateWebhook(rawBody) }
        : { trusted: false },
    verifyKeys: async () =>
      readKeys("fedapay", "transactions", await api.client.transactionById(NO_TRANSACTION)),
    // Refunds are possible only in FedaPay's dashboard.
    refund: null,
  };
}

async function createPayment(api: Api, request: port.PaymentRequest) {
  const made = await makeTransaction(api, request);
  if (!made.ok) return made;
  const { id, pageUrl } = made.value;
  const redirectUrl = pageUrl ?? (await pageOf(api, id));
  return ok({ providerPaymentId: id, redirectUrl, widget: api.widget, quote: null });
}

/**
 * FedaPay refuses a second use of a reference. So after a lost answer, or an answer that the
 * transaction exists, it is found by its reference instead of being created again.
 */
async function makeTransaction(
  { client, mending, environment }: Api,
  request: port.PaymentRequest,
): Promise<Result<MadeTransaction, port.CreateRefusal>> {
  const answer = await orLost(
    client.createTransaction({
      description: request.description,
      amount: Number(request.amount),
      currency: { iso: "XOF" },
      callback_url: request.returnUrl,
      customer: theirCustomer(request.customer),
      merchant_reference: request.reference,
      custom_metadata: { reference: request.reference },
    }),
  );
  if (!(answer instanceof Outage) && answer.status < 300) {
    const made = translateMade(answer.body);
    if (!made) throw nonsense("fedapay", "transactions", answer);
    return ok(made);
  }
  if (!(answer instanceof Outage) && (answer.status === 401 || answer.status === 403)) {
    return refuse({ kind: "keys" });
  }
  const found = await mending.transactionByReference(request.reference).catch(() => null);
  const earlier = found?.status === 200 ? translateTransaction(found.body, environment) : null;
  // A transaction already paid or refused belongs to another order: to one lost by a restored backup.
  const isOurs =
    earlier?.status === "pending" &&
    earlier.reference === request.reference &&
    earlier.amount === request.amount;
  const again = isOurs && found ? translateMade(found.body) : null;
  if (again) return ok(again);
  if (answer instanceof Outage) throw answer;
  if (!isExplicitNo(answer.status)) throw nonsense("fedapay", "transactions", answer);
  return refuse(translateRefusal(answer.status, answer.body));
}

/**
 * The answer to a creation contains the page in FedaPay's current API; an older API needs a call of
 * its own. When that fails the transaction is read once more; a widget needs no page.
 */
async function pageOf({ mending, widget }: Api, id: string): Promise<string | null> {
  const asked = await mending.tokenOf(id).catch((error: unknown) => {
    if (error instanceof Outage) return error;
    throw error;
  });
  const url = asked instanceof Outage || asked.status >= 300 ? null : translateToken(asked.body);
  if (url !== null) return url;
  const again = await mending.transactionById(id).catch(() => null);
  const read = again?.status === 200 ? translateMade(again.body) : null;
  if (read?.id === id && read.pageUrl !== null) return read.pageUrl;
  if (widget) return null;
  throw asked instanceof Outage ? asked : nonsense("fedapay", "token", asked);
}

async function fetchPayment({ client, environment }: Api, id: string) {
  const answer = await client.transactionById(id);
  if (answer.status === 404) return null;
  const payment = answer.status === 200 ? translateTransaction(answer.body, environment) : null;
  if (payment?.providerPaymentId !== id) throw nonsense("fedapay", "transactions", answer);
  return payment;
}

/** The id of no transaction: FedaPay numbers them from 1. */
const NO_TRANSACTION = "0";

/** Maps FedaPay's answers about transactions. Pure. Null: an invalid answer. */

/** FedaPay's own client counts `refunded` as paid, but the money is gone. */
export const paymentStatusOf = reading.paymentStatuses({
  approved: "paid",
  transferred: "paid",
  approved_partially_refunded: "partly-refunded",
  transferred_partially_refunded: "partly-refunded",
  // The customer may try again on the same transaction.
  declined: "refused",
  canceled: "refused",
  expired: "refused",
  refunded: "refunded",
});

/** A new transaction: wrapped under `v1/transaction`, with or without the address of its page. */
type MadeTransaction = {
  readonly id: string;
  readonly pageUrl: string | null;
};

export function translateMade(body: unknown): MadeTransaction | null {
  const transaction = unwrap(body);
  const id = reading.readAnyId(reading.field(transaction, "id"));
  return id === null
    ? null
    : { id, pageUrl: reading.readAddress(reading.field(transaction, "payment_url")) };
}

/** The answer of POST /transactions/{id}/token, not wrapped. */
export function translateToken(body: unknown): string | null {
  return reading.readAddress(reading.field(body, "url"));
}

/** `amount` is the price; `amount_debited` includes the customer's fee. */
export function translateTransaction(
  body: unknown,
  environment: port.Environment,
): port.FetchedPayment | null {
  const transaction = unwrap(body);
  const id = reading.readAnyId(reading.field(transaction, "id"));
  const word = reading.field(transaction, "status");
  if (id === null || typeof word !== "string") return null;
  return {
    providerPaymentId: id,
    status: paymentStatusOf(word),
    word: word.slice(0, 40),
    amount: reading.readAmount(reading.field(transaction, "amount")),
    cost: reading.readKept(
      reading.field(transaction, "amount"),
      reading.field(transaction, "amount_transferred"),
    ),
    currency: readTheirCurrency(transaction),
    environment,
    reference: readOurReference(transaction),
  };
}

/**
 * The transaction of a webhook; null for any other subject: webhooks of payouts come to the
 * same address, with the same secret.
 */
export function translateWebhook(rawBody: Uint8Array): string | null {
  const body = reading.parseJson(Buffer.from(rawBody).toString("utf8"));
  const entity = unwrap(reading.firstField(body, ["entity", "data"]));
  const name = reading.field(body, "name");
  const klass = reading.field(entity, "klass");
  const named = typeof name === "string" ? /^transaction\./.test(name) : true;
  const kept = typeof klass === "string" ? klass === "v1/transaction" : typeof name === "string";
  return named && kept ? reading.readAnyId(reading.field(entity, "id")) : null;
}

export function translateRefusal(status: number, body: unknown): port.CreateRefusal {
  if (status === 401 || status === 403) return { kind: "keys" };
  const errors = reading.firstField(body, ["errors"]);
  const words = reading.readWords(reading.field(body, "message"));
  return {
    kind: "request",
    message: words ?? (errors === undefined ? null : reading.readWords(JSON.stringify(errors))),
  };
}

const COUNTRIES: ReadonlyMap<string, string> = new Map([
  ["229", "bj"],
  ["225", "ci"],
  ["221", "sn"],
  ["228", "tg"],
  ["223", "ml"],
  ["226", "bf"],
  ["227", "ne"],
]);

/** A number needs its country; one of another country is omitted, and FedaPay's page asks for it. */
export function theirCustomer({ email, firstName, lastName, phone }: port.PayingCustomer): object {
  const country =
    phone && /^\+\d{8,15}$/.test(phone) ? COUNTRIES.get(phone.slice(1, 4)) : undefined;
  return {
    firstname: firstName,
    lastname: lastName,
    email,
    ...(country ? { phone_number: { number: phone, country } } : {}),
  };
}

/** The key identifies the environment, else the host: live and sandbox have one each. */
export function environmentOf(secretKey: string, apiRoot: string): port.Environment {
  const byKey = environmentOfKey(secretKey);
  if (byKey !== "unknown" || !URL.canParse(apiRoot)) return byKey;
  const { hostname } = new URL(apiRoot);
  if (hostname === "api.fedapay.com") return "live";
  return hostname.startsWith("sandbox") ? "sandbox" : "unknown";
}

const unwrap = (body: unknown): unknown =>
  reading.firstField(body, ["v1/transaction", "transaction"]) ?? body;

const readOurReference = (transaction: unknown): string | null =>
  reading.readReference(
    reading.field(transaction, "merchant_reference") ??
      reading.field(reading.field(transaction, "custom_metadata"), "reference"),
  );

/** The only currency FedaPay numbers; its code appears only where `currency` is expanded. */
const FRANC_ID = 1;

function readTheirCurrency(transaction: unknown): string | null {
  const currency = reading.field(transaction, "currency");
  if (currency !== undefined && currency !== null) return reading.readCurrency(currency);
  return reading.field(transaction, "currency_id") === FRANC_ID ? "XOF" : null;
}
