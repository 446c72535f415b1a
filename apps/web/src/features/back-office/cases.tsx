import {
  CLAIM_AUTHOR_NAMES,
  type ClaimOnWire,
  type DeskTicketLineOnWire,
  type DeskTicketOnWire,
  TICKET_WORDS_MAX,
} from "@sesame/contract/cases";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge, type BadgeTone, Banner } from "../../kit/badge.tsx";
import { Line, Stack } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { FactGrid, RecordList, type TableRow } from "../../kit/record-list.tsx";
import { joined, Rows, Thread } from "../../kit/records.tsx";
import { Screen } from "../../kit/screen.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { act, ActForm, Acts } from "../../kit/use-action.tsx";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { read, readPages } from "../../lib/read.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { buyersCopy, ticketsCopy } from "./people-messages.fr.ts";
import { Cases } from "./refunds.tsx";
import { LOOK_AGAIN_MS, reason } from "./use-desk.ts";

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

function CaseBadge({ of }: { of: { status: Status; status_label: string } }) {
  return <Badge tone={TONES[of.status]}>{of.status_label}</Badge>;
}

/** /bureau/reclamations: what buyers hold against a sale. */
export function DeskClaims() {
  const copy = buyersCopy;
  return (
    <Cases at="claims">
      <RecordList
        of={(view) => readPages("GET /api/desk/claims", { query: { view } })}
        views={{
          open: [copy.open, "receipt", copy.noClaim, copy.noClaimText],
          done: [copy.doneClaims, "receipt", copy.noClaimDone],
        }}
        every={LOOK_AGAIN_MS}
        items={({ claims }) => claims}
        row={claimRow}
      />
    </Cases>
  );
}

export function claimRow(claim: ClaimOnWire): TableRow {
  const { facts } = buyersCopy.claim;
  return {
    id: claim.id,
    href: `/bureau/reclamations/${claim.id}`,
    title: `${formatFcfa(claim.amount)} · ${claim.buyer.nom}`,
    mark: [TONES[claim.status], claim.status_label],
    facts: [
      [facts.kind, claim.kind_label],
      [facts.sale, claim.title],
      [facts.seller, claim.seller?.nom ?? facts.platform],
      [facts.opened, sayShortInstant(claim.opened_at)],
    ],
  };
}

/** One claim: what both sides said, and the operator's decision. */
export function DeskClaim({ id }: { id: string }) {
  const copy = buyersCopy.claim;
  const { facts } = copy;
  return (
    <Screen
      of={read("GET /api/desk/claims/:id", { params: { id }, pick: "claim" })}
      every={LOOK_AGAIN_MS}
      title={buyersCopy.claims}
      missing={copy.missing}
      back={{ label: copy.back, href: "/bureau/reclamations" }}
    >
      {(claim) => (
        <Page title={claim.kind_label} subtitle={<CaseBadge of={claim} />}>
          <Section>
            <FactGrid
              facts={[
                [facts.buyer, claim.buyer.nom],
                [facts.seller, claim.seller?.nom ?? facts.platform],
                [facts.sale, claim.title],
                [facts.amount, formatFcfa(claim.amount)],
                [facts.opened, formatInstant(claim.opened_at)],
                [facts.due, claim.status === "vendeur" && formatInstant(claim.seller_due_at)],
                [facts.closed, claim.closed_at && formatInstant(claim.closed_at)],
              ]}
            />
            <Cell
              icon="document"
              title={copy.openOrder}
              subtitle={buyersCopy.order(claim.order_id)}
              href={`/bureau/commandes/${claim.order_id}`}
              chevron
            />
          </Section>
          <Rows title={copy.record}>
            {claim.entries.map((entry) => (
              <Cell
                key={`${entry.at} ${entry.step}`}
                title={`${CLAIM_AUTHOR_NAMES[entry.author]} · ${entry.step_label}`}
                subtitle={joined(sayShortInstant(entry.at), entry.words && `« ${entry.words} »`)}
              />
            ))}
          </Rows>
          {claim.may.decide ? (
            <Stack as="section" gap={2} aria-label={copy.decide}>
              <Acts of={[decide(claim, "refund"), decide(claim, "reject")]} />
            </Stack>
          ) : null}
        </Page>
      )}
    </Screen>
  );
}

/** The operator's last word, with the reason both sides read. */
function decide({ id, amount }: ClaimOnWire, decision: "refund" | "reject") {
  const copy = buyersCopy.claim;
  const refund = decision === "refund";
  return act(
    "POST /api/desk/claims/:id/decide",
    { params: { id } },
    {
      button: refund ? copy.refund : copy.reject,
      look: refund ? "filled" : "danger-tinted",
      title: refund ? copy.refundTitle : copy.rejectTitle,
      text: refund ? copy.refundText(formatFcfa(amount)) : copy.rejectText,
      fields: { reason: reason(copy.reason) },
      body: (said) => ({ decision, reason: said.reason.trim() }),
    },
  );
}

/** /bureau/assistance: what sellers ask. */
export function DeskTickets() {
  const copy = ticketsCopy;
  return (
    <Cases at="tickets">
      <RecordList
        of={(view) => readPages("GET /api/desk/tickets", { query: { view } })}
        views={{
          open: [copy.open, "phone", copy.none, copy.noneText],
          answered: [copy.answered, "phone", copy.noneAnswered],
          closed: [copy.closed, "phone", copy.noneClosed],
        }}
        every={LOOK_AGAIN_MS}
        items={({ tickets }) => tickets}
        row={ticketRow}
      />
    </Cases>
  );
}

function ticketRow(ticket: DeskTicketLineOnWire): TableRow {
  const { facts, ...copy } = ticketsCopy;
  return {
    id: ticket.id,
    href: `/bureau/assistance/${ticket.id}`,
    before: <Avatar name={ticket.seller.nom} />,
    title: ticket.seller.nom,
    mark: ticket.priority ? ["accent", copy.priority] : null,
    facts: [
      [facts.kind, ticket.kind_label],
      [facts.message, ticket.preview ?? copy.erased],
      [facts.waiting, sayShortInstant(ticket.waiting_since ?? ticket.changed_at)],
    ],
  };
}

/** One request for help: what was said, and the answer. */
export function DeskTicket({ id }: { id: string }) {
  return (
    <Screen
      of={read("GET /api/desk/tickets/:id", { params: { id }, pick: "ticket" })}
      every={LOOK_AGAIN_MS}
      title={ticketsCopy.title}
      missing={ticketsCopy.missing}
      back={{ label: ticketsCopy.back, href: "/bureau/assistance" }}
    >
      {(ticket) => <Ticket ticket={ticket} />}
    </Screen>
  );
}

function Ticket({ ticket }: { ticket: DeskTicketOnWire }) {
  const copy = ticketsCopy;
  const { facts } = copy;
  const { seller, order, withdrawal } = ticket;
  return (
    <Page
      title={ticket.kind_label}
      subtitle={
        <Line as="span">
          <CaseBadge of={ticket} />
          {ticket.priority ? <Badge tone="accent">{copy.priority}</Badge> : null}
        </Line>
      }
    >
      <Section>
        <FactGrid
          facts={[
            [facts.seller, seller.nom],
            [facts.opened, formatInstant(ticket.opened_at)],
            [facts.waiting, ticket.waiting_since && formatInstant(ticket.waiting_since)],
            [facts.closed, ticket.closed_at && formatInstant(ticket.closed_at)],
          ]}
        />
        <Cell
          icon="user"
          title={copy.openSeller}
          {...(seller.username ? { subtitle: `@${seller.username}` } : {})}
          href={`/bureau/vendeurs/${seller.id}`}
          chevron
        />
        {order ? (
          <Cell
            icon="document"
            title={copy.openOrder}
            subtitle={`${order.title} · ${formatFcfa(order.amount)}`}
            href={`/bureau/commandes/${order.id}`}
            chevron
          />
        ) : null}
        {withdrawal ? (
          <Cell
            icon="arrowOut"
            title={copy.openWithdrawal}
            subtitle={`${withdrawal.reference} · ${formatFcfa(withdrawal.amount)}`}
            href={`/bureau/retraits/${withdrawal.id}`}
            chevron
          />
        ) : null}
      </Section>
      <Thread
        label={copy.thread}
        gone={copy.erased}
        messages={ticket.messages.map(({ id, author, words, at }) => ({
          id,
          side: author === "assistance" ? "mine" : "theirs",
          author: author === "assistance" ? copy.desk : seller.nom,
          at,
          words,
        }))}
      />
      {ticket.may.write ? (
        <ActForm
          of={act(
            "POST /api/desk/tickets/:id/answer",
            { params: { id: ticket.id } },
            {
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
            },
          )}
        />
      ) : (
        <Banner tone="accent" icon="info">
          {copy.own}
        </Banner>
      )}
      <Acts
        of={[
          ticket.may.close &&
            act(
              "POST /api/desk/tickets/:id/close",
              { params: { id: ticket.id } },
              {
                button: copy.close,
                look: "plain",
                title: copy.closeTitle,
                text: copy.closeText,
              },
            ),
        ]}
      />
    </Page>
  );
}
