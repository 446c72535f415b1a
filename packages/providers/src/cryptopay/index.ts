import { ok, Outage, refuse, type Result } from "@sesame/kernel";
import { type HttpAnswer, isExplicitNo, nonsense } from "../http-client.ts";
import type {
  CreatedPayment,
  CreateRefusal,
  Environment,
  FetchedPayment,
  PaymentName,
  PaymentProvider,
  PaymentRequest,
} from "../port.ts";
import { createCryptopayClient, type CryptopayClient } from "./client.ts";
import { quoteInEuros } from "./quote.ts";
import { isSignature, isSigned } from "./signature.ts";
import {
  environmentOf,
  isNo,
  saysKeysAreWrong,
  saysUnknown,
  translateInvoice,
  translateMade,
  translateNotice,
  translateRefusal,
} from "./translate.ts";

export { quoteInEuros } from "./quote.ts";

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
