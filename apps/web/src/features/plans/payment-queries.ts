import type { CreateOrderAnswer, OrderAnswer } from "@sesame/contract/checkout";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { call } from "../../lib/api.ts";
import { newIdempotencyKey, RequestError } from "../../lib/request.ts";
import { answered, keys, whole } from "../../lib/resources.ts";

/** What is paid for: the seller's plan, or a product by its reference (decision 42). */
export type Subject = { readonly plan: "payant" } | { readonly reference: string };

/** A don, and what is given. */
export type GivenTo = { readonly reference: string; readonly amount: number };

/** The ways to pay for it that are open now: health and prices in other currencies change. */
export function providersQuery(subject: Subject | GivenTo) {
  return queryOptions({
    queryKey: [...keys.orders, "providers", subject],
    queryFn: async () =>
      answered((await call("GET /api/payment-providers", { query: subject })).providers),
    refetchInterval: 60_000,
  });
}

export function publicProductQuery(reference: string) {
  return queryOptions({
    queryKey: ["public-product", reference],
    queryFn: async () => {
      return whole(
        await call("GET /api/public/products/:reference", { params: { reference } }),
        "id",
      );
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
      const body = { ...(order === null ? payable : {}), provider, ...customer };
      const words = JSON.stringify(body);
      if (intention.current.words !== words) {
        intention.current = { words, key: newIdempotencyKey() };
      }
      const sent = { body, key: intention.current.key, timeoutMs: CREATE_TIMEOUT_MS };
      const answer = await (order === null
        ? call("POST /api/orders", sent)
        : call("POST /api/orders/:id/payment", { params: { id: order }, ...sent }));
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
      return whole(await call("GET /api/orders/:id", { params: { id } }), "status");
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
  return queryOptions({
    queryKey: [...keys.orders, "named", name],
    queryFn: async () => {
      if (/^\d{1,18}$/.test(name)) return name;
      const params = { paymentId: name };
      const answer = await call("GET /api/payment/moneroo/verify/:paymentId", { params });
      return answered(answer.payment?.id);
    },
  });
}

/** The server said no: asking again changes nothing. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 400 && error.status < 500;
}
