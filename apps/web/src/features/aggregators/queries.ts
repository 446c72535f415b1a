import type { UserAggregatorOnWire } from "@sesame/contract/aggregators";
import type { AnswerOf } from "@sesame/contract/routes";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import type { RequestError } from "../../lib/request.ts";
import { answered, keys } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";

/** What each provider is, and the keys it asks for. */
export function aggregatorsQuery() {
  return queryOptions({
    queryKey: [...keys.aggregators, "all"],
    queryFn: async () => answered((await call("GET /api/payment-aggregators")).aggregators),
  });
}

/** The seller's own switches, and what he may recognise his keys by. */
function ownQuery(userId: string) {
  return queryOptions({
    queryKey: [...keys.aggregators, "own"],
    queryFn: async () =>
      answered(
        (await call("GET /api/user-aggregators/:userId", { params: { userId } })).aggregators,
      ),
  });
}

export function useOwnAggregators() {
  const id = useUserId();
  return useQuery({ ...ownQuery(id), enabled: id !== "" });
}

/** Providers that answer badly now. */
export function disturbedQuery() {
  return queryOptions({
    queryKey: [...keys.aggregators, "disturbed"],
    queryFn: async () => {
      const answer = await call("GET /api/payment-providers");
      return answered(answer.providers).flatMap(({ id, disturbed }) => (disturbed ? [id] : []));
    },
    refetchInterval: 60_000,
  });
}

/** Keys are checked by a call to the provider while the seller waits. */
const VERIFIED = { timeoutMs: 30_000 };

export type Change = { readonly isActive: boolean } | { readonly keys: Record<string, string> };

export function useChangeAggregator(key: string) {
  return useAggregatorWrite((userId, body: Change) =>
    call("PUT /api/user-aggregators/:userId/:key", { params: { userId, key }, body, ...VERIFIED }),
  );
}

export function useRemoveKeys(key: string) {
  return useAggregatorWrite<void>((userId) =>
    call("DELETE /api/user-aggregators/:userId/:key", {
      params: { userId, key },
      body: {},
      ...VERIFIED,
    }),
  );
}

type Changed = { readonly aggregator: UserAggregatorOnWire };

/** The answer takes its place in the list; the user's products may open or close by it. */
function useAggregatorWrite<B>(send: (userId: string, body: B) => Promise<Changed>) {
  const userId = useUserId();
  const client = useQueryClient();
  return useMutation<Changed, RequestError, B>({
    mutationFn: (body) => send(userId, body),
    onSuccess: ({ aggregator }) => {
      client.setQueryData(ownQuery(userId).queryKey, (list) =>
        list?.map((each) => (each.key === aggregator.key ? aggregator : each)),
      );
      return client.invalidateQueries({ queryKey: keys.products });
    },
  });
}

/** 100 francs to oneself by one's own keys (decision 95). */
export function useTrial(key: string) {
  const userId = useUserId();
  return useMutation<AnswerOf<"POST /api/user-aggregators/:userId/:key/trial">, RequestError, void>(
    {
      mutationFn: () =>
        call("POST /api/user-aggregators/:userId/:key/trial", {
          params: { userId, key },
          body: {},
          ...VERIFIED,
        }),
    },
  );
}

/** Old links write "monero", or a provider's name (decision 48); null: none of ours. */
export function namedIn(search: string): string | null {
  const named = new URLSearchParams(search).get("nom")?.trim().toLowerCase() ?? "";
  const key = named.replaceAll(/[\s-]/g, "");
  return key === "" ? null : key === "monero" ? "moneroo" : key;
}
