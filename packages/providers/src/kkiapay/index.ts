import { createHash, timingSafeEqual } from "node:crypto";
import { ok, Outage } from "@sesame/kernel";
import {
  createHttpClient,
  type HttpAnswer,
  isExplicitNo,
  keysRefused,
  nonsense,
} from "../http-client.ts";
import type * as port from "../port.ts";
import * as reading from "../reading.ts";

type KkiapayOptions = {
  readonly publicKey: string;
  readonly privateKey: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Scheme, host and port: `https://api.kkiapay.me`. */
  readonly apiRoot: string;
  /** KkiaPay's script: `https://cdn.kkiapay.me/k.js`. */
  readonly widgetUrl: string;
  /** Whether `apiRoot` is the sandbox host: no answer shows it. A test key shows it alone. */
  readonly sandbox: boolean;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/** The prefix of a private key of the sandbox. */
const TEST_KEY = "tpk_";

/** Transaction ids looked up at once, so that all answers come within one timeout. */
const MOST_NAMES = 20;

/**
 * KkiaPay as a payment provider. No transaction exists before the customer pays in the widget, so
 * the payment has our id and is found by the transaction ids reported for it; a transaction counts
 * only if its own answer contains our reference.
 */
export function createKkiapay(options: KkiapayOptions): port.PaymentProvider {
  const client = createKkiapayClient(options);
  const sandbox = options.sandbox || options.privateKey.startsWith(TEST_KEY);
  const environment: port.Environment = sandbox ? "sandbox" : "live";
  const { widgetUrl: scriptUrl, publicKey } = options;
  return {
    id: "kkiapay",
    isMadeInBrowser: true,
    createPayment: async ({ reference }) =>
      ok({
        providerPaymentId: reference,
        redirectUrl: null,
        widget: { kind: "kkiapay", scriptUrl, publicKey, sandbox },
        quote: null,
      }),
    fetchPayment: (name) => fetchPayment(client, name, environment),
    // The proof is entirely in the header.
    mayBeTrusted: (headers) => isTheirSecret(headers["x-kkiapay-secret"], options.webhookSecret),
    readWebhook(headers, rawBody) {
      if (!isTheirSecret(headers["x-kkiapay-secret"], options.webhookSecret)) {
        return { trusted: false };
      }
      const reported = translateWebhook(rawBody);
      return {
        trusted: true,
        providerPaymentId: reported?.reference ?? null,
        reportedTransaction: reported,
      };
    },
    verifyKeys: () => verifyKeys(client),
    refund: (request) => refund(client, request),
  };
}

async function fetchPayment(
  client: KkiapayClient,
  name: port.PaymentName,
  environment: port.Environment,
): Promise<port.FetchedPayment | null> {
  const { paidAs = null } = name;
  const names = [
    ...new Set(
      paidAs === null ? name.reportedTransactionIds : [paidAs, ...name.reportedTransactionIds],
    ),
  ]
    .filter((reported) => reading.readId(reported))
    .slice(0, MOST_NAMES);
  const asked = await Promise.allSettled(
    names.map((reported) => readTransaction(client, reported)),
  );
  const ours = asked
    .map((answer) => (answer.status === "fulfilled" ? answer.value : null))
    .filter((transaction) => transaction !== null)
    .filter(({ reference }) => reference === name.reference);
  const [first, ...others] = ours.toSorted((one, other) => rank(one, name) - rank(other, name));
  const lost = asked.find((answer) => answer.status === "rejected");
  // An unanswered id may be the booked one or, while none is booked, the one that paid.
  const isFound = paidAs === null ? first?.status === "paid" : first?.transactionId === paidAs;
  if (lost && !isFound) throw lost.reason;
  if (!first) return null;
  const extra = others.filter(({ status }) => status === "paid");
  return {
    ...first,
    providerPaymentId: name.providerPaymentId,
    environment,
    ...(lost ? { unanswered: true } : {}),
    ...(extra.length > 0
      ? { extraTransactionIds: extra.map(({ transactionId }) => transactionId) }
      : {}),
  };
}

const ORDER: readonly port.ProviderPaymentStatus[] = [
  "paid",
  "partly-refunded",
  "refunded",
  "pending",
  "refused",
];

/** Prefers the booked transaction, then one that paid the exact price, then any that paid. */
function rank({ transactionId, status, amount }: Transaction, name: port.PaymentName): number {
  if (transactionId === name.paidAs) return -1;
  return ORDER.indexOf(status) * 2 + (amount === name.amount ? 0 : 1);
}

/** Null when the transaction is unknown, or not ours. */
async function readTransaction(client: KkiapayClient, id: string): Promise<Transaction | null> {
  const answer = await client.status(id);
  refuseKeys(answer);
  if (isUnknown(answer)) return null;
  const transaction = answer.status < 300 ? translateStatus(answer.body, id) : null;
  if (!transaction) throw nonsense("kkiapay", "transactions/status", answer);
  return transaction;
}

const isUnknown = ({ status, body }: HttpAnswer): boolean =>
  saysUnknown(body) || status === 404 || status === 400 || status === 422;

function refuseKeys({ status, body }: HttpAnswer): void {
  if (!saysKeysAreWrong(status, body)) return;
  throw keysRefused("kkiapay");
}

/** The id of no transaction. */
const NO_TRANSACTION = "sesame-verifies-its-keys";

async function verifyKeys(client: KkiapayClient): Promise<"accepted" | "refused"> {
  const answer = await client.status(NO_TRANSACTION);
  if (saysKeysAreWrong(answer.status, answer.body)) return "refused";
  if (isUnknown(answer) || answer.status < 300) return "accepted";
  throw nonsense("kkiapay", "transactions/status", answer);
}

/**
 * Refunds the whole payment, once. KkiaPay's answers to a refund are not documented, so the
 * transaction is read before, to avoid a second refund, and after.
 */
async function refund(
  client: KkiapayClient,
  { transactionId }: port.RefundRequest,
): Promise<port.RefundAnswer> {
  if (transactionId === null) return { kind: "refused", message: null };
  const before = await readTransaction(client, transactionId);
  if (before?.status === "refunded") return { kind: "done" };
  // Either status may still change.
  if (before?.status === "pending" || before?.status === "partly-refunded") throw unsure();
  if (before?.status !== "paid") return { kind: "refused", message: before?.word ?? null };
  const answer = await client.revert(transactionId);
  refuseKeys(answer);
  const after = await readTransaction(client, transactionId);
  if (after?.status === "refunded") return { kind: "done" };
  if (isExplicitNo(answer.status) || saysNo(answer.body)) {
    return { kind: "refused", message: translateRefusal(answer.body) };
  }
  throw nonsense("kkiapay", "transactions/revert", answer);
}

const unsure = (): Outage =>
  new Outage("kkiapay does not say whether it was paid", {
    party: "kkiapay",
    retryable: true,
  });

type KkiapayClient = ReturnType<typeof createKkiapayClient>;

/** KkiaPay's API; errors: see `createHttpClient`. */
function createKkiapayClient(keys: KkiapayOptions) {
  const call = createHttpClient({
    party: "kkiapay",
    apiRoot: keys.apiRoot,
    headers: {
      "x-api-key": keys.publicKey,
      "x-private-key": keys.privateKey,
      "x-secret-key": keys.secretKey,
    },
    timeoutMs: keys.timeoutMs ?? TIMEOUT_MS,
  });
  const post = (name: string, transactionId: string) =>
    call({ method: "POST", path: `/api/v1/transactions/${name}`, body: { transactionId } });
  return {
    status: (transactionId: string) => post("status", transactionId),
    /** Refunds the whole amount. */
    revert: (transactionId: string) => post("revert", transactionId),
  };
}

/**
 * `x-kkiapay-secret`: the secret typed in the dashboard, unchanged. The body is not
 * signed, so it proves little; compared in constant time, whatever its length.
 */
function isTheirSecret(header: string | readonly string[] | undefined, secret: string): boolean {
  if (typeof header !== "string" || header === "" || secret === "") return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header), digest(secret));
}

/** Maps KkiaPay's answers. Pure. Null: an invalid answer. */

export const paymentStatusOf = reading.paymentStatuses({
  SUCCESS: "paid",
  FAILED: "refused",
  REVERTED: "refunded",
});

/** The reference is a value of the widget's opening, which any browser may have written. */
type Transaction = Omit<port.FetchedPayment, "providerPaymentId" | "environment"> & {
  readonly transactionId: string;
};

/** The answer of POST /transactions/status. `asked`: the id of the request, which an answer may omit. */
export function translateStatus(body: unknown, asked: string): Transaction | null {
  const word = reading.field(body, "status");
  if (typeof word !== "string") return null;
  const named = reading.field(body, "transactionId");
  const transactionId = named === undefined || named === null ? asked : reading.readAnyId(named);
  if (transactionId !== asked) return null;
  return {
    transactionId,
    status: paymentStatusOf(word),
    word: word.slice(0, 40),
    amount: reading.readAmount(reading.field(body, "amount")),
    cost: reading.readKept(reading.field(body, "amount"), reading.field(body, "income")),
    currency: reading.readCurrencyOrFrancs(reading.field(body, "currency")),
    reference: readReference(body),
  };
}

/** KkiaPay's words for an unknown id, or one of another account. */
const UNKNOWN_NAMES = /TRANSACTION_NOT_FOUND|INVALID_TRANSACTION\b|transaction not found/i;
/** KkiaPay's words for a final refusal of a refund. */
const NOES =
  /TRANSACTION_NOT_ELIGIBLE|INVALID_TRANSACTION_TYPE|INSUFFICIENT_FUND|INVALID_PAYOUT_DESTINATION/i;

export function saysUnknown(body: unknown): boolean {
  return UNKNOWN_NAMES.test(wordsOf(body));
}

export function saysNo(body: unknown): boolean {
  return NOES.test(wordsOf(body)) || saysUnknown(body);
}

/** At any status: only 401 is documented for wrong keys. */
export function saysKeysAreWrong(status: number, body: unknown): boolean {
  if (status === 401 || status === 403) return true;
  return status >= 400 && /(api|private|secret|public).?key|unauthori[sz]ed/i.test(wordsOf(body));
}

/** The field of an error in a body is not documented. */
const WORDS = ["status", "message", "error", "code", "reason", "failureCode", "failureMessage"];

function wordsOf(body: unknown): string {
  if (typeof body === "string") return body.slice(0, 400);
  const errors = reading.field(body, "error");
  const words = [...WORDS.map((name) => reading.field(body, name)), reading.field(errors, "code")];
  return [...words, reading.field(errors, "message")]
    .filter((word) => typeof word === "string")
    .join(" ")
    .slice(0, 400);
}

export function translateRefusal(body: unknown): string | null {
  return reading.readWords(wordsOf(body));
}

type Webhook = { readonly reference: string; readonly transactionId: string };

/** Null unless it has both ids. `partnerId` is often empty. */
export function translateWebhook(rawBody: Uint8Array): Webhook | null {
  const body = reading.parseJson(Buffer.from(rawBody).toString("utf8"));
  const transactionId = reading.readAnyId(reading.field(body, "transactionId"));
  const reference = readReference(body);
  return transactionId === null || reference === null ? null : { reference, transactionId };
}

/** The widget's `data` comes back as `state` or as `stateData`; beside it `partnerId`. */
const STATES = ["state", "stateData", "partnerId"];

function readReference(body: unknown): string | null {
  for (const name of STATES) {
    const reference = readState(reading.field(body, name));
    if (reference !== null) return reference;
  }
  return null;
}

/** Plain text, JSON in a text, an object, or JSON in JSON. */
function readState(state: unknown, depth = 0): string | null {
  if (typeof state === "string" && depth < 3) {
    const inner = /^\s*[{"]/.test(state) ? reading.parseJson(state) : null;
    return inner === null ? reading.readAnyId(state) : readState(inner, depth + 1);
  }
  if (typeof state === "number") return reading.readAnyId(state);
  return reading.readAnyId(reading.firstField(state, ["reference", "order_id", "data"]));
}
