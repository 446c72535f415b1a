import { ok, refuse, type Result } from "@sesame/kernel";
import { isExplicitNo, nonsense } from "../http-client.ts";
import type {
  CreatedPayment,
  CreateRefusal,
  FetchedPayment,
  PaymentProvider,
  PaymentRequest,
} from "../port.ts";
import {
  createMonerooClient,
  type MonerooClient,
  type MonerooOptions,
  isSignature,
  isSigned,
} from "./client.ts";
import {
  translateCreated,
  translateNotice,
  translatePayment,
  translateRefusal,
} from "./translate.ts";

export { createMonerooPayouts } from "./payouts.ts";

/** Their own client waits 30 s; a person on a phone does not. */
const TIMEOUT_MS = 10_000;

/** Moneroo behind the port, for one set of keys. */
export function createMoneroo(options: MonerooOptions): PaymentProvider {
  const client = createMonerooClient({ timeoutMs: TIMEOUT_MS, ...options });
  return {
    id: "moneroo",
    createPayment: (request) => createPayment(client, request),
    fetchPayment: ({ providerPaymentId }) => fetchPayment(client, providerPaymentId),
    mayBeTrusted: (headers) => isSignature(headers["x-moneroo-signature"]),
    readNotice(headers, rawBody) {
      if (!isSigned(rawBody, headers["x-moneroo-signature"], options.webhookSecret)) {
        return { trusted: false };
      }
      return { trusted: true, providerPaymentId: translateNotice(rawBody) };
    },
    verifyKeys: () => verifyKeys(client),
    // No call of theirs gives money back (reference §4.10).
    refund: null,
  };
}

async function createPayment(
  client: MonerooClient,
  request: PaymentRequest,
): Promise<Result<CreatedPayment, CreateRefusal>> {
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
    // String values only (reference §4.2).
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

async function fetchPayment(
  client: MonerooClient,
  providerPaymentId: string,
): Promise<FetchedPayment | null> {
  const answer = await client.verify(providerPaymentId);
  if (answer.status === 404) return null;
  const payment = answer.status === 200 ? translatePayment(answer.body) : null;
  if (!payment) throw nonsense("moneroo", "verify", answer);
  return payment;
}

/** Of no payment: theirs begin by `py_` or have twelve characters. */
const NO_PAYMENT = "sesame-verifies-its-keys";

async function verifyKeys(client: MonerooClient): Promise<"accepted" | "refused"> {
  const answer = await client.verify(NO_PAYMENT);
  if (answer.status === 401 || answer.status === 403) return "refused";
  if (answer.status === 404 || answer.status === 200) return "accepted";
  throw nonsense("moneroo", "verify", answer);
}
