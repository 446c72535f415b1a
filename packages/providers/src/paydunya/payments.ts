import { ok, refuse } from "@sesame/kernel";
import { keysRefused, nonsense } from "../http-client.ts";
import type * as port from "../port.ts";
import * as reading from "../reading.ts";
import * as paydunya from "./client.ts";

/** A person on a phone waits for it. */
const TIMEOUT_MS = 10_000;

/** Displayed above the invoice on PayDunya's page. */
const STORE = "Sésame";

type Api = { readonly client: paydunya.PaydunyaClient; readonly byKey: port.Environment };

/** PayDunya's invoices as a payment provider. Our reference is in `custom_data` of the answers. */
export function createPaydunya(options: paydunya.PaydunyaOptions): port.PaymentProvider {
  const client = paydunya.createPaydunyaClient({ timeoutMs: TIMEOUT_MS, ...options });
  const api: Api = { client, byKey: paydunya.environmentOfKey(options.privateKey) };
  return {
    id: "paydunya",
    createPayment: (request) => createPayment(client, request),
    fetchPayment: ({ providerPaymentId }) => fetchPayment(api, providerPaymentId),
    // The proof is in the body.
    mayBeTrusted: () => true,
    withoutProof: (rawBody) => paydunya.withoutHash(rawBody, options.masterKey),
    readWebhook: (_headers, rawBody) => paydunya.readPaymentWebhook(rawBody, options.masterKey),
    verifyKeys: () => verifyKeys(client),
    // PayDunya has no call for refunds.
    refund: null,
  };
}

async function createPayment(client: paydunya.PaydunyaClient, request: port.PaymentRequest) {
  const { customer, description } = request;
  const amount = Number(request.amount);
  const item = { name: description, quantity: 1, unit_price: amount, total_price: amount };
  const answer = await client.createInvoice({
    invoice: {
      total_amount: amount,
      description,
      items: { item_1: { ...item, description: "" } },
      customer: {
        name: `${customer.firstName} ${customer.lastName}`.trim(),
        email: customer.email,
        ...(customer.phone ? { phone: customer.phone } : {}),
      },
    },
    store: { name: STORE },
    custom_data: { order_id: request.reference },
    actions: {
      callback_url: request.webhookUrl,
      return_url: request.returnUrl,
      cancel_url: request.returnUrl,
    },
  });
  if (paydunya.saidNo(answer)) return refuse(translateRefusal(answer.status, answer.body));
  const made = answer.status < 300 ? translateMade(answer.body) : null;
  if (!made) throw nonsense("paydunya", "checkout-invoice/create", answer);
  return ok({
    providerPaymentId: made.token,
    redirectUrl: made.pageUrl,
    widget: null,
    quote: null,
  });
}

async function fetchPayment({ client, byKey }: Api, token: string) {
  const answer = await client.confirmInvoice(token);
  if (paydunya.saidNo(answer)) {
    // Refused keys give no information about the payment.
    if (translateRefusal(answer.status, answer.body).kind === "keys") {
      throw keysRefused("paydunya");
    }
    return null;
  }
  const payment =
    answer.status < 300 ? translateInvoicePayment(answer.body, { token, byKey }) : null;
  if (!payment) throw nonsense("paydunya", "checkout-invoice/confirm", answer);
  return payment;
}

/** The token of no invoice: PayDunya's have ten characters or more, and none is a word. */
const NO_INVOICE = "sesame-verifies-its-keys";

/** A refusal that is about the invoice proves that the keys are valid. */
async function verifyKeys(client: paydunya.PaydunyaClient): Promise<"accepted" | "refused"> {
  const answer = await client.confirmInvoice(NO_INVOICE);
  if (!paydunya.saidNo(answer) && answer.status >= 300) {
    throw nonsense("paydunya", "checkout-invoice/confirm", answer);
  }
  const keys =
    paydunya.saidNo(answer) && translateRefusal(answer.status, answer.body).kind === "keys";
  return keys ? "refused" : "accepted";
}

/** Maps PayDunya's answers about invoices. Pure. */

export const paymentStatusOf = reading.paymentStatuses({
  completed: "paid",
  cancelled: "refused",
  failed: "refused",
  expired: "refused",
  refunded: "refunded",
});

export type MadeInvoice = { readonly token: string; readonly pageUrl: string };

/** The answer of POST /checkout-invoice/create: the address is in `response_text`. */
export function translateMade(body: unknown): MadeInvoice | null {
  const token = paydunya.isYes(body) ? paydunya.readToken(reading.field(body, "token")) : null;
  const pageUrl = reading.readAddress(reading.field(body, "response_text"));
  return token === null || pageUrl === null ? null : { token, pageUrl };
}

/** The answer of GET /checkout-invoice/confirm/{token}; `byKey` is used when it has no `mode`. */
export function translateInvoicePayment(
  body: unknown,
  asked: { readonly token: string; readonly byKey: port.Environment },
): port.FetchedPayment | null {
  const word = reading.field(body, "status");
  if (!paydunya.isYes(body) || typeof word !== "string") return null;
  const invoice = reading.field(body, "invoice");
  // Some answers, about one invoice alone, omit it.
  const token = reading.field(invoice, "token") ?? asked.token;
  if (typeof token !== "string") return null;
  return {
    providerPaymentId: token,
    status: paymentStatusOf(word),
    word: word.slice(0, 40),
    amount: reading.readAmount(reading.field(invoice, "total_amount")),
    currency: reading.readCurrencyOrFrancs(
      reading.firstField(invoice, ["currency"]) ?? reading.field(body, "currency"),
    ),
    environment: readMode(reading.field(body, "mode"), asked.byKey),
    reference: reading.readReference(reading.field(reading.field(body, "custom_data"), "order_id")),
  };
}

export function translateRefusal(status: number, body: unknown): port.CreateRefusal {
  if (paydunya.saysKeysAreWrong(status, body)) return { kind: "keys" };
  const words = reading.firstField(body, ["response_text", "description", "message"]);
  return { kind: "request", message: reading.readWords(words) };
}

function readMode(mode: unknown, byKey: port.Environment): port.Environment {
  if (mode === "live") return "live";
  return mode === "test" ? "sandbox" : byKey;
}
