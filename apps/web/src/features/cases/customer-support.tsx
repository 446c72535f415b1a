import type { AnswerOf } from "@sesame/contract/routes";
import type { TicketLineOnWire } from "@sesame/contract/cases";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useSearch } from "wouter";
import { supportQuery } from "../../lib/resources.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { openAddress } from "../../telegram/native.ts";
import { Badge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Line, Stack, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import { supportCopy as copy } from "./messages.fr.ts";
import { CaseBadge } from "./parts/case-badge.tsx";
import { LoadFailed } from "./parts/no-case.tsx";
import { askedAbout, TicketForm } from "./parts/ticket-form.tsx";
import { ticketsQuery } from "./queries.ts";

/** /CustomerSupport: how to reach people, when they answer, and one's own requests. */
export function CustomerSupport() {
  const support = useQuery(supportQuery);
  const list = useInfiniteQuery(ticketsQuery);
  const [writing, setWriting] = useState(askedAbout(useSearch()) !== "");
  const refresh = () => Promise.all([support.refetch(), list.refetch()]);
  return (
    <PullToRefresh label={copy.retry} onRefresh={refresh}>
      <Page title={copy.title} subtitle={copy.subtitle}>
        {support.data ? (
          <Reach support={support.data} />
        ) : support.isError ? (
          <LoadFailed copy={copy} onRetry={() => void refresh()} />
        ) : (
          <SkeletonRows count={3} label={copy.loading} />
        )}
        {support.isError && !list.data ? null : <Tickets onWrite={() => setWriting(true)} />}
        <Section>
          <Cell icon="help" title={copy.faq} subtitle={copy.faqText} href="/IndexFaq" chevron />
        </Section>
      </Page>
      {writing ? (
        <TicketForm subjects={support.data?.subjects ?? []} onClose={() => setWriting(false)} />
      ) : null}
    </PullToRefresh>
  );
}

const WAYS = [
  ["whatsapp", "phone"],
  ["telegram", "send"],
] as const;

function Reach({ support }: { support: AnswerOf<"GET /api/support"> }) {
  const { hours, contacts, priority } = support;
  return (
    <>
      <Section title={copy.hours}>
        <Stack gap={1} pad>
          <p>
            <Badge tone={hours.open ? "positive" : "neutral"}>{hours.says}</Badge>
          </p>
          <p>
            {copy.replyWithin(support.reply_hours)}, {hours.label}.
          </p>
          <Text size="small" tone="soft">
            {priority ? copy.priority : copy.noPriority}
          </Text>
        </Stack>
      </Section>
      {contacts.whatsapp || contacts.telegram ? (
        <Section>
          {WAYS.map(([way, icon]) => {
            const address = contacts[way];
            return address ? (
              <Cell
                key={way}
                icon={icon}
                title={copy[way]}
                subtitle={copy[`${way}Text`]}
                chevron
                onClick={() => openAddress(address)}
              />
            ) : null;
          })}
        </Section>
      ) : null}
    </>
  );
}

function Tickets({ onWrite }: { onWrite(): void }) {
  const list = useInfiniteQuery(ticketsQuery);
  const tickets = list.data?.pages.flatMap((page) => page.tickets);
  if (!tickets) return list.isError ? null : <SkeletonRows count={3} label={copy.loading} />;
  const write = (
    <Button icon="edit" onClick={onWrite}>
      {copy.write}
    </Button>
  );
  if (tickets.length === 0) {
    return <EmptyState drawing="phone" title={copy.none} text={copy.noneText} action={write} />;
  }
  return (
    <>
      {write}
      <Section title={copy.tickets}>
        <ul>
          {tickets.map((ticket) => (
            <li key={ticket.id}>
              <TicketCell ticket={ticket} />
            </li>
          ))}
        </ul>
      </Section>
      <MoreButton pages={list} label={copy.more} />
    </>
  );
}

function TicketCell({ ticket }: { ticket: TicketLineOnWire }) {
  const { unread } = ticket;
  return (
    <Cell
      href={`/CustomerSupport/${ticket.id}`}
      title={ticket.kind_label}
      subtitle={
        <>
          <Text as="span" clamp>
            {ticket.preview ?? copy.erased}
          </Text>
          <Line as="span">
            {unread > 0 ? (
              <Badge tone="accent">{copy.unread(unread)}</Badge>
            ) : (
              <CaseBadge of={ticket} />
            )}
            {sayShortInstant(ticket.changed_at)}
          </Line>
        </>
      }
      chevron
    />
  );
}
