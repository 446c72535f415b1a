import {
  TICKET_KIND_NAMES,
  TICKET_WORDS_MAX,
  type TicketLineOnWire,
  type TicketSubjectOnWire,
} from "@sesame/contract/cases";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { sayError } from "../../lib/request.ts";
import { supportQuery } from "../../lib/resources.ts";
import { useSession } from "../../lib/session.ts";
import { forget, keep, readKept } from "../../lib/storage.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { haptic, openAddress } from "../../telegram/native.ts";
import { Badge, Button, PlainButton } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { SelectField, TextArea } from "../../kit/field.tsx";
import { Cell, Line, Section, Stack, Text } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Sheet } from "../../kit/modal.tsx";
import { Paged } from "../../kit/paged.tsx";
import { joined, Rows, Note } from "../../kit/records.tsx";
import { toast } from "../../kit/toast.tsx";
import { Form } from "../../kit/use-form.tsx";
import { supportCopy as copy } from "./messages.fr.ts";
import { CaseBadge, ticketsQuery, useTicketWrite } from "./queries.tsx";

const WAYS = [
  ["whatsapp", "phone"],
  ["telegram", "send"],
] as const;

/** /CustomerSupport: how to reach people, when they answer, and one's own requests. */
export function CustomerSupport() {
  const support = useQuery(supportQuery);
  const list = useInfiniteQuery(ticketsQuery);
  const [writing, setWriting] = useState(askedAbout(useSearch()) !== "");
  const refresh = () => Promise.all([support.refetch(), list.refetch()]);
  const { hours, contacts } = support.data ?? {};
  const write = (
    <Button icon="edit" onClick={() => setWriting(true)}>
      {copy.write}
    </Button>
  );
  return (
    <Page refresh={refresh} title={copy.title} subtitle={copy.subtitle}>
      {support.data ? (
        <>
          <Section title={copy.hours}>
            <Stack gap={1} pad>
              <p>
                <Badge tone={hours?.open ? "positive" : "neutral"}>{hours?.says}</Badge>
              </p>
              <p>
                {copy.replyWithin(support.data.reply_hours)}, {hours?.label}.
              </p>
              <Note>{support.data.priority ? copy.priority : copy.noPriority}</Note>
            </Stack>
          </Section>
          {contacts?.whatsapp || contacts?.telegram ? (
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
      ) : (
        <NotYet query={{ ...support, refetch: refresh }} copy={copy} rows={3} />
      )}
      {support.isError && !list.data ? null : (
        <Paged
          of={ticketsQuery}
          rows={({ tickets }) => tickets}
          words={copy}
          empty={<Empty of={["phone", copy.none, copy.noneText]}>{write}</Empty>}
        >
          {(tickets) => (
            <>
              {write}
              <Rows title={copy.tickets}>
                {tickets.map((ticket) => (
                  <TicketCell key={ticket.id} ticket={ticket} />
                ))}
              </Rows>
            </>
          )}
        </Paged>
      )}
      <Section>
        <Cell icon="help" title={copy.faq} subtitle={copy.faqText} href="/IndexFaq" />
      </Section>
      {writing ? (
        <TicketForm subjects={support.data?.subjects ?? []} onClose={() => setWriting(false)} />
      ) : null}
    </Page>
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
    />
  );
}

/** The draft that was not sent: kept until this web view closes. */
type Draft = { readonly kind: string; readonly about: string; readonly words: string };

const KEY = "sesame.ticket-draft";
const EMPTY: Draft = { kind: "", about: "", words: "" };

/** The late withdrawal from which the page was opened, as the form's subject. */
function askedAbout(search: string): string {
  const id = new URLSearchParams(search).get("retrait") ?? "";
  return /^\d{1,18}$/.test(id) ? `retrait:${id}` : "";
}

function TicketForm(props: { subjects: readonly TicketSubjectOnWire[]; onClose(): void }) {
  const asked = askedAbout(useSearch());
  const [draft, setDraft] = useState<Draft>(() => ({
    ...EMPTY,
    ...(readKept("session", KEY) as Partial<Draft> | null),
    ...(asked && { about: asked }),
  }));
  const [complaint, setComplaint] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const live = useSession().at === "live";
  const open = useTicketWrite("POST /api/support/tickets", {});
  const change = (part: Partial<Draft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keep("session", KEY, next);
    setComplaint(null);
  };
  const send = () => {
    if (open.isPending) return;
    open.mutate(bodyOf(draft), {
      onSuccess: ({ message, ticket }) => {
        haptic("success");
        toast(message);
        forget("session", KEY);
        navigate(`/CustomerSupport/${ticket.id}`);
      },
      onError: (error) => {
        haptic("error");
        setComplaint(sayError(error, copy.failed));
      },
    });
  };
  return (
    <Sheet title={copy.write} onClose={props.onClose}>
      <Form onSubmit={send}>
        <SelectField
          label={copy.kind}
          required
          value={draft.kind}
          empty={copy.chooseKind}
          choices={TICKET_KIND_NAMES}
          onChange={(kind) => change({ kind })}
        />
        <SelectField
          label={copy.about}
          value={draft.about}
          empty={copy.aboutNothing}
          choices={choicesOf(props.subjects, draft.about)}
          onChange={(about) => change({ about })}
        />
        <TextArea
          label={copy.message}
          hint={copy.messageHint}
          required
          error={complaint}
          value={draft.words}
          max={TICKET_WORDS_MAX}
          onChange={(words) => change({ words })}
        />
        {live ? null : <Note>{copy.kept}</Note>}
        <Button type="submit" icon="send" busy={open.isPending} disabled={!live}>
          {copy.send}
        </Button>
        <PlainButton onClick={props.onClose}>{kitCopy.cancel}</PlainButton>
      </Form>
    </Sheet>
  );
}

function bodyOf({ kind, about, words }: Draft) {
  const [what, id] = about.split(":");
  const message = words.trim();
  if (id && what === "commande") return { sujet: kind, message, commande: id };
  return id ? { sujet: kind, message, retrait: id } : { sujet: kind, message };
}

/** The subject the page was opened with is always among the choices, also when it is old. */
function choicesOf(subjects: readonly TicketSubjectOnWire[], chosen: string) {
  const choices = subjects.map(({ what, id, buyer, label, amount, at }) => ({
    value: `${what}:${id}`,
    label: joined(buyer, sayShortInstant(at), label, formatFcfa(amount)),
  }));
  if (chosen === "" || choices.some(({ value }) => value === chosen)) return choices;
  const [what, id = ""] = chosen.split(":");
  const label = what === "commande" ? copy.aboutOrder(id) : copy.aboutWithdrawal(id);
  return [{ value: chosen, label }, ...choices];
}
