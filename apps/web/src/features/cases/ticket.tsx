import { SUPPORT_REPLY_HOURS, TICKET_WORDS_MAX, type TicketOnWire } from "@sesame/contract/cases";
import { useEffect, useEffectEvent } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { Banner } from "../../kit/button.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Line, Section } from "../../kit/layout.tsx";
import { Page, Screen } from "../../kit/screen.tsx";
import { Thread } from "../../kit/records.tsx";
import { act, ActForm, Acts, useSignedIn } from "../../kit/use-action.tsx";
import { supportCopy as copy } from "./messages.fr.ts";
import { CaseBadge, ticketQuery, useTicketWrite } from "./queries.tsx";

/** /CustomerSupport/:id: the conversation with the back office. */
export function Ticket({ id }: { id: string }) {
  return (
    <Screen
      of={ticketQuery(id)}
      title={copy.title}
      words={copy}
      missing={copy.missing}
      missingText={copy.missingText}
      back={{ label: copy.back, href: "/CustomerSupport" }}
    >
      {(ticket) => <Shown ticket={ticket} />}
    </Screen>
  );
}

function Shown({ ticket }: { ticket: TicketOnWire }) {
  useReading(ticket);
  const may = useSignedIn();
  const { id, order, withdrawal } = ticket;
  const open = ticket.status === "ouvert";
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
      <Section pad>
        <Facts
          facts={[
            [copy.related, about],
            [copy.openedOn, formatInstant(ticket.opened_at)],
          ]}
        />
      </Section>
      <Thread
        label={copy.thread}
        gone={copy.erased}
        messages={ticket.messages.map(({ id, author, words, at }) => ({
          id,
          side: author === "vendeur" ? "mine" : "theirs",
          author: author === "vendeur" ? copy.you : copy.staff,
          at,
          words,
        }))}
      />
      {ticket.status === "repondu" ? null : (
        <Banner tone="accent" icon={open ? "clock" : "check"}>
          {open ? copy.waiting(SUPPORT_REPLY_HOURS) : copy.closed}
        </Banner>
      )}
      <ActForm
        of={act("POST /api/support/tickets/:id/messages", {
          params: { id },
          button: copy.send,
          icon: "send",
          may: { ...may, shown: false, reason: copy.offline },
          fields: {
            message: { kind: "words", label: copy.message, max: TICKET_WORDS_MAX, required: true },
          },
          failed: copy.failed,
        })}
      />
      <Acts
        of={
          ticket.may.close &&
          act("POST /api/support/tickets/:id/close", {
            params: { id },
            button: copy.solved,
            // The reply form already says why it is not possible.
            may: { ...may, reason: null },
            look: "plain",
            title: copy.solvedTitle,
            text: copy.solvedText,
            confirm: copy.solvedYes,
            failed: copy.failed,
          })
        }
      />
    </Page>
  );
}

/** Marks the back office's messages as read once they are on the screen. */
function useReading({ id, unread }: TicketOnWire): void {
  const live = useSession().at === "live";
  const mark = useTicketWrite("POST /api/support/tickets/:id/read", { params: { id } });
  const read = useEffectEvent(() => mark.mutate());
  useEffect(() => {
    if (live && unread > 0) read();
  }, [live, unread]);
}
