import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import type {
  CreateOrderAnswer,
  OrderAnswer,
  PaymentProviderOnWire,
  PaymentProvidersAnswer,
} from "@sesame/contract/checkout";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { call, write } from "../../lib/api.ts";
import { newIdempotencyKey, RequestError } from "../../lib/request.ts";
import { answered, keys } from "../../lib/resources.ts";

/** What is paid for: the seller's plan, or a product by its reference (decision 42). */
export type Subject = { readonly plan: "payant" } | { readonly reference: string };

/** A don, and what is given. */
export type GivenTo = { readonly reference: string; readonly amount: number };

/** The ways to pay for it that are open now: health and prices in other currencies change. */
export function providersQuery(subject: Subject | GivenTo) {
  return queryOptions<PaymentProviderOnWire[]>({
    queryKey: [...keys.orders, "providers", subject],
    queryFn: async () => {
      const said = Object.entries(subject).map(([name, value]) => [name, String(value)]);
      const query = new URLSearchParams(said);
      const answer = await call<Partial<PaymentProvidersAnswer>>(`/api/payment-providers?${query}`);
      return answered(answer.providers);
    },
    refetchInterval: 60_000,
  });
}

export function publicProductQuery(reference: string) {
  return queryOptions<PublicProductOnWire>({
    queryKey: ["public-product", reference],
    queryFn: async () => {
      const path = `/api/public/products/${encodeURIComponent(reference)}`;
      const answer = await call<Partial<PublicProductOnWire>>(path);
      answered(answer.id);
      return answer as PublicProductOnWire;
    },
  });
}

/** A payment being prepared at a provider: it is called while the person waits. */
const CREATE_TIMEOUT_MS = 30_000;

type Chosen = { readonly provider: string; readonly email: string };

/** For a new order, or one more try of an order that is not paid. */
export type Payable = Subject | GivenTo | { readonly order: string };

/**
 * Prepares a payment. The same choice made again after a silence carries the same key, and is the
 * same order. An order that was made without its payment is gone on with, by whatever provider.
 */
export function usePreparePayment(payable: Payable) {
  const intention = useRef({ words: "", key: "" });
  const made = useRef<string | null>(null);
  return useMutation<CreateOrderAnswer, RequestError, Chosen>({
    onError: (error) => {
      made.current = error.orderId ?? made.current;
    },
    mutationFn: async ({ provider, email }) => {
      const customer = email.trim() === "" ? {} : { customer: { email: email.trim() } };
      const order = "order" in payable ? payable.order : made.current;
      const [path, what] =
        order === null
          ? ["/api/orders", payable]
          : [`/api/orders/${encodeURIComponent(order)}/payment`, {}];
      const body = { ...what, provider, ...customer };
      const words = JSON.stringify(body);
      if (intention.current.words !== words) {
        intention.current = { words, key: newIdempotencyKey() };
      }
      const answer = await write<CreateOrderAnswer>(path, {
        method: "POST",
        body,
        key: intention.current.key,
        timeoutMs: CREATE_TIMEOUT_MS,
      });
      intention.current = { words: "", key: "" };
      return answer;
    },
  });
}

/** While nothing is decided: the realtime connection tells, and this asks all the same. */
const FAST_MS = 3_000;
const SLOW_MS = 15_000;
const FAST_ASKS = 60;

/** Follows an order: pushed as it changes, asked again until it is decided (decision 54). */
export function followedOrderQuery(id: string) {
  return queryOptions<OrderAnswer>({
    queryKey: [...keys.orders, id],
    queryFn: async () => {
      const answer = await call<Partial<OrderAnswer>>(`/api/orders/${encodeURIComponent(id)}`);
      answered(answer.status);
      return answer as OrderAnswer;
    },
    staleTime: 0,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => {
      const status = state.data?.status;
      if (isRefusal(state.error) || status === "refunded") return false;
      const decided = status === "paid" && state.data?.access?.status !== "waiting";
      return decided || state.dataUpdateCount > FAST_ASKS ? SLOW_MS : FAST_MS;
    },
  });
}

/** Old links name a payment as its provider does: the server knows whose order it is. */
export function orderNamedQuery(name: string) {
  return queryOptions<string>({
    queryKey: [...keys.orders, "named", name],
    queryFn: async () => {
      if (/^\d{1,18}$/.test(name)) return name;
      const path = `/api/payment/moneroo/verify/${encodeURIComponent(name)}`;
      const answer = await call<{ payment?: { id?: string } }>(path);
      return answered(answer.payment?.id);
    },
  });
}

/** The server said no: asking again changes nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 400 && error.status < 500;
}
