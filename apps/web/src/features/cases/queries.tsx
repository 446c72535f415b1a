import type { ComplaintOnWire, TicketStatusOnWire } from "@sesame/contract/cases";
import type { AnswerOf, CallName } from "@sesame/contract/routes";
import type { HistoryItemOnWire } from "@sesame/contract/reports";
import { useQueryClient } from "@tanstack/react-query";
import { read, readPages } from "../../lib/read.ts";
import { useRefresh } from "../../lib/resources.ts";
import { type Sending, useSend } from "../../lib/use-write.ts";
import { Badge, type BadgeTone } from "../../kit/button.tsx";
import { complaintsCopy } from "./messages.fr.ts";

/** Deadlines pass without an event, and a push may be lost: the lists are read again. */
export const AGAIN_MS = 60_000;
const AGAIN = { refetchInterval: AGAIN_MS } as const;

export const complaintsQuery = readPages("GET /api/complaints");

export function complaintQuery(id: string) {
  return { ...read("GET /api/complaints/:id", { params: { id }, pick: "complaint" }), ...AGAIN };
}

export const ticketsQuery = { ...readPages("GET /api/support/tickets"), ...AGAIN };

export function ticketQuery(id: string) {
  return { ...read("GET /api/support/tickets/:id", { params: { id }, pick: "ticket" }), ...AGAIN };
}

/** The sale from the seller's history, with its fee and net; null when it is not found. */
export function saleQuery(id: string) {
  return {
    ...read("GET /api/transactions", {
      query: { q: id, type: "income", limit: 20 },
      pick: "transactions",
    }),
    select: (items: readonly HistoryItemOnWire[]) => {
      const found = items.find((each) => each.id === id);
      return found?.type === "income" ? found : null;
    },
  };
}

type TicketWrite = Extract<CallName, `POST /api/support/tickets${string}`>;

export function useTicketWrite<C extends TicketWrite>(name: C, given: Sending<C>) {
  const client = useQueryClient();
  return useSend(name, {
    ...given,
    onSuccess: ({ ticket }: AnswerOf<"GET /api/support/tickets/:id">) =>
      client.setQueryData(ticketQuery(ticket.id).queryKey, ticket),
    onSettled: useRefresh("tickets"),
  });
}

type Status = ComplaintOnWire["status"] | TicketStatusOnWire;

const TONES: Readonly<Record<Status, BadgeTone>> = {
  vendeur: "warning",
  operateur: "accent",
  rembourse: "neutral",
  rejete: "neutral",
  resolu: "positive",
  retire: "neutral",
  ouvert: "warning",
  repondu: "positive",
  clos: "neutral",
};

export function CaseBadge({ of }: { of: { status: Status; status_label: string } }) {
  const label = of.status === "vendeur" ? complaintsCopy.toAnswer : of.status_label;
  return <Badge tone={TONES[of.status]}>{label}</Badge>;
}
