import type { AnswerOf } from "@sesame/contract/routes";
import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, keys, whole } from "../../lib/resources.ts";
import { useWrite } from "../../lib/use-write.ts";

/** An answer may come without a push. */
const LOOK_AGAIN_MS = 60_000;

export function ticketsQuery() {
  return infiniteQueryOptions({
    queryKey: [...keys.tickets, "list"],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(await call("GET /api/support/tickets", { query: { cursor } }), "tickets"),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function ticketQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.tickets, "one", id],
    queryFn: async () =>
      answered((await call("GET /api/support/tickets/:id", { params: { id } })).ticket),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export type NewTicket = {
  readonly sujet: string;
  readonly message: string;
  readonly commande?: string;
  readonly retrait?: string;
};

export function useOpenTicket() {
  return useTicketWrite((body: NewTicket, key) => call("POST /api/support/tickets", { body, key }));
}

export function useReply(id: string) {
  return useTicketWrite((message: string, key) =>
    call("POST /api/support/tickets/:id/messages", { params: { id }, body: { message }, key }),
  );
}

export function useCloseTicket(id: string) {
  return useTicketWrite((_: void, key) =>
    call("POST /api/support/tickets/:id/close", { params: { id }, body: {}, key }),
  );
}

export function useMarkRead(id: string) {
  return useTicketWrite((_: void, key) =>
    call("POST /api/support/tickets/:id/read", { params: { id }, body: {}, key }),
  );
}

function useTicketWrite<B>(
  send: (said: B, key: string) => Promise<AnswerOf<"GET /api/support/tickets/:id">>,
) {
  const client = useQueryClient();
  return useWrite(send, {
    onSuccess: ({ ticket }) => client.setQueryData(ticketQuery(ticket.id).queryKey, ticket),
    onSettled: () => client.invalidateQueries({ queryKey: keys.tickets }),
  });
}
