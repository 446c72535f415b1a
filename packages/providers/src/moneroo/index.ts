import { ok, refuse, type Result } from "@sesame/kernel";
import {
  createHttpClient,
  isExplicitNo,
  nonsense,
  orBusy,
  type HttpAnswer,
  readKeys,
} from "../http-client.ts";
import { readPayoutNumber, refuseAmount, termsOf } from "../payout-methods.ts";
import type * as port from "../port.ts";
import * as reading from "../reading.ts";

/** Lower-case hex of HMAC-SHA256 over the raw bytes. */
const SIGNATURE = "x-moneroo-signature";

/** Moneroo's own client waits 30 s; a person on a phone does not. */
const PAYMENT_TIMEOUT_MS = 10_000;

/** Moneroo as a payment provider, for one set of keys. */
export function createMoneroo(options: MonerooOptions): port.PaymentProvider {
  const client = createMonerooClient({ timeoutMs: PAYMENT_TIMEOUT_MS, ...options });
  return {
    id: "moneroo",
    createPayment: (request) => createPayment(client, request),
    fetchPayment: async ({ providerPaymentId: id }) =>
      readFound("verify", await client.verify(id), translatePayment),
    mayBeTrusted: (headers) => reading.isSha256(headers[SIGNATURE]),
    readWebhook(headers, rawBody) {
      if (!reading.isHmacOf(rawBody, headers[SIGNATURE], options.webhookSecret)) {
        return { trusted: false };
      }
      return { trusted: true, providerPaymentId: translateWebhook(rawBody) };
    },
    verifyKeys: async () => readKeys("moneroo", "verify", await client.verify(NO_PAYMENT)),
    // Moneroo has no call for refunds.
    refund: null,
  };
}

/** The object of a lookup; null when Moneroo does not have it. */
function readFound<T>(call: string, answer: HttpAnswer, translate: (body: unknown) => T | null) {
  if (answer.status === 404) return null;
  const found = answer.status === 200 ? translate(answer.body) : null;
  if (found === null) throw nonsense("moneroo", call, answer);
  return found;
}

async function createPayment(client: MonerooClient, request: port.PaymentRequest) {
  const { customer } = request;
  const answer = await client.initialize({
    amount: Number(request.amount),
    currency: "XOF",
    description: request.description,
    return_url: request.returnUrl,
    customer: {
      email: customer.email,
      first_name: customer.firstName,
      last_name: customer.lastName,
      ...(customer.phone ? { phone: customer.phone } : {}),
    },
    // String values only.
    metadata: { order_id: request.reference },
  });
  if (answer.status === 401 || answer.status === 403) return refuse({ kind: "keys" });
  if (isExplicitNo(answer.status)) {
    return refuse({ kind: "request", message: translateRefusal(answer.body) });
  }
  const created = answer.status < 300 ? translateCreated(answer.body) : null;
  if (!created) throw nonsense("moneroo", "initialize", answer);
  return ok(created);
}

/** The id of no payment: Moneroo's ids begin with `py_` or have twelve characters. */
const NO_PAYMENT = "sesame-verifies-its-keys";

/** Maps Moneroo's answers. Pure. Null: an invalid answer. */

/** Only `success` is paid, only `failed` and `cancelled` are refused. */
export const paymentStatusOf = reading.paymentStatuses({
  success: "paid",
  failed: "refused",
  cancelled: "refused",
});

/** The answer of POST /payments/initialize, 201: the address is under `data`. */
export function translateCreated(body: unknown): port.CreatedPayment | null {
  const created = reading.field(body, "data");
  const id = reading.readId(reading.field(created, "id"));
  const redirectUrl = reading.readAddress(reading.field(created, "checkout_url"));
  if (id === null || redirectUrl === null) return null;
  return { providerPaymentId: id, redirectUrl, widget: null, quote: null };
}

/**
 * The answer of GET /payments/{id}/verify. Two forms are documented: `currency` a string or an
 * object with `code`, amounts whole or with a decimal point, `metadata` an object or an empty array.
 */
export function translatePayment(body: unknown): port.FetchedPayment | null {
  const payment = reading.field(body, "data");
  const id = reading.readId(reading.field(payment, "id"));
  const word = reading.field(payment, "status");
  if (id === null || typeof word !== "string") return null;
  return {
    providerPaymentId: id,
    status: paymentStatusOf(word),
    word: word.slice(0, 40),
    amount: reading.readAmount(reading.field(payment, "amount")),
    currency: reading.readCurrency(reading.field(payment, "currency")),
    environment: readEnvironment(reading.field(payment, "environment")),
    reference: reading.readReference(reading.field(reading.field(payment, "metadata"), "order_id")),
  };
}

/** The payment of a webhook; null when it names none, or is about a payout. */
export function translateWebhook(rawBody: Uint8Array): string | null {
  const body = reading.parseJson(Buffer.from(rawBody).toString("utf8"));
  return isAboutPayout(body)
    ? null
    : reading.readId(reading.field(reading.field(body, "data"), "id"));
}

/** Webhooks of payments and payouts come to one address, with one secret. */
function isAboutPayout(webhook: unknown): boolean {
  const event = reading.field(webhook, "event");
  return typeof event === "string" && event.startsWith("payout.");
}

/** The text of a refused request; the form of `errors` is not documented, so it is not read. */
export function translateRefusal(body: unknown): string | null {
  return reading.readWords(reading.field(body, "message"));
}

function readEnvironment(value: unknown): port.Environment {
  if (value === "production" || value === "live") return "live";
  return value === "sandbox" ? "sandbox" : "unknown";
}

/** No person waits, and a lost answer costs an agent's time: longer than a payment's timeout. */
const PAYOUT_TIMEOUT_MS = 15_000;

/** No minimum or maximum is documented: they depend on Moneroo's gateways. */
const LIMITS = { min: 1, max: null };

/**
 * Moneroo's payouts as a payout provider. One step, no handle, and no lookup by our reference: when
 * the answer to `submit` is lost, only Moneroo's webhook or an agent can give the id.
 */
export function createMonerooPayouts(options: MonerooOptions): port.PayoutProvider {
  const client = createMonerooClient({ timeoutMs: PAYOUT_TIMEOUT_MS, ...options });
  return {
    id: "moneroo",
    cannotServe: (method, amount) =>
      !termsOf(method)?.moneroo ? { kind: "method" } : refuseAmount(amount, LIMITS),
    prepare: async (request) => {
      const written = writePayout(request);
      return written.ok ? ok({ handle: null }) : written;
    },
    submit: (request) => submit(client, request),
    lookup: async ({ providerPayoutId: id }) =>
      id === null
        ? null
        : readFound("payouts/verify", await client.verifyPayout(id), translatePayout),
    list: null,
    readWebhook(headers, rawBody) {
      if (!reading.isHmacOf(rawBody, headers[SIGNATURE], options.webhookSecret)) {
        return { trusted: false };
      }
      const providerPayoutId = translatePayoutWebhook(rawBody);
      return { trusted: true, providerPayoutId, handle: null, reference: null };
    },
  };
}

function writePayout(request: port.PayoutRequest): Result<object, port.PayoutRefusal> {
  const method = termsOf(request.method)?.moneroo;
  const number = readPayoutNumber(request.method, request.phone);
  if (!method || !number) return refuse({ kind: "request", message: null });
  return ok({
    amount: Number(request.amount),
    currency: "XOF",
    description: request.description,
    method,
    customer: {
      email: request.recipient.email,
      first_name: request.recipient.firstName,
      last_name: request.recipient.lastName,
    },
    recipient: { msisdn: number.digits },
    // String values only. Without a lookup by reference, they identify a payout as ours.
    metadata: { withdrawal_id: request.withdrawalId, reference: request.reference },
  });
}

async function submit(client: MonerooClient, request: port.PayoutRequest) {
  const written = writePayout(request);
  if (!written.ok) return written;
  const taken = await orBusy(client.initializePayout(written.value));
  if (!taken.ok) return taken;
  const answer = taken.value;
  if (isExplicitNo(answer.status)) {
    return refuse(translatePayoutRefusal(answer.status, answer.body));
  }
  const sent = answer.status < 300 ? translateInitialized(answer.body) : null;
  if (!sent) throw nonsense("moneroo", "payouts/initialize", answer);
  return ok(sent);
}

/** Only `success` is a success, only `failed` a failure; there is no status before sending. */
export const payoutStatusOf = reading.payoutStatuses({ success: "succeeded", failed: "failed" });

/** The answer of POST /payouts/initialize: an id without a status. */
export function translateInitialized(body: unknown): port.PayoutAnswer | null {
  const created = reading.field(body, "data");
  const id = reading.readId(reading.field(created, "id"));
  if (id === null) return null;
  return {
    status: "sent",
    providerPayoutId: id,
    word: "initiated",
    operatorReference: null,
    failure: null,
    cost: null,
    environment: readEnvironment(reading.field(created, "environment")),
  };
}

/** The answer of GET /payouts/{id}/verify, or the flatter form of /payouts/{id}. */
export function translatePayout(body: unknown): port.FetchedPayout | null {
  const payout = reading.field(body, "data");
  const id = reading.readId(reading.field(payout, "id"));
  const word = reading.field(payout, "status");
  if (id === null || typeof word !== "string") return null;
  const status = payoutStatusOf(word);
  const reference = reading.field(reading.field(payout, "metadata"), "reference");
  const disburse = reading.field(payout, "disburse");
  const gateway = reading.field(disburse, "gateway") ?? reading.field(payout, "gateway");
  const failure =
    reading.readWords(reading.field(disburse, "failure_message")) ??
    reading.readWords(reading.field(gateway, "transaction_failure_message"));
  return {
    status,
    providerPayoutId: id,
    word: word.slice(0, 40),
    operatorReference: reading.readWords(reading.field(gateway, "transaction_id")),
    failure: status === "failed" ? failure : null,
    cost: null,
    environment: readEnvironment(reading.field(payout, "environment")),
    amount: reading.readAmount(reading.field(payout, "amount")),
    currency: reading.readCurrency(reading.field(payout, "currency")),
    reference: typeof reference === "string" ? reference : null,
  };
}

/** The payout of a webhook; null when it is about a payment, or unreadable. */
function translatePayoutWebhook(rawBody: Uint8Array): string | null {
  const body = reading.parseJson(Buffer.from(rawBody).toString("utf8"));
  return isAboutPayout(body)
    ? reading.readId(reading.field(reading.field(body, "data"), "id"))
    : null;
}

function translatePayoutRefusal(status: number, body: unknown): port.PayoutRefusal {
  if (status === 401 || status === 403) return { kind: "keys" };
  const message = translateRefusal(body);
  // A refusal may be in `errors` only, as a word or a map of lists.
  const errors = JSON.stringify(reading.firstField(body, ["errors"]) ?? "");
  if (reading.saysFloatIsShort(message) || reading.saysFloatIsShort(errors))
    return { kind: "float" };
  return { kind: "request", message };
}

type MonerooOptions = {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Scheme, host and port: `https://api.moneroo.io`. */
  readonly apiRoot: string;
  readonly timeoutMs?: number;
};

type MonerooClient = ReturnType<typeof createMonerooClient>;

/** Moneroo's API; errors: see `createHttpClient`. */
function createMonerooClient(keys: Required<MonerooOptions>) {
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
    initialize: (payment: object) => post("/v1/payments/initialize", payment),
    verify: (paymentId: string) => verify("payments", paymentId),
    initializePayout: (payout: object) => post("/v1/payouts/initialize", payout),
    verifyPayout: (payoutId: string) => verify("payouts", payoutId),
  };
}
