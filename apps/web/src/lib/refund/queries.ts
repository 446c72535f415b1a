import type { OrderAnswer } from "@sesame/contract/checkout";
import type { RefundAnswer } from "@sesame/contract/refunds";
import type { TransactionOnWire, TransactionsAnswer } from "@sesame/contract/reports";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { call, write } from "../api.ts";
import { newIdempotencyKey, type RequestError } from "../request.ts";
import { answered, keys } from "../resources.ts";

/** A sale of the seller's, with its refund and its claim. */
export function saleOrderQuery(id: string) {
  return queryOptions<OrderAnswer>({
    queryKey: [...keys.orders, id],
    queryFn: async () => {
      const answer = await call<Partial<OrderAnswer>>(`/api/orders/${encodeURIComponent(id)}`);
      answered(answer.status);
      return answer as OrderAnswer;
    },
  });
}

/** The same sale as his history has it: with its split. Null when it is not there. */
export function saleQuery(id: string) {
  return queryOptions<TransactionOnWire | null>({
    queryKey: [...keys.transactions, "sale", id],
    queryFn: async () => {
      const query = new URLSearchParams({ q: id, type: "income", limit: "20" });
      const answer = await call<Partial<TransactionsAnswer>>(`/api/transactions?${query}`);
      const found = answered(answer.transactions).find((each) => each.id === id);
      return found?.type === "income" ? found : null;
    },
  });
}

/** Money that moves once: the same words sent again carry the same key. */
function useMoneyWrite<B>(path: string) {
  const client = useQueryClient();
  const intention = useRef({ words: "", key: "" });
  return useMutation<RefundAnswer, RequestError, B>({
    mutationFn: (body) => {
      const words = JSON.stringify(body);
      if (intention.current.words !== words) {
        intention.current = { words, key: newIdempotencyKey() };
      }
      const { key } = intention.current;
      return write<RefundAnswer>(path, { method: "POST", body, key });
    },
    // Refused too: what was shown when it was refused is old.
    onSettled: () =>
      Promise.all(
        [keys.orders, keys.transactions, keys.claims, keys.user].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export function useRefundSale(orderId: string) {
  return useMoneyWrite<{ motif: string }>(`/api/orders/${encodeURIComponent(orderId)}/refund`);
}

export function useGivenBack(refundId: string) {
  return useMoneyWrite<{ reference: string }>(
    `/api/refunds/${encodeURIComponent(refundId)}/given-back`,
  );
}
