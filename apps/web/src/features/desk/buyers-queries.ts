import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, whole } from "../../lib/resources.ts";
import { DESK, LOOK_AGAIN_MS } from "./queries.ts";

export type BuyersView = "open" | "done";

export function refundsQuery(view: BuyersView) {
  return infiniteQueryOptions({
    queryKey: [DESK, "refunds", view],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(await call("GET /api/desk/refunds", { query: { view, cursor } }), "refunds"),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function deskClaimsQuery(view: BuyersView) {
  return infiniteQueryOptions({
    queryKey: [DESK, "claims", view],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(await call("GET /api/desk/claims", { query: { view, cursor } }), "claims"),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function deskClaimQuery(id: string) {
  return queryOptions({
    queryKey: [DESK, "claim", id],
    queryFn: async () =>
      answered((await call("GET /api/desk/claims/:id", { params: { id } })).claim),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function orderQuery(id: string) {
  return queryOptions({
    queryKey: [DESK, "order", id],
    queryFn: async () =>
      answered((await call("GET /api/desk/orders/:id", { params: { id } })).order),
    refetchInterval: LOOK_AGAIN_MS,
  });
}
