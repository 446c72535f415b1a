import type { ClaimOnWire, DeskTicketLineOnWire } from "@sesame/contract/cases";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { readPages } from "../../../lib/read.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../kit/avatar.tsx";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import type { DrawingName } from "../../../kit/drawings.tsx";
import { EmptyState } from "../../../kit/empty-state.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { buyersCopy, ticketsCopy } from "../people-messages.fr.ts";
import { LOOK_AGAIN_MS } from "../use-desk.ts";
import styles from "./case-lists.module.css";
import { PagedList, type Pages } from "./paged-list.tsx";

type Status = ClaimOnWire["status"] | DeskTicketLineOnWire["status"];

const TONES: Readonly<Record<Status, BadgeTone>> = {
  vendeur: "accent",
  operateur: "warning",
  rembourse: "neutral",
  rejete: "neutral",
  resolu: "positive",
  retire: "neutral",
  ouvert: "warning",
  repondu: "positive",
  clos: "neutral",
};

export function CaseBadge({ of }: { of: { status: Status; status_label: string } }) {
  return <Badge tone={TONES[of.status]}>{of.status_label}</Badge>;
}

export type BuyersView = "open" | "done";

export function ClaimList({ view }: { view: BuyersView }) {
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/claims", { query: { view } }),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <CaseList
      pages={pages}
      items={pages.data?.pages.flatMap((page) => page.claims) ?? []}
      cell={(claim) => <ClaimCell claim={claim} />}
      drawing="receipt"
      none={
        view === "open" ? [buyersCopy.noClaim, buyersCopy.noClaimText] : [buyersCopy.noClaimDone]
      }
    />
  );
}

const NO_TICKET = {
  open: [ticketsCopy.none, ticketsCopy.noneText],
  answered: [ticketsCopy.noneAnswered],
  closed: [ticketsCopy.noneClosed],
} as const;

export type TicketsView = keyof typeof NO_TICKET;

export function TicketList({ view }: { view: TicketsView }) {
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/tickets", { query: { view } }),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <CaseList
      pages={pages}
      items={pages.data?.pages.flatMap((page) => page.tickets) ?? []}
      cell={(ticket) => <TicketCell ticket={ticket} />}
      drawing="phone"
      none={NO_TICKET[view]}
    />
  );
}

function CaseList<T extends { readonly id: string }>(props: {
  pages: Pages;
  items: readonly T[];
  cell(item: T): ReactNode;
  drawing: DrawingName;
  none: readonly [title: string, text?: string];
}) {
  const { pages, items, drawing } = props;
  const [title, text = ""] = props.none;
  return (
    <PagedList
      pages={pages}
      items={items}
      empty={<EmptyState drawing={drawing} title={title} text={text} />}
    >
      <Section>
        <ul>
          {items.map((item) => (
            <li key={item.id}>{props.cell(item)}</li>
          ))}
        </ul>
      </Section>
    </PagedList>
  );
}

export function ClaimCell({ claim }: { claim: ClaimOnWire }) {
  const who = claim.seller?.nom ?? buyersCopy.claim.facts.platform;
  return (
    <Cell
      href={`/bureau/reclamations/${claim.id}`}
      title={`${formatFcfa(claim.amount)} · ${claim.buyer.nom}`}
      subtitle={
        <>
          <CaseBadge of={claim} /> {claim.kind_label}
          {` · ${claim.title} · ${who} · ${sayShortInstant(claim.opened_at)}`}
        </>
      }
      chevron
    />
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
          <span className={styles.preview}>{ticket.preview ?? ticketsCopy.erased}</span>
          <span className={styles.marks}>
            {priority ? <Badge tone="accent">{ticketsCopy.priority}</Badge> : null}
            {sayShortInstant(ticket.waiting_since ?? ticket.changed_at)}
          </span>
        </>
      }
      chevron
    />
  );
}
