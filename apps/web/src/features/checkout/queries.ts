import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import type { ClaimAnswer } from "@sesame/contract/claims";
import type {
  CreateOrderAnswer,
  OrderAnswer,
  OrderBySecretAnswer,
  PaymentProviderOnWire,
  PaymentProvidersAnswer,
} from "@sesame/contract/checkout";
import type { ReportProductAnswer } from "@sesame/contract/desk";
import type { RefundAnswer } from "@sesame/contract/refunds";
import { request } from "../../lib/request.ts";

/** How somebody pays; empty texts were not given. */
export type PaymentChoice = {
  readonly provider: string;
  readonly email: string;
  readonly phone: string;
};

export type OrderRequest = PaymentChoice & {
  readonly reference: string;
  /** Of a donation; the price of all else is the server's. */
  readonly gift: number | null;
  readonly token: string;
  /** The same key for the same intention: a repeated tap makes one order. */
  readonly key: string;
};

const CREATE_TIMEOUT_MS = 30_000;
/** The list of the page stands in after that. */
const OFFERS_TIMEOUT_MS = 3_000;

export function readPublicProduct(reference: string): Promise<PublicProductOnWire> {
  return request<PublicProductOnWire>(`/api/public/products/${encodeURIComponent(reference)}`);
}

export function createOrder(order: OrderRequest): Promise<CreateOrderAnswer> {
  return request<CreateOrderAnswer>("/api/orders", {
    method: "POST",
    token: order.token,
    headers: { "idempotency-key": order.key },
    body: {
      reference: order.reference,
      ...(order.gift === null ? {} : { amount: order.gift }),
      ...chosen(order),
    },
    timeoutMs: CREATE_TIMEOUT_MS,
  });
}

/** Another try, or another way, on an order that is not paid. */
export function openPayment(
  orderId: string,
  choice: PaymentChoice,
  sent: { token: string; key: string },
): Promise<CreateOrderAnswer> {
  return request<CreateOrderAnswer>(`/api/orders/${encodeURIComponent(orderId)}/payment`, {
    method: "POST",
    token: sent.token,
    headers: { "idempotency-key": sent.key },
    body: chosen(choice),
    timeoutMs: CREATE_TIMEOUT_MS,
  });
}

function chosen({ provider, email, phone }: PaymentChoice) {
  const customer = { ...(email ? { email } : {}), ...(phone ? { phone } : {}) };
  return { provider, ...(email || phone ? { customer } : {}) };
}

/** The ways open now for a product, or for the plan; as each provider has answered of late. */
export async function readOffers(
  reference: string | null,
  /** Of a donation. */
  gift: number | null = null,
): Promise<readonly PaymentProviderOnWire[]> {
  const product = `reference=${encodeURIComponent(reference ?? "")}`;
  const of = reference === null ? "plan=payant" : product + (gift ? `&amount=${gift}` : "");
  const answer = await request<PaymentProvidersAnswer>(`/api/payment-providers?${of}`, {
    timeoutMs: OFFERS_TIMEOUT_MS,
  });
  if (!Array.isArray(answer.providers)) throw new NotAnswered();
  return answer.providers;
}

/** A network that answers for the server, a login page of a hotspot: never the server's word. */
class NotAnswered extends Error {
  override name = "NotAnswered";
}

function real<T extends { readonly id: string }>(answer: T): T {
  if (typeof answer.id !== "string") throw new NotAnswered();
  return answer;
}

export async function readOrder(id: string, token: string): Promise<OrderAnswer> {
  return real(await request<OrderAnswer>(`/api/orders/${encodeURIComponent(id)}`, { token }));
}

/** By our number or the provider's name for a payment (decision 57). */
export async function findOrder(paymentId: string, token: string): Promise<OrderAnswer> {
  const asked = { method: "POST", token, body: { paymentId } } as const;
  return real(await request<OrderAnswer>("/api/transactions", asked));
}

export async function readOrderBySecret(secret: string): Promise<OrderBySecretAnswer> {
  const path = `/api/orders/by-secret/${encodeURIComponent(secret)}`;
  return real(await request<OrderBySecretAnswer>(path));
}

/** A name of theirs that came with the address: a rumour, which the server asks about. */
export async function tellHeard(secret: string, transactionId: string): Promise<void> {
  await request(`/api/payments/${encodeURIComponent(secret)}/heard`, {
    method: "POST",
    body: { transaction_id: transactionId },
  });
}

/** Tells the platform about a product, once for each. → its answer */
export async function reportProduct(
  report: { reference: string; motif: string; message: string },
  token: string,
): Promise<string> {
  const answer = await request<ReportProductAnswer>("/api/reports", {
    method: "POST",
    token,
    body: report,
  });
  return answer.message;
}

export async function openClaim(
  orderId: string,
  claim: { motif: string; message: string },
  token: string,
): Promise<string> {
  const path = `/api/orders/${encodeURIComponent(orderId)}/claim`;
  return (await request<ClaimAnswer>(path, { method: "POST", token, body: claim })).message;
}

export async function answerClaim(id: string, message: string, token: string): Promise<string> {
  const path = `/api/claims/${encodeURIComponent(id)}/answer`;
  return (await request<ClaimAnswer>(path, { method: "POST", token, body: { message } })).message;
}

export async function withdrawClaim(id: string, token: string): Promise<string> {
  const path = `/api/claims/${encodeURIComponent(id)}/withdraw`;
  return (await request<ClaimAnswer>(path, { method: "POST", token, body: {} })).message;
}

/** Where an agent sends a refund that no provider can give back. */
export async function sendRefundNumber(
  orderId: string,
  place: { methode: string; numero: string },
  token: string,
): Promise<string> {
  const path = `/api/orders/${encodeURIComponent(orderId)}/refund-number`;
  return (await request<RefundAnswer>(path, { method: "POST", token, body: place })).message;
}

/** Reads the product as its buyer: the seller sees one view per buyer and day. */
export async function noteView(reference: string, token: string): Promise<void> {
  await request(`/api/public/products/${encodeURIComponent(reference)}`, { token });
}
