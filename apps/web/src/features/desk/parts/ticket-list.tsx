import type { DeskTicketLineOnWire } from "@sesame/contract/support";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { readPages } from "../../../lib/read.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Cell, Section } from "../../../ui/section.tsx";
import { ticketsCopy as copy } from "../people-messages.fr.ts";
import { LOOK_AGAIN_MS } from "../use-desk.ts";
import { PagedList } from "./paged-list.tsx";
import styles from "./ticket.module.css";

const NONE = {
  open: [copy.none, copy.noneText],
  answered: [copy.noneAnswered, ""],
  closed: [copy.noneClosed, ""],
} as const;

export const TICKET_TONES: Readonly<Record<DeskTicketLineOnWire["status"], BadgeTone>> = {
  ouvert: "warning",
  repondu: "positive",
  clos: "neutral",
};

export type TicketsView = keyof typeof NONE;

export function TicketList({ view }: { view: TicketsView }) {
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/tickets", { query: { view } }),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  const tickets = pages.data?.pages.flatMap((page) => page.tickets) ?? [];
  const [title, text] = NONE[view];
  return (
    <PagedList
      pages={pages}
      items={tickets}
      empty={<EmptyState drawing="phone" title={title} text={text} />}
    >
      <Section>
        <ul>
          {tickets.map((ticket) => (
            <li key={ticket.id}>
              <TicketCell ticket={ticket} />
            </li>
          ))}
        </ul>
      </Section>
    </PagedList>
  );
}

function TicketCell({ ticket }: { ticket: DeskTicketLineOnWire }) {
  const { seller, priority } = ticket;
  return (
    <Cell
      href={`/bureau/assistance/${ticket.id}`}
      before={<Avatar name={seller.nom} />}
      title={seller.nom}
      subtitle={
        <>
          <span className={styles.line}>{ticket.kind_label}</span>
          <span className={styles.preview}>{ticket.preview ?? copy.erased}</span>
          <span className={styles.marks}>
            {priority ? <Badge tone="accent">{copy.priority}</Badge> : null}
            {sayShortInstant(ticket.waiting_since ?? ticket.changed_at)}
          </span>
        </>
      }
      chevron
    />
  );
}
