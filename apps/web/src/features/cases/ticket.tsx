import { SUPPORT_REPLY_HOURS, TICKET_WORDS_MAX, type TicketOnWire } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { sayError } from "../../lib/request.ts";
import { useSession } from "../../lib/session.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { WordsForm } from "../../lib/words-form.tsx";
import { haptic } from "../../telegram/native.ts";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Line, Stack } from "../../kit/layout.tsx";
import { Dialog } from "../../kit/modal.tsx";
import { Page } from "../../kit/page.tsx";
import { Section } from "../../kit/section.tsx";
import { Thread } from "../../kit/thread.tsx";
import { toast } from "../../kit/toast.tsx";
import { supportCopy as copy } from "./messages.fr.ts";
import { NoCase } from "./parts/no-case.tsx";
import { CaseBadge, ticketQuery, useTicketWrite } from "./queries.tsx";

/** /CustomerSupport/:id: the conversation with the desk. */
export function Ticket({ id }: { id: string }) {
  const query = useQuery(ticketQuery(id));
  if (!query.data) return <NoCase query={query} copy={copy} list="/CustomerSupport" />;
  return <Shown ticket={query.data} />;
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
        <Line as="span">
          <CaseBadge of={ticket} />
        </Line>
      }
    >
      <Section>
        <Stack pad>
          <Facts
            facts={[
              [copy.related, about],
              [copy.openedOn, formatInstant(ticket.opened_at)],
            ]}
          />
        </Stack>
      </Section>
      <Thread
        label={copy.thread}
        gone={copy.erased}
        messages={ticket.messages.map(({ id, author, words, at }) => ({
          id,
          side: author === "vendeur" ? "mine" : "theirs",
          author: author === "vendeur" ? copy.you : copy.desk,
          at,
          when: sayShortInstant(at),
          words,
        }))}
      />
      <Standing ticket={ticket} />
      <Reply id={ticket.id} />
      {ticket.may.close ? <Solved id={ticket.id} /> : null}
    </Page>
  );
}

/** What the desk said counts as seen once it is on the screen. */
function useReading({ id, unread }: TicketOnWire): void {
  const live = useSession().at === "live";
  const mark = useTicketWrite("POST /api/support/tickets/:id/read", { params: { id } });
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

function Reply({ id }: { id: string }) {
  const live = useSession().at === "live";
  return (
    <WordsForm
      label={copy.reply}
      max={TICKET_WORDS_MAX}
      copy={copy}
      act={useTicketWrite("POST /api/support/tickets/:id/messages", { params: { id } })}
      send={copy.send}
      icon="send"
      offline={live ? null : copy.offline}
    />
  );
}

function Solved({ id }: { id: string }) {
  const [asking, setAsking] = useState(false);
  const live = useSession().at === "live";
  const close = useTicketWrite("POST /api/support/tickets/:id/close", { params: { id } });
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
