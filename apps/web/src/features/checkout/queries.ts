import { ask } from "../../lib/request.ts";

/** How somebody pays; empty texts were not given. */
export type PaymentChoice = {
  readonly provider: string;
  readonly email: string;
  readonly phone: string;
};

/** The list of the page stands in after that. */
const OFFERS_TIMEOUT_MS = 3_000;

/** What is said of it to the server. */
export function chosen({ provider, email, phone }: PaymentChoice) {
  const customer = { ...(email ? { email } : {}), ...(phone ? { phone } : {}) };
  return { provider, ...(email || phone ? { customer } : {}) };
}

/** The ways open now for a product, or for the plan; as each provider has answered of late. */
export async function readOffers(
  reference: string | null,
  /** Of a donation. */
  gift: number | null = null,
) {
  const { providers } = await ask("GET /api/payment-providers", {
    query: reference === null ? { plan: "payant" } : { reference, amount: gift || "" },
    timeoutMs: OFFERS_TIMEOUT_MS,
  });
  if (!Array.isArray(providers)) throw new Error();
  return providers;
}

/** A network may answer for the server, a login page of a hotspot: never the server's word. */
export function real<T extends { readonly id: string }>(answer: Partial<T>): T {
  if (typeof answer.id !== "string") throw new Error();
  return answer as T;
}
