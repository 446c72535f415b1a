import type {
  EraseAnswer,
  PersonalDataAnswer,
  TicketAnswer,
  TicketOnWire,
  TicketsAnswer,
} from "@sesame/contract/support";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import { call, write } from "../../lib/api.ts";
import { newIdempotencyKey, type RequestError } from "../../lib/request.ts";
import { answered, keys } from "../../lib/resources.ts";

/** An answer may come without a push. */
const LOOK_AGAIN_MS = 60_000;

export function ticketsQuery() {
  return infiniteQueryOptions({
    queryKey: [...keys.tickets, "list"],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const cursor = pageParam ? `?cursor=${encodeURIComponent(pageParam)}` : "";
      const answer = await call<Partial<TicketsAnswer>>(`/api/support/tickets${cursor}`);
      answered(answer.tickets);
      return answer as TicketsAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function ticketQuery(id: string) {
  return queryOptions<TicketOnWire>({
    queryKey: [...keys.tickets, "one", id],
    queryFn: async () => answered((await call<Partial<TicketAnswer>>(ticketPath(id))).ticket),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

const ticketPath = (id: string) => `/api/support/tickets/${encodeURIComponent(id)}`;

export type NewTicket = {
  readonly sujet: string;
  readonly message: string;
  readonly commande?: string;
  readonly retrait?: string;
};

/** A double tap, or a retry after a silence, is one request. */
export function useOpenTicket() {
  return useTicketWrite<NewTicket>((body) => ({ path: "/api/support/tickets", body }));
}

export function useReply(id: string) {
  return useTicketWrite<string>((message) => ({
    path: `${ticketPath(id)}/messages`,
    body: { message },
  }));
}

export function useCloseTicket(id: string) {
  return useTicketWrite<void>(() => ({ path: `${ticketPath(id)}/close`, body: {} }));
}

export function useMarkRead(id: string) {
  return useTicketWrite<void>(() => ({ path: `${ticketPath(id)}/read`, body: {} }));
}

function useTicketWrite<B>(act: (body: B) => { path: string; body: object }) {
  const client = useQueryClient();
  const intention = useRef({ words: "", key: "" });
  return useMutation<TicketAnswer, RequestError, B>({
    mutationFn: async (said) => {
      const { path, body } = act(said);
      const words = `${path} ${JSON.stringify(body)}`;
      if (intention.current.words !== words) {
        intention.current = { words, key: newIdempotencyKey() };
      }
      const { key } = intention.current;
      const answer = await write<TicketAnswer>(path, { method: "POST", body, key });
      intention.current = { words: "", key: "" };
      return answer;
    },
    onSuccess: ({ ticket }) => client.setQueryData([...keys.tickets, "one", ticket.id], ticket),
    onSettled: () => client.invalidateQueries({ queryKey: keys.tickets }),
  });
}

export function readPersonalData(): Promise<PersonalDataAnswer> {
  return call<PersonalDataAnswer>("/api/me/export", { timeoutMs: 20_000 });
}

export function useErase() {
  return useMutation<EraseAnswer, RequestError>({
    mutationFn: () =>
      write<EraseAnswer>("/api/me/delete", { method: "POST", body: { confirm: true } }),
  });
}
