import type {
  DeliveriesAnswer,
  DeliveryAnswer,
  DevelopersAnswer,
  EndpointAnswer,
  EndpointSecretAnswer,
  KeyAnswer,
} from "@sesame/contract/developers";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import { call, write } from "../../lib/api.ts";
import { newIdempotencyKey, type RequestError, type RequestOptions } from "../../lib/request.ts";
import { answered } from "../../lib/resources.ts";

const KEY = ["developers"] as const;
/** An attempt may be under way: somebody watches it end. */
const LOOK_AGAIN_MS = 5_000;

export function developersQuery() {
  return queryOptions<DevelopersAnswer>({
    queryKey: [...KEY, "page"],
    queryFn: async () => {
      const answer = await call<Partial<DevelopersAnswer>>("/api/developers");
      answered(answer.keys);
      return answer as DevelopersAnswer;
    },
  });
}

export function deliveriesQuery() {
  return infiniteQueryOptions({
    queryKey: [...KEY, "deliveries"],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const cursor = pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : "";
      const path = `/api/developers/deliveries?limit=20${cursor}`;
      const answer = await call<Partial<DeliveriesAnswer>>(path);
      answered(answer.deliveries);
      return answer as DeliveriesAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function deliveryQuery(id: string) {
  return queryOptions<DeliveryAnswer>({
    queryKey: [...KEY, "delivery", id],
    queryFn: async () => {
      const path = `/api/developers/deliveries/${encodeURIComponent(id)}`;
      const answer = await call<Partial<DeliveryAnswer>>(path);
      answered(answer.delivery);
      return answer as DeliveryAnswer;
    },
    refetchInterval: LOOK_AGAIN_MS,
  });
}

type Act = { readonly method: RequestOptions["method"]; readonly path: string };

/** One change: a double tap, or a retry of the same words, counts once. */
function useAct<Answer, Body = void>(act: Act) {
  const client = useQueryClient();
  const intention = useRef({ words: "", key: "" });
  return useMutation<Answer, RequestError, Body>({
    mutationFn: async (body) => {
      const words = JSON.stringify(body ?? null);
      if (intention.current.key === "" || intention.current.words !== words) {
        intention.current = { words, key: newIdempotencyKey() };
      }
      const { key } = intention.current;
      const path = `/api/developers/${act.path}`;
      const sent = body === undefined ? {} : { body };
      const answer = await write<Answer>(path, { method: act.method, key, ...sent });
      intention.current = { words: "", key: "" };
      return answer;
    },
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}

export type KeyDraft = { readonly name: string; readonly scopes: readonly string[] };
export type EndpointDraft = { readonly url: string; readonly events: readonly string[] };
type Done = { readonly message: string };

export const useCreateKey = () => useAct<KeyAnswer, KeyDraft>({ method: "POST", path: "keys" });
export const useRevokeKey = (id: string) =>
  useAct<Done>({ method: "DELETE", path: `keys/${encodeURIComponent(id)}` });
export const useAddEndpoint = () =>
  useAct<EndpointSecretAnswer, EndpointDraft>({ method: "POST", path: "endpoints" });

const endpoint = (id: string, act = "") => `endpoints/${encodeURIComponent(id)}${act}`;

export const useChangeEndpoint = (id: string) =>
  useAct<EndpointAnswer, Partial<EndpointDraft> & { active?: boolean }>({
    method: "PUT",
    path: endpoint(id),
  });
export const useDeleteEndpoint = (id: string) =>
  useAct<Done>({ method: "DELETE", path: endpoint(id) });
export const useRotateSecret = (id: string) =>
  useAct<EndpointSecretAnswer>({ method: "POST", path: endpoint(id, "/secret") });
export const usePing = (id: string) =>
  useAct<DeliveryAnswer>({ method: "POST", path: endpoint(id, "/ping") });
export const useReplay = (id: string) =>
  useAct<DeliveryAnswer>({
    method: "POST",
    path: `deliveries/${encodeURIComponent(id)}/replay`,
  });
