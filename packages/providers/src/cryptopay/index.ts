import { createHash } from "node:crypto";
import { DAY_MS, type Fcfa, ok, refuse } from "@sesame/kernel";
import {
  createHttpClient,
  type HttpAnswer,
  isExplicitNo,
  keysRefused,
  nonsense,
} from "../http-client.ts";
import type * as port from "../port.ts";
import * as reading from "../reading.ts";

type CryptopayOptions = {
  readonly token: string;
  /** Scheme, host and port: `https://pay.crypt.bot`. */
  readonly apiRoot: string;
  /** Checks the age of a webhook. */
  readonly now: () => Date;
  readonly timeoutMs?: number;
};

/** Lower-case hex of HMAC-SHA256 over the raw bytes, keyed with the SHA-256 of the token. */
const SIGNATURE = "crypto-pay-api-signature";

const TIMEOUT_MS = 10_000;

/** A page stays open for a day. The parity is fixed, so the price cannot change meanwhile. */
const EXPIRES_IN_S = 86_400;
const LONGEST_DESCRIPTION = 1_024;

/**
 * Crypto Pay as a payment provider: an invoice in euros, payable in any coin it accepts. Only a
 * payment sends a webhook; an expiry is found by polling.
 */
export function createCryptopay(options: CryptopayOptions): port.PaymentProvider {
  const client = createCryptopayClient(options);
  const environment = environmentOf(options.apiRoot);
  return {
    id: "cryptopay",
    createPayment: (request) => createPayment(client, request),
    fetchPayment: (name) => fetchPayment(client, name, environment),
    mayBeTrusted: (headers) => reading.isSha256(headers[SIGNATURE]),
    readWebhook(headers, rawBody) {
      const key = createHash("sha256").update(options.token).digest();
      if (!reading.isHmacOf(rawBody, headers[SIGNATURE], key)) return { trusted: false };
      return { trusted: true, providerPaymentId: translateWebhook(rawBody, options.now()) };
    },
    verifyKeys: () => verifyKeys(client),
    // A paid invoice stays paid; Crypto Pay can only send coins to a person, which is no refund.
    refund: null,
  };
}

async function createPayment(client: CryptopayClient, request: port.PaymentRequest) {
  const quote = quoteInEuros(request.amount);
  const { returnUrl } = request;
  const answer = await client.createInvoice({
    currency_type: "fiat",
    fiat: quote.currency,
    amount: quote.amount,
    description: request.description.slice(0, LONGEST_DESCRIPTION),
    payload: request.reference,
    allow_comments: false,
    expires_in: EXPIRES_IN_S,
    // Crypto Pay accepts no other kind of address.
    ...(returnUrl.startsWith("https://")
      ? { paid_btn_name: "callback", paid_btn_url: returnUrl }
      : {}),
  });
  if (saidNo(answer)) return refuse(translateRefusal(answer.status, answer.body));
  const made = answer.status < 300 ? translateMade(answer.body) : null;
  if (!made) throw nonsense("cryptopay", "createInvoice", answer);
  return ok({ providerPaymentId: made.id, redirectUrl: made.pageUrl, widget: null, quote });
}

async function fetchPayment(
  client: CryptopayClient,
  name: port.PaymentName,
  environment: port.Environment,
): Promise<port.FetchedPayment | null> {
  const answer = await client.invoiceById(name.providerPaymentId);
  if (saysKeysAreWrong(answer.status, answer.body)) {
    throw keysRefused("cryptopay");
  }
  if (saysUnknown(answer.status, answer.body)) return null;
  const invoice = answer.status < 300 ? translateInvoice(answer.body, name, environment) : null;
  if (invoice === null) throw nonsense("cryptopay", "getInvoices", answer);
  return invoice === "unknown" ? null : invoice;
}

async function verifyKeys(client: CryptopayClient): Promise<"accepted" | "refused"> {
  const answer = await client.getMe();
  if (saysKeysAreWrong(answer.status, answer.body)) return "refused";
  if (answer.status < 300 && !isNo(answer.body)) return "accepted";
  throw nonsense("cryptopay", "getMe", answer);
}

const saidNo = ({ status, body }: HttpAnswer): boolean =>
  isExplicitNo(status) || (status < 300 && isNo(body));

type CryptopayClient = ReturnType<typeof createCryptopayClient>;

/** Crypto Pay's API; errors: see `createHttpClient`. */
function createCryptopayClient({ token, apiRoot, timeoutMs = TIMEOUT_MS }: CryptopayOptions) {
  const call = createHttpClient({
    party: "cryptopay",
    apiRoot,
    headers: { "crypto-pay-api-token": token },
    timeoutMs,
  });
  return {
    createInvoice: (body: object) => call({ method: "POST", path: "/api/createInvoice", body }),
    invoiceById: (id: string) =>
      call({ method: "GET", path: `/api/getInvoices?invoice_ids=${encodeURIComponent(id)}` }),
    getMe: () => call({ method: "GET", path: "/api/getMe" }),
  };
}

/** Maps Crypto Pay's answers. Pure. Null: an invalid answer. */

export const paymentStatusOf = reading.paymentStatuses({ paid: "paid", expired: "refused" });

/** The mini app opens without leaving Telegram; any browser opens the bot's link, or the web's. */
const PAGES = ["mini_app_invoice_url", "bot_invoice_url", "web_app_invoice_url", "pay_url"];

/** The answer of createInvoice. */
export function translateMade(body: unknown) {
  const invoice = resultOf(body);
  const id = reading.readAnyId(reading.field(invoice, "invoice_id"));
  const addresses = PAGES.map((name) => reading.readAddress(reading.field(invoice, name)));
  const pageUrl = addresses.find((address) => address !== null) ?? null;
  return id === null || pageUrl === null ? null : { id, pageUrl };
}

/**
 * The answer of getInvoices for one invoice: null when invalid, `unknown` when the invoice is not
 * in it. The amount is the price only if exactly the quote was paid, in its currency.
 */
export function translateInvoice(
  body: unknown,
  name: port.PaymentName,
  environment: port.Environment,
): port.FetchedPayment | "unknown" | null {
  const result = resultOf(body);
  const items = Array.isArray(result) ? result : reading.field(result, "items");
  if (!Array.isArray(items)) return null;
  const id = name.providerPaymentId;
  const invoice: unknown = items.find(
    (item) => reading.readAnyId(reading.field(item, "invoice_id")) === id,
  );
  if (invoice === undefined) return "unknown";
  const word = reading.field(invoice, "status");
  if (typeof word !== "string") return null;
  const currency = readUnit(invoice);
  const quoted = name.quote !== null && currency === name.quote.currency;
  const exact = quoted && isSameAmount(reading.field(invoice, "amount"), name.quote?.amount ?? "");
  return {
    providerPaymentId: id,
    status: paymentStatusOf(word),
    word: word.slice(0, 40),
    amount: exact ? name.amount : null,
    currency: quoted ? "XOF" : currency,
    environment,
    reference: reading.readReference(reading.field(invoice, "payload")),
  };
}

/** An invoice in a coin has no fiat currency of ours. */
function readUnit(invoice: unknown): string | null {
  const names =
    reading.field(invoice, "currency_type") === "crypto" ? ["asset"] : ["fiat", "asset"];
  const unit = reading.firstField(invoice, names);
  return typeof unit === "string" ? unit : null;
}

/**
 * Longer than Crypto Pay retries and a payment is checked. An older webhook is acknowledged without
 * a check: a replay could only cause calls.
 */
const FRESH_MS = 7 * DAY_MS;

/** The invoice of a webhook; null for another event, or an old one. */
export function translateWebhook(rawBody: Uint8Array, now: Date): string | null {
  const body = reading.parseJson(Buffer.from(rawBody).toString("utf8"));
  if (reading.field(body, "update_type") !== "invoice_paid") return null;
  const said = reading.readInstant(reading.field(body, "request_date"));
  if (said && Math.abs(now.getTime() - said.getTime()) > FRESH_MS) return null;
  return reading.readAnyId(reading.field(reading.field(body, "payload"), "invoice_id"));
}

/** Crypto Pay's test network has a host of its own; its coins are worthless. */
export function environmentOf(apiRoot: string): port.Environment {
  return URL.canParse(apiRoot) && new URL(apiRoot).hostname.includes("testnet")
    ? "sandbox"
    : "live";
}

/** Whether the answer is a refusal: `{ ok: false, error: { code, name } }`. */
export function isNo(body: unknown): boolean {
  return reading.field(body, "ok") === false;
}

export function saysKeysAreWrong(status: number, body: unknown): boolean {
  const error = reading.field(body, "error");
  const [code, name] = [reading.field(error, "code"), reading.field(error, "name")];
  if (status === 401 || status === 403 || code === 401 || code === 403) return true;
  return typeof name === "string" && /UNAUTHORIZED|FORBIDDEN|TOKEN_INVALID/i.test(name);
}

/** Crypto Pay answers an unknown id with an empty list; an explicit refusal means the same. */
export function saysUnknown(status: number, body: unknown): boolean {
  const name = reading.field(reading.field(body, "error"), "name");
  return status === 404 || (typeof name === "string" && /INVOICE_NOT_FOUND/.test(name));
}

export function translateRefusal(status: number, body: unknown): port.CreateRefusal {
  if (saysKeysAreWrong(status, body)) return { kind: "keys" };
  const error = reading.field(body, "error");
  return { kind: "request", message: reading.readWords(reading.field(error, "name") ?? error) };
}

const resultOf = (body: unknown): unknown =>
  reading.field(body, "ok") === true ? reading.field(body, "result") : undefined;

/** Francs for one euro, a fixed parity; in thousandths. No crypto provider counts in francs. */
const FRANCS_PER_EURO = "655.957";
const MILLIFRANCS_PER_EURO = 655_957n;

/**
 * The price in euros at the fixed parity, rounded up to the cent: never below the price, and less
 * than seven francs above it.
 */
export function quoteInEuros(amount: Fcfa): port.Quote {
  const cents = (amount * 100_000n + MILLIFRANCS_PER_EURO - 1n) / MILLIFRANCS_PER_EURO;
  const euros = cents / 100n;
  return {
    currency: "EUR",
    amount: `${euros}.${String(cents % 100n).padStart(2, "0")}`,
    rate: FRANCS_PER_EURO,
  };
}

/** Whether two decimal texts are the same number; false if one is no number. */
export function isSameAmount(one: unknown, other: string): boolean {
  const written = typeof one === "number" ? String(one) : one;
  const [a, b] = [plain(written), plain(other)];
  return a !== null && a === b;
}

/** Without leading and trailing zeros. */
function plain(value: unknown): string | null {
  if (typeof value !== "string" || !/^\d{1,15}(\.\d{1,18})?$/.test(value)) return null;
  const [whole = "", decimals = ""] = value.split(".");
  return `${whole.replace(/^0+(?=\d)/, "")}.${decimals.replace(/0+$/, "")}`;
}
