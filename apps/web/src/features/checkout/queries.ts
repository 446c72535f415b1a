import type {
  CreateOrderAnswer,
  OrderBySecretAnswer,
  OrderAnswer,
} from "@sesame/contract/checkout";
import type { ReportProductAnswer } from "@sesame/contract/desk";
import { request } from "../../lib/request.ts";

export type OrderRequest = {
  readonly reference: string;
  readonly provider: string;
  readonly token: string;
  /** The same key for the same intention: a repeated tap makes one order. */
  readonly key: string;
};

const CREATE_TIMEOUT_MS = 30_000;

export function createOrder(order: OrderRequest): Promise<CreateOrderAnswer> {
  return request<CreateOrderAnswer>("/api/orders", {
    method: "POST",
    token: order.token,
    headers: { "idempotency-key": order.key },
    body: { reference: order.reference, provider: order.provider },
    timeoutMs: CREATE_TIMEOUT_MS,
  });
}

export function readOrder(id: string, token: string): Promise<OrderAnswer> {
  return request<OrderAnswer>(`/api/orders/${encodeURIComponent(id)}`, { token });
}

export function readOrderBySecret(secret: string): Promise<OrderBySecretAnswer> {
  return request<OrderBySecretAnswer>(`/api/orders/by-secret/${encodeURIComponent(secret)}`);
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

/** Reads the product as its buyer: the seller sees one view per buyer and day. */
export async function noteView(reference: string, token: string): Promise<void> {
  await request(`/api/public/products/${encodeURIComponent(reference)}`, { token });
}
