import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, whole } from "../../lib/resources.ts";
import { DESK, LOOK_AGAIN_MS, useDeskWrite } from "./queries.ts";

export type TicketsView = "open" | "answered" | "closed";

export function deskTicketsQuery(view: TicketsView) {
  return infiniteQueryOptions({
    queryKey: [DESK, "tickets", view],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(await call("GET /api/desk/tickets", { query: { view, cursor } }), "tickets"),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function deskTicketQuery(id: string) {
  return queryOptions({
    queryKey: [DESK, "ticket", id],
    queryFn: async () =>
      answered((await call("GET /api/desk/tickets/:id", { params: { id } })).ticket),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useAnswerTicket(id: string) {
  return useDeskWrite((message: string, key) =>
    call("POST /api/desk/tickets/:id/answer", { params: { id }, body: { message }, key }),
  );
}

export function useCloseTicket(id: string) {
  return useDeskWrite((body: Record<string, never>, key) =>
    call("POST /api/desk/tickets/:id/close", { params: { id }, body, key }),
  );
}
