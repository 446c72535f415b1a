import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ok, Outage, refuse, type Result } from "@sesame/kernel";
import { createHttpClient, type HttpAnswer, isExplicitNo, nonsense } from "../http-client.ts";
import type {
  CreatedPayment,
  CreateRefusal,
  Environment,
  FetchedPayment,
  PaymentName,
  PaymentProvider,
  PaymentRequest,
} from "../port.ts";
import {
  quoteInEuros,
  environmentOf,
  isNo,
  saysKeysAreWrong,
  saysUnknown,
  translateInvoice,
  translateMade,
  translateNotice,
  translateRefusal,
} from "./translate.ts";

export { quoteInEuros } from "./translate.ts";

export type CryptopayOptions = {
  readonly token: string;
  /** Scheme, host and port: `https://pay.crypt.bot`. */
  readonly apiRoot: string;
  /** A notice says when it was sent. */
  readonly now: () => Date;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/** The parity never moves; a day is how long a page is kept open, and theirs says the rest. */
const EXPIRES_IN_S = 86_400;
const LONGEST_DESCRIPTION = 1_024;

/**
 * Crypto Pay behind the port: an invoice in euros, payable in any coin they take. Only a payment is
 * told; an expiry is seen by asking.
 */
export function createCryptopay(options: CryptopayOptions): PaymentProvider {
  const client = createCryptopayClient({ timeoutMs: TIMEOUT_MS, ...options });
  const environment = environmentOf(options.apiRoot);
  return {
    id: "cryptopay",
    createPayment: (request) => createPayment(client, request),
    fetchPayment: (name) => fetchPayment(client, name, environment),
    mayBeTrusted: (headers) => isSignature(headers["crypto-pay-api-signature"]),
    readNotice(headers, rawBody) {
      if (!isSigned(rawBody, headers["crypto-pay-api-signature"], options.token)) {
        return { trusted: false };
      }
      return { trusted: true, providerPaymentId: translateNotice(rawBody, options.now()) };
    },
    verifyKeys: () => verifyKeys(client),
    // An invoice paid stays paid; they only send coins to a person, which is no refund.
    refund: null,
  };
}

async function createPayment(
  client: CryptopayClient,
  request: PaymentRequest,
): Promise<Result<CreatedPayment, CreateRefusal>> {
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
    // They take no other kind of address.
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
  name: PaymentName,
  environment: Environment,
): Promise<FetchedPayment | null> {
  const answer = await client.invoiceById(name.providerPaymentId);
  if (saysKeysAreWrong(answer.status, answer.body)) {
    throw new Outage("cryptopay refuses the keys", { party: "cryptopay", retryable: true });
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

function saidNo({ status, body }: HttpAnswer): boolean {
  return isExplicitNo(status) || (status < 300 && isNo(body));
}

type CryptopayKeys = {
  readonly token: string;
  /** Scheme, host and port. */
  readonly apiRoot: string;
  readonly timeoutMs: number;
};

type CryptopayClient = {
  createInvoice(invoice: object): Promise<HttpAnswer>;
  invoiceById(id: string): Promise<HttpAnswer>;
  getMe(): Promise<HttpAnswer>;
};

/** Their calls (reference §8.1): see `createHttpClient` for what is thrown. */
function createCryptopayClient(keys: CryptopayKeys): CryptopayClient {
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

/** Whether the header has the form of a signature: known before the body is there. */
function isSignature(header: string | readonly string[] | undefined): header is string {
  return typeof header === "string" && /^[0-9a-f]{64}$/.test(header);
}

/**
 * `crypto-pay-api-signature`: lower-case hex of HMAC-SHA256 over the raw bytes, by the SHA-256 of the
 * token, as bytes (reference §8.1). Compared in constant time; a missing, repeated or upper-case
 * header is a wrong one.
 */
function isSigned(
  rawBody: Uint8Array,
  header: string | readonly string[] | undefined,
  token: string,
): boolean {
  if (!isSignature(header)) return false;
  const key = createHash("sha256").update(token).digest();
  const expected = createHmac("sha256", key).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(header, "hex"));
}
