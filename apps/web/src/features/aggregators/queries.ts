import type {
  AggregatorOnWire,
  AggregatorsAnswer,
  TrialAnswer,
  UserAggregatorAnswer,
  UserAggregatorOnWire,
  UserAggregatorsAnswer,
} from "@sesame/contract/aggregators";
import type { PaymentProvidersAnswer } from "@sesame/contract/checkout";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call, write } from "../../lib/api.ts";
import type { RequestError } from "../../lib/request.ts";
import { answered, keys } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";

/** What each provider is, and the keys it asks for. */
export function aggregatorsQuery() {
  return queryOptions<AggregatorOnWire[]>({
    queryKey: [...keys.aggregators, "all"],
    queryFn: async () =>
      answered((await call<Partial<AggregatorsAnswer>>("/api/payment-aggregators")).aggregators),
  });
}

/** The seller's own switches, and what he may recognise his keys by. */
function ownQuery(userId: string) {
  return queryOptions<UserAggregatorOnWire[]>({
    queryKey: [...keys.aggregators, "own"],
    queryFn: async () => {
      const path = `/api/user-aggregators/${userId}`;
      return answered((await call<Partial<UserAggregatorsAnswer>>(path)).aggregators);
    },
  });
}

export function useOwnAggregators() {
  const id = useUserId();
  return useQuery({ ...ownQuery(id), enabled: id !== "" });
}

/** Providers that answer badly now. */
export function disturbedQuery() {
  return queryOptions<readonly string[]>({
    queryKey: [...keys.aggregators, "disturbed"],
    queryFn: async () => {
      const answer = await call<Partial<PaymentProvidersAnswer>>("/api/payment-providers");
      return answered(answer.providers).flatMap(({ id, disturbed }) => (disturbed ? [id] : []));
    },
    refetchInterval: 60_000,
  });
}

/** Keys are checked by a call to the provider while the seller waits. */
const VERIFY_TIMEOUT_MS = 30_000;

export type Change = { readonly isActive: boolean } | { readonly keys: Record<string, string> };

export function useChangeAggregator(key: string) {
  const change = useAggregatorWrite();
  return useMutation<UserAggregatorAnswer, RequestError, Change>({
    mutationFn: (body) => change({ key, method: "PUT", body }),
  });
}

export function useRemoveKeys(key: string) {
  const change = useAggregatorWrite();
  return useMutation<UserAggregatorAnswer, RequestError, void>({
    mutationFn: () => change({ key, method: "DELETE", body: {} }),
  });
}

/** The answer takes its place in the list; the user's products may open or close by it. */
function useAggregatorWrite() {
  const userId = useUserId();
  const client = useQueryClient();
  return async (act: { key: string; method: "PUT" | "DELETE"; body: object }) => {
    const path = `/api/user-aggregators/${userId}/${act.key}`;
    const { method, body } = act;
    const answer = await write<UserAggregatorAnswer>(path, {
      method,
      body,
      timeoutMs: VERIFY_TIMEOUT_MS,
    });
    client.setQueryData<UserAggregatorOnWire[]>([...keys.aggregators, "own"], (list) =>
      list?.map((each) => (each.key === answer.aggregator.key ? answer.aggregator : each)),
    );
    await client.invalidateQueries({ queryKey: keys.products });
    return answer;
  };
}

/** 100 francs to oneself by one's own keys (decision 95). */
export function useTrial(key: string) {
  const userId = useUserId();
  return useMutation<TrialAnswer, RequestError, void>({
    mutationFn: () =>
      write<TrialAnswer>(`/api/user-aggregators/${userId}/${key}/trial`, {
        method: "POST",
        body: {},
        timeoutMs: VERIFY_TIMEOUT_MS,
      }),
  });
}

/** Old links write "monero", or a provider's name (decision 48); null: none of ours. */
export function namedIn(search: string): string | null {
  const named = new URLSearchParams(search).get("nom")?.trim().toLowerCase() ?? "";
  const key = named.replaceAll(/[\s-]/g, "");
  return key === "" ? null : key === "monero" ? "moneroo" : key;
}
