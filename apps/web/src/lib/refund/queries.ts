import type { AnswerOf } from "@sesame/contract/routes";
import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "../api.ts";
import { answered, keys, whole } from "../resources.ts";
import { useWrite } from "../use-write.ts";

/** A sale of the seller's, with its refund and its claim. */
export function saleOrderQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.orders, id],
    queryFn: async () => whole(await call("GET /api/orders/:id", { params: { id } }), "status"),
  });
}

/** The same sale as his history has it: with its split. Null when it is not there. */
export function saleQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.transactions, "sale", id],
    queryFn: async () => {
      const query = { q: id, type: "income", limit: 20 };
      const answer = await call("GET /api/transactions", { query });
      const found = answered(answer.transactions).find((each) => each.id === id);
      return found?.type === "income" ? found : null;
    },
  });
}

/** Money that moves once. */
function useMoneyWrite<B>(
  send: (body: B, key: string) => Promise<AnswerOf<"POST /api/orders/:id/refund">>,
) {
  const client = useQueryClient();
  return useWrite(send, {
    // Refused too: what was shown when it was refused is old.
    onSettled: () =>
      Promise.all(
        [keys.orders, keys.transactions, keys.claims, keys.user].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export function useRefundSale(id: string) {
  return useMoneyWrite((body: { motif: string }, key) =>
    call("POST /api/orders/:id/refund", { params: { id }, body, key }),
  );
}

export function useGivenBack(id: string) {
  return useMoneyWrite((body: { reference: string }, key) =>
    call("POST /api/refunds/:id/given-back", { params: { id }, body, key }),
  );
}
