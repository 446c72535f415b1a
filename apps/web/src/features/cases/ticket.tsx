import { SUPPORT_REPLY_HOURS, TICKET_WORDS_MAX, type TicketOnWire } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { RequestError, sayError } from "../../lib/request.ts";
import { useSession } from "../../lib/session.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { haptic } from "../../telegram/native.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Dialog } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Thread } from "../../ui/thread.tsx";
import { toast } from "../../ui/toast.tsx";
import { supportCopy as copy } from "./messages.fr.ts";
import { TicketBadge } from "./parts/ticket-badge.tsx";
import { ticketQuery, useCloseTicket, useMarkRead, useReply } from "./queries.ts";
import styles from "./support.module.css";

/** /CustomerSupport/:id: the conversation with the desk. */
export function Ticket({ id }: { id: string }) {
  const query = useQuery(ticketQuery(id));
  const [, navigate] = useLocation();
  if (query.data) return <Shown ticket={query.data} />;
  const missing = query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page title={missing ? copy.missing : copy.title}>
      {missing ? (
        <EmptyState
          drawing="search"
          title={copy.missing}
          text={copy.missingText}
          action={<Button onClick={() => navigate("/CustomerSupport")}>{copy.back}</Button>}
        />
      ) : query.isError ? (
        <EmptyState
          drawing="broken"
          title={copy.loadFailed}
          action={<Button onClick={() => void query.refetch()}>{copy.retry}</Button>}
        />
      ) : (
        <SkeletonRows count={4} label={copy.loading} />
      )}
    </Page>
  );
}

function Shown({ ticket }: { ticket: TicketOnWire }) {
  useReading(ticket);
  const { order, withdrawal } = ticket;
  const about = order
    ? `${order.title} · ${formatFcfa(order.amount)}`
    : withdrawal
      ? `${withdrawal.reference} · ${formatFcfa(withdrawal.amount)}`
      : null;
  return (
    <Page
      title={ticket.kind_label}
      subtitle={
        <span className={styles.marks}>
          <TicketBadge ticket={ticket} />
        </span>
      }
    >
      <Section>
        <div className={styles.facts}>
          <Facts
            facts={[
              ...(about ? [{ name: copy.related, value: about }] : []),
              { name: copy.openedOn, value: formatInstant(ticket.opened_at) },
            ]}
          />
        </div>
      </Section>
      <Thread
        label={copy.thread}
        gone={copy.erased}
        messages={ticket.messages.map(({ id, author, words, at }) => ({
          id,
          mine: author === "vendeur",
          author: author === "vendeur" ? copy.you : copy.desk,
          at,
          when: sayShortInstant(at),
          words,
        }))}
      />
      <Standing ticket={ticket} />
      <Reply ticket={ticket} />
      {ticket.may.close ? <Solved id={ticket.id} /> : null}
    </Page>
  );
}

/** What the desk said counts as seen once it is on the screen. */
function useReading({ id, unread }: TicketOnWire): void {
  const live = useSession().at === "live";
  const mark = useMarkRead(id);
  const read = useEffectEvent(() => mark.mutate());
  useEffect(() => {
    if (live && unread > 0) read();
  }, [live, unread]);
}

function Standing({ ticket }: { ticket: TicketOnWire }) {
  if (ticket.status === "repondu") return null;
  const open = ticket.status === "ouvert";
  return (
    <Banner tone="accent" icon={open ? "clock" : "check"}>
      {open ? copy.waiting(SUPPORT_REPLY_HOURS) : copy.closed}
    </Banner>
  );
}

function Reply({ ticket }: { ticket: TicketOnWire }) {
  const [words, setWords] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const live = useSession().at === "live";
  const reply = useReply(ticket.id);
  const send = () => {
    if (reply.isPending) return;
    reply.mutate(words.trim(), {
      onSuccess: ({ message }) => {
        haptic("success");
        toast(message);
        setWords("");
        setComplaint(null);
      },
      onError: (error) => {
        haptic("error");
        setComplaint(sayError(error, copy.failed));
      },
    });
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        label={copy.reply}
        error={complaint}
        value={words}
        max={TICKET_WORDS_MAX}
        length={words.length}
        counterLabel={copy.characters(words.length, TICKET_WORDS_MAX)}
        onChange={(value) => {
          setWords(value);
          setComplaint(null);
        }}
      />
      {live ? null : <p className={styles.hint}>{copy.offline}</p>}
      <Button
        type="submit"
        icon="send"
        busy={reply.isPending}
        disabled={!live || words.trim() === ""}
      >
        {copy.send}
      </Button>
    </form>
  );
}

function Solved({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const live = useSession().at === "live";
  const close = useCloseTicket(id);
  const yes = () =>
    close.mutate(undefined, {
      onSuccess: ({ message }) => {
        haptic("success");
        toast(message);
        setAsking(false);
      },
      onError: () => haptic("error"),
    });
  return (
    <>
      <Button look="plain" disabled={!live} onClick={() => setAsking(true)}>
        {copy.solved}
      </Button>
      {asking ? (
        <Dialog
          title={copy.solvedTitle}
          onClose={() => setAsking(false)}
          actions={[
            { label: copy.solvedYes, busy: close.isPending, run: yes },
            { label: copy.cancel, look: "plain", run: () => setAsking(false) },
          ]}
        >
          {close.error ? (
            <p role="alert">{sayError(close.error, copy.failed)}</p>
          ) : (
            <p>{copy.solvedText}</p>
          )}
        </Dialog>
      ) : null}
    </>
  );
}
