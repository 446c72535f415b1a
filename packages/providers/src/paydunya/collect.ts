import { ok, Outage, refuse, type Result } from "@sesame/kernel";
import { type HttpAnswer, isExplicitNo, nonsense } from "../http-client.ts";
import type {
  CreatedPayment,
  CreateRefusal,
  Environment,
  FetchedPayment,
  PaymentProvider,
  PaymentRequest,
} from "../port.ts";
import { createPaydunyaClient, type PaydunyaClient, type PaydunyaOptions } from "./client.ts";
import { translateInvoicePayment, translateMade, translateRefusal } from "./collect-translate.ts";
import { readPaymentNotice, withoutHash } from "./notice.ts";
import { environmentOfKey, isNo } from "./translate.ts";

/** A person on a phone waits for it. */
const TIMEOUT_MS = 10_000;

/** Shown above the invoice on their page. */
const STORE = "Sésame";

type Door = { readonly client: PaydunyaClient; readonly byKey: Environment };

/** PayDunya's invoices behind the port. Ours comes back in `custom_data`. */
export function createPaydunya(options: PaydunyaOptions): PaymentProvider {
  const client = createPaydunyaClient({ timeoutMs: TIMEOUT_MS, ...options });
  const door: Door = { client, byKey: environmentOfKey(options.privateKey) };
  return {
    id: "paydunya",
    createPayment: (request) => createPayment(client, request),
    fetchPayment: ({ providerPaymentId }) => fetchPayment(door, providerPaymentId),
    // The proof is in the body.
    mayBeTrusted: () => true,
    withoutProof: (rawBody) => withoutHash(rawBody, options.masterKey),
    readNotice: (_headers, rawBody) => readPaymentNotice(rawBody, options.masterKey),
    verifyKeys: () => verifyKeys(client),
    // No call of theirs gives money back (reference §7.5).
    refund: null,
  };
}

async function createPayment(
  client: PaydunyaClient,
  request: PaymentRequest,
): Promise<Result<CreatedPayment, CreateRefusal>> {
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
      callback_url: request.noticeUrl,
      return_url: request.returnUrl,
      cancel_url: request.returnUrl,
    },
  });
  if (saidNo(answer)) return refuse(translateRefusal(answer.status, answer.body));
  const made = answer.status < 300 ? translateMade(answer.body) : null;
  if (!made) throw nonsense("paydunya", "checkout-invoice/create", answer);
  return ok({
    providerPaymentId: made.token,
    redirectUrl: made.pageUrl,
    widget: null,
    quote: null,
  });
}

async function fetchPayment(
  { client, byKey }: Door,
  token: string,
): Promise<FetchedPayment | null> {
  const answer = await client.confirmInvoice(token);
  if (saidNo(answer)) {
    // Keys that are refused say nothing of the payment.
    if (translateRefusal(answer.status, answer.body).kind === "keys") {
      throw new Outage("paydunya refuses the keys", { party: "paydunya", retryable: true });
    }
    return null;
  }
  const payment =
    answer.status < 300 ? translateInvoicePayment(answer.body, { token, byKey }) : null;
  if (!payment) throw nonsense("paydunya", "checkout-invoice/confirm", answer);
  return payment;
}

/** Of no invoice: theirs have ten characters and more, none a word. */
const NO_INVOICE = "sesame-verifies-its-keys";

/** A no to the invoice is a yes to the keys. */
async function verifyKeys(client: PaydunyaClient): Promise<"accepted" | "refused"> {
  const answer = await client.confirmInvoice(NO_INVOICE);
  if (!saidNo(answer) && answer.status >= 300) {
    throw nonsense("paydunya", "checkout-invoice/confirm", answer);
  }
  const keys = saidNo(answer) && translateRefusal(answer.status, answer.body).kind === "keys";
  return keys ? "refused" : "accepted";
}

function saidNo({ status, body }: HttpAnswer): boolean {
  return isExplicitNo(status) || (status < 300 && isNo(body));
}
