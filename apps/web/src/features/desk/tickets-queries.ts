import type {
  DeskTicketAnswer,
  DeskTicketOnWire,
  DeskTicketsAnswer,
} from "@sesame/contract/support";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered } from "../../lib/resources.ts";
import { DESK, inQuery, useDeskWrite } from "./queries.ts";

export type TicketsView = "open" | "answered" | "closed";

const LOOK_AGAIN_MS = 30_000;

export function deskTicketsQuery(view: TicketsView) {
  return infiniteQueryOptions({
    queryKey: [DESK, "tickets", view],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const answer = await call<Partial<DeskTicketsAnswer>>(
        `/api/desk/tickets?${inQuery({ view, cursor: pageParam })}`,
      );
      answered(answer.tickets);
      return answer as DeskTicketsAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

const pathOf = (id: string) => `/api/desk/tickets/${encodeURIComponent(id)}`;

export function deskTicketQuery(id: string) {
  return queryOptions<DeskTicketOnWire>({
    queryKey: [DESK, "ticket", id],
    queryFn: async () => answered((await call<Partial<DeskTicketAnswer>>(pathOf(id))).ticket),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useAnswerTicket(id: string) {
  return useDeskWrite<{ message: string }, DeskTicketAnswer>((body) => ({
    path: `${pathOf(id)}/answer`,
    method: "POST",
    body,
  }));
}

export function useCloseTicket(id: string) {
  return useDeskWrite<Record<string, never>, DeskTicketAnswer>((body) => ({
    path: `${pathOf(id)}/close`,
    method: "POST",
    body,
  }));
}
