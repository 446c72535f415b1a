import type { ClaimOnWire, DeskClaimAnswer, DeskClaimsAnswer } from "@sesame/contract/claims";
import type { DeskOrderAnswer, DeskOrderOnWire, DeskRefundsAnswer } from "@sesame/contract/refunds";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered } from "../../lib/resources.ts";
import { DESK, inQuery } from "./queries.ts";

export type BuyersView = "open" | "done";

/** Deadlines pass and takings end without anybody's act. */
const LOOK_AGAIN_MS = 30_000;

export function refundsQuery(view: BuyersView) {
  return infiniteQueryOptions({
    queryKey: [DESK, "refunds", view],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const answer = await call<Partial<DeskRefundsAnswer>>(
        `/api/desk/refunds?${inQuery({ view, cursor: pageParam })}`,
      );
      answered(answer.refunds);
      return answer as DeskRefundsAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function deskClaimsQuery(view: BuyersView) {
  return infiniteQueryOptions({
    queryKey: [DESK, "claims", view],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const answer = await call<Partial<DeskClaimsAnswer>>(
        `/api/desk/claims?${inQuery({ view, cursor: pageParam })}`,
      );
      answered(answer.claims);
      return answer as DeskClaimsAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function deskClaimQuery(id: string) {
  return queryOptions<ClaimOnWire>({
    queryKey: [DESK, "claim", id],
    queryFn: async () => {
      const path = `/api/desk/claims/${encodeURIComponent(id)}`;
      return answered((await call<Partial<DeskClaimAnswer>>(path)).claim);
    },
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function orderQuery(id: string) {
  return queryOptions<DeskOrderOnWire>({
    queryKey: [DESK, "order", id],
    queryFn: async () => {
      const path = `/api/desk/orders/${encodeURIComponent(id)}`;
      return answered((await call<Partial<DeskOrderAnswer>>(path)).order);
    },
    refetchInterval: LOOK_AGAIN_MS,
  });
}
