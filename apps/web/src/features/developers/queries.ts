import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { whole } from "../../lib/resources.ts";
import { useWrite } from "../../lib/use-write.ts";

const KEY = ["developers"] as const;
/** An attempt may be under way: somebody watches it end. */
const LOOK_AGAIN_MS = 5_000;

export function developersQuery() {
  return queryOptions({
    queryKey: [...KEY, "page"],
    queryFn: async () => {
      return whole(await call("GET /api/developers"), "keys");
    },
  });
}

export function deliveriesQuery() {
  return infiniteQueryOptions({
    queryKey: [...KEY, "deliveries"],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) => {
      return whole(
        await call("GET /api/developers/deliveries", { query: { limit: 20, cursor } }),
        "deliveries",
      );
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function deliveryQuery(id: string) {
  return queryOptions({
    queryKey: [...KEY, "delivery", id],
    queryFn: async () => {
      return whole(
        await call("GET /api/developers/deliveries/:id", { params: { id } }),
        "delivery",
      );
    },
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** One change: a double tap, or a retry of the same words, counts once; `null` is no words. */
function useAct<B, A>(send: (said: B, key: string) => Promise<A>) {
  const client = useQueryClient();
  return useWrite(send, { onSettled: () => client.invalidateQueries({ queryKey: KEY }) });
}

type KeyDraft = { readonly name: string; readonly scopes: readonly string[] };
type EndpointDraft = { readonly url: string; readonly events: readonly string[] };

export const useCreateKey = () =>
  useAct((body: KeyDraft, key) => call("POST /api/developers/keys", { body, key }));
export const useRevokeKey = (id: string) =>
  useAct((_: null, key) => call("DELETE /api/developers/keys/:id", { params: { id }, key }));
export const useAddEndpoint = () =>
  useAct((body: EndpointDraft, key) => call("POST /api/developers/endpoints", { body, key }));
export const useChangeEndpoint = (id: string) =>
  useAct((body: Partial<EndpointDraft> & { active?: boolean }, key) =>
    call("PUT /api/developers/endpoints/:id", { params: { id }, body, key }),
  );
export const useDeleteEndpoint = (id: string) =>
  useAct((_: null, key) => call("DELETE /api/developers/endpoints/:id", { params: { id }, key }));
export const useRotateSecret = (id: string) =>
  useAct((_: null, key) =>
    call("POST /api/developers/endpoints/:id/secret", { params: { id }, key }),
  );
export const usePing = (id: string) =>
  useAct((_: null, key) =>
    call("POST /api/developers/endpoints/:id/ping", { params: { id }, key }),
  );
export const useReplay = (id: string) =>
  useAct((_: null, key) =>
    call("POST /api/developers/deliveries/:id/replay", { params: { id }, key }),
  );
