import {
  COMPLAINT_AUTHOR_NAMES,
  type ComplaintOnWire,
  type StaffTicketLineOnWire,
  type StaffTicketOnWire,
  TICKET_WORDS_MAX,
} from "@sesame/contract/cases";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge, type BadgeTone, Banner } from "../../kit/button.tsx";
import { Cell, Line, Section, Stack } from "../../kit/layout.tsx";
import { Page, Screen } from "../../kit/screen.tsx";
import { FactGrid, RecordList, type TableRow } from "../../kit/record-list.tsx";
import { joined, Rows, Thread } from "../../kit/records.tsx";
import { act, ActForm, Acts } from "../../kit/use-action.tsx";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { read, readPages } from "../../lib/read.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { names, quoted } from "./messages.fr.ts";
import { buyersCopy, ticketsCopy as copy } from "./people-messages.fr.ts";
import { Cases } from "./refunds.tsx";
import { LOOK_AGAIN_MS, reason } from "./use-staff.ts";

type Status = ComplaintOnWire["status"] | StaffTicketLineOnWire["status"];

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

function CaseBadge({ of }: { of: { status: Status; status_label: string } }) {
  return <Badge tone={TONES[of.status]}>{of.status_label}</Badge>;
}

/** /bureau/reclamations: buyers' complaints about a sale. */
export function StaffComplaints() {
  return (
    <Cases at="complaints">
      <RecordList
        of={(view) => readPages("GET /api/desk/complaints", { query: { view } })}
        views={{
          open: [buyersCopy.open, "receipt", buyersCopy.noComplaint, buyersCopy.noComplaintText],
          done: [names.ended, "receipt", buyersCopy.noComplaintDone],
        }}
        every={LOOK_AGAIN_MS}
        items={({ complaints }) => complaints}
        row={complaintRow}
      />
    </Cases>
  );
}

export function complaintRow(complaint: ComplaintOnWire): TableRow {
  return {
    id: complaint.id,
    href: `/bureau/reclamations/${complaint.id}`,
    title: `${formatFcfa(complaint.amount)} · ${complaint.buyer.nom}`,
    mark: [TONES[complaint.status], complaint.status_label],
    facts: [
      [names.kind, complaint.kind_label],
      [names.sale, complaint.title],
      [names.seller, complaint.seller?.nom ?? names.platform],
      [names.opened, sayShortInstant(complaint.opened_at)],
    ],
  };
}

const complaintCopy = buyersCopy.complaint;

/** One complaint: what buyer and seller wrote, and the operator's decision. */
export function StaffComplaint({ id }: { id: string }) {
  return (
    <Screen
      of={read("GET /api/desk/complaints/:id", { params: { id }, pick: "complaint" })}
      every={LOOK_AGAIN_MS}
      title={names.complaints}
      missing={complaintCopy.missing}
      back={{ label: complaintCopy.back, href: "/bureau/reclamations" }}
    >
      {(complaint) => (
        <Page title={complaint.kind_label} subtitle={<CaseBadge of={complaint} />}>
          <Section>
            <FactGrid
              facts={[
                [names.buyer, complaint.buyer.nom],
                [names.seller, complaint.seller?.nom ?? names.platform],
                [names.sale, complaint.title],
                [names.amount, formatFcfa(complaint.amount)],
                [names.opened, formatInstant(complaint.opened_at)],
                [
                  names.due,
                  complaint.status === "vendeur" && formatInstant(complaint.seller_due_at),
                ],
                [names.closed, complaint.closed_at && formatInstant(complaint.closed_at)],
              ]}
            />
            <Cell
              icon="document"
              title={complaintCopy.openOrder}
              subtitle={names.orderOf(complaint.order_id)}
              href={`/bureau/commandes/${complaint.order_id}`}
            />
          </Section>
          <Rows title={complaintCopy.record}>
            {complaint.entries.map((entry) => (
              <Cell
                key={`${entry.at} ${entry.step}`}
                title={`${COMPLAINT_AUTHOR_NAMES[entry.author]} · ${entry.step_label}`}
                subtitle={joined(sayShortInstant(entry.at), quoted(entry.words))}
              />
            ))}
          </Rows>
          {complaint.may.decide ? (
            <Stack as="section" gap={2} aria-label={names.decision}>
              <Acts of={[decide(complaint, "refund"), decide(complaint, "reject")]} />
            </Stack>
          ) : null}
        </Page>
      )}
    </Screen>
  );
}

/** The operator's decision, which is final, with the reason both sides read. */
function decide({ id, amount }: ComplaintOnWire, decision: "refund" | "reject") {
  const refund = decision === "refund";
  return act("POST /api/desk/complaints/:id/decide", {
    params: { id },
    button: refund ? complaintCopy.refund : names.reject,
    look: refund ? "filled" : "danger-tinted",
    title: refund ? complaintCopy.refundTitle : complaintCopy.rejectTitle,
    text: refund ? complaintCopy.refundText(formatFcfa(amount)) : complaintCopy.rejectText,
    fields: { reason: reason(names.reasonForBoth) },
    body: (said) => ({ decision, reason: said.reason.trim() }),
  });
}

/** /bureau/assistance: sellers' requests for help. */
export function StaffTickets() {
  return (
    <Cases at="tickets">
      <RecordList
        of={(view) => readPages("GET /api/desk/tickets", { query: { view } })}
        views={{
          open: [copy.open, "phone", copy.none, copy.noneText],
          answered: [copy.answered, "phone", copy.noneAnswered],
          closed: [names.ended, "phone", copy.noneClosed],
        }}
        every={LOOK_AGAIN_MS}
        items={({ tickets }) => tickets}
        row={ticketRow}
      />
    </Cases>
  );
}

function ticketRow(ticket: StaffTicketLineOnWire): TableRow {
  return {
    id: ticket.id,
    href: `/bureau/assistance/${ticket.id}`,
    before: <Avatar name={ticket.seller.nom} />,
    title: ticket.seller.nom,
    mark: ticket.priority ? ["accent", names.premium] : null,
    facts: [
      [names.topic, ticket.kind_label],
      [names.message, ticket.preview ?? copy.erased],
      [names.waiting, sayShortInstant(ticket.waiting_since ?? ticket.changed_at)],
    ],
  };
}

/** One request for help: its messages, and the answer. */
export function StaffTicket({ id }: { id: string }) {
  return (
    <Screen
      of={read("GET /api/desk/tickets/:id", { params: { id }, pick: "ticket" })}
      every={LOOK_AGAIN_MS}
      title={copy.title}
      missing={copy.missing}
      back={{ label: names.seeRequests, href: "/bureau/assistance" }}
    >
      {(ticket) => <Ticket ticket={ticket} />}
    </Screen>
  );
}

function Ticket({ ticket }: { ticket: StaffTicketOnWire }) {
  const { seller, order, withdrawal } = ticket;
  return (
    <Page
      title={ticket.kind_label}
      subtitle={
        <Line as="span">
          <CaseBadge of={ticket} />
          {ticket.priority ? <Badge tone="accent">{names.premium}</Badge> : null}
        </Line>
      }
    >
      <Section>
        <FactGrid
          facts={[
            [names.seller, seller.nom],
            [names.opened, formatInstant(ticket.opened_at)],
            [names.waiting, ticket.waiting_since && formatInstant(ticket.waiting_since)],
            [names.closed, ticket.closed_at && formatInstant(ticket.closed_at)],
          ]}
        />
        <Cell
          icon="user"
          title={copy.openSeller}
          {...(seller.username ? { subtitle: `@${seller.username}` } : {})}
          href={`/bureau/vendeurs/${seller.id}`}
        />
        {order ? (
          <Cell
            icon="document"
            title={copy.openOrder}
            subtitle={`${order.title} · ${formatFcfa(order.amount)}`}
            href={`/bureau/commandes/${order.id}`}
          />
        ) : null}
        {withdrawal ? (
          <Cell
            icon="arrowOut"
            title={copy.openWithdrawal}
            subtitle={`${withdrawal.reference} · ${formatFcfa(withdrawal.amount)}`}
            href={`/bureau/retraits/${withdrawal.id}`}
          />
        ) : null}
      </Section>
      <Thread
        label={copy.thread}
        gone={copy.erased}
        messages={ticket.messages.map(({ id, author, words, at }) => ({
          id,
          side: author === "assistance" ? "mine" : "theirs",
          author: author === "assistance" ? copy.title : seller.nom,
          at,
          words,
        }))}
      />
      {ticket.may.write ? (
        <ActForm
          of={act("POST /api/desk/tickets/:id/answer", {
            params: { id: ticket.id },
            button: copy.send,
            icon: "send",
            fields: {
              message: {
                kind: "words",
                label: copy.reply,
                hint: copy.replyHint,
                max: TICKET_WORDS_MAX,
                required: true,
              },
            },
            failed: copy.failed,
          })}
        />
      ) : (
        <Banner tone="accent" icon="info">
          {copy.own}
        </Banner>
      )}
      <Acts
        of={
          ticket.may.close &&
          act("POST /api/desk/tickets/:id/close", {
            params: { id: ticket.id },
            button: copy.close,
            look: "plain",
            title: copy.closeTitle,
            text: copy.closeText,
          })
        }
      />
    </Page>
  );
}
