import styles from "./parts/case-lists.module.css";
import { TICKET_WORDS_MAX, type DeskTicketOnWire } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { WordsForm } from "../../lib/words-form.tsx";
import { Badge } from "../../kit/badge.tsx";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { Thread } from "../../kit/thread.tsx";
import { toast } from "../../kit/toast.tsx";
import { ActSheet } from "./parts/act-sheet.tsx";
import { Facts } from "./parts/facts.tsx";
import { One } from "./parts/states.tsx";
import { CaseBadge } from "./parts/case-lists.tsx";
import { ticketsCopy as copy } from "./people-messages.fr.ts";
import { read } from "../../lib/read.ts";
import { LOOK_AGAIN_MS, useDeskWrite } from "./use-desk.ts";

/** One request for help at the desk: what was said, and the answer. */
export function DeskTicket({ id }: { id: string }) {
  const query = useQuery({
    ...read("GET /api/desk/tickets/:id", { params: { id }, pick: "ticket" }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <One
      query={query}
      title={copy.title}
      missing={copy.missing}
      back={{ label: copy.back, href: "/bureau/assistance" }}
    >
      {(ticket) => <Shown ticket={ticket} />}
    </One>
  );
}

function Shown({ ticket }: { ticket: DeskTicketOnWire }) {
  const { facts } = copy;
  return (
    <Page
      title={ticket.kind_label}
      subtitle={
        <span className={styles.marks}>
          <CaseBadge of={ticket} />
          {ticket.priority ? <Badge tone="accent">{copy.priority}</Badge> : null}
        </span>
      }
    >
      <Section>
        <Facts
          facts={[
            [facts.seller, ticket.seller.nom],
            [facts.opened, formatInstant(ticket.opened_at)],
            ...(ticket.waiting_since
              ? [[facts.waiting, formatInstant(ticket.waiting_since)] as const]
              : []),
            ...(ticket.closed_at ? [[facts.closed, formatInstant(ticket.closed_at)] as const] : []),
          ]}
        />
        <Links ticket={ticket} />
      </Section>
      <Thread
        label={copy.thread}
        gone={copy.erased}
        messages={ticket.messages.map(({ id, author, words, at }) => ({
          id,
          side: author === "assistance" ? "mine" : "theirs",
          author: author === "assistance" ? copy.desk : ticket.seller.nom,
          at,
          when: sayShortInstant(at),
          words,
        }))}
      />
      {ticket.may.write ? (
        <Answer id={ticket.id} />
      ) : (
        <Banner tone="accent" icon="info">
          {copy.own}
        </Banner>
      )}
      {ticket.may.close ? <Close id={ticket.id} /> : null}
    </Page>
  );
}

function Links({ ticket }: { ticket: DeskTicketOnWire }) {
  const { order, withdrawal, seller } = ticket;
  return (
    <>
      <Cell
        icon="user"
        tint="violet"
        title={copy.openSeller}
        {...(seller.username ? { subtitle: `@${seller.username}` } : {})}
        href={`/bureau/vendeurs/${seller.id}`}
        chevron
      />
      {order ? (
        <Cell
          icon="document"
          tint="blue"
          title={copy.openOrder}
          subtitle={`${order.title} · ${formatFcfa(order.amount)}`}
          href={`/bureau/commandes/${order.id}`}
          chevron
        />
      ) : null}
      {withdrawal ? (
        <Cell
          icon="arrowOut"
          tint="green"
          title={copy.openWithdrawal}
          subtitle={`${withdrawal.reference} · ${formatFcfa(withdrawal.amount)}`}
          href={`/bureau/retraits/${withdrawal.id}`}
          chevron
        />
      ) : null}
    </>
  );
}

function Answer({ id }: { id: string }) {
  const act = useDeskWrite("POST /api/desk/tickets/:id/answer", { params: { id } });
  return (
    <WordsForm
      label={copy.reply}
      hint={copy.replyHint}
      max={TICKET_WORDS_MAX}
      copy={copy}
      act={act}
      send={copy.send}
      icon="send"
    />
  );
}

function Close({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const act = useDeskWrite("POST /api/desk/tickets/:id/close", { params: { id } });
  return (
    <>
      <Button look="plain" onClick={() => setAsking(true)}>
        {copy.close}
      </Button>
      {asking ? (
        <ActSheet
          title={copy.closeTitle}
          text={copy.closeText}
          confirm={copy.close}
          act={act}
          body={{}}
          onDone={({ message }) => {
            toast(message);
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
