import { COMPLAINT_WORDS_MAX, type ComplaintOnWire } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { RefundButton, RefundStatus } from "../../lib/refund.tsx";
import { Banner } from "../../kit/button.tsx";
import { NotYet, Page, Screen } from "../../kit/screen.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Heading, Line, Section, Stack } from "../../kit/layout.tsx";
import { Thread } from "../../kit/records.tsx";
import { act, ActForm, Acts } from "../../kit/use-action.tsx";
import { sayLeft } from "./complaints.tsx";
import { complaintsCopy as copy } from "./messages.fr.ts";
import { CaseBadge, complaintQuery, saleQuery } from "./queries.tsx";

/** /reclamations/:id: the record both sides read, and what the seller may do. */
export function Complaint({ id }: { id: string }) {
  return (
    <Screen
      of={complaintQuery(id)}
      title={copy.title}
      words={copy}
      missing={copy.missing}
      missingText={copy.missingText}
      back={{ label: copy.back, href: "/reclamations" }}
    >
      {(complaint, since) => <Shown complaint={complaint} now={since} />}
    </Screen>
  );
}

function Shown({ complaint, now }: { complaint: ComplaintOnWire; now: number }) {
  const refund = useQuery(read("GET /api/orders/:id", { params: { id: complaint.order_id } })).data
    ?.refund;
  return (
    <Page
      title={complaint.kind_label}
      subtitle={
        <Line as="span">
          <CaseBadge of={complaint} />
          <span>{copy.order(complaint.order_id)}</span>
        </Line>
      }
    >
      <Deadline complaint={complaint} now={now} />
      <Section pad>
        <Facts
          facts={[
            [copy.buyer, complaint.buyer.nom],
            [copy.sale, complaint.title],
            [copy.amount, formatFcfa(complaint.amount), true],
            [copy.opened, formatInstant(complaint.opened_at)],
            [copy.closed, complaint.closed_at && formatInstant(complaint.closed_at)],
          ]}
        />
      </Section>
      {refund ? (
        <Section pad>
          <RefundStatus refund={refund} />
        </Section>
      ) : null}
      <Stack as="section" gap={2}>
        <Heading>{copy.record}</Heading>
        <Thread
          label={copy.record}
          gone={null}
          messages={complaint.entries.map(({ author, step, step_label, words, at }) => ({
            id: `${at} ${step}`,
            side: author === "vendeur" ? "mine" : author === "systeme" ? "nobody" : "theirs",
            author: copy.authors[author],
            step: step_label,
            at,
            words,
          }))}
        />
      </Stack>
      {complaint.may.answer ? (
        <ActForm
          of={act("POST /api/complaints/:id/answer", {
            params: { id: complaint.id },
            button: copy.send,
            icon: "send",
            fields: { message: { ...OWN_WORDS, label: copy.reply, hint: copy.replyHint } },
            failed: copy.failed,
          })}
        />
      ) : null}
      <Choices complaint={complaint} />
    </Page>
  );
}

function Deadline({ complaint, now }: { complaint: ComplaintOnWire; now: number }) {
  if (complaint.status === "operateur") {
    return (
      <Banner tone="accent" icon="shield">
        {copy.withOperator}
      </Banner>
    );
  }
  if (complaint.status !== "vendeur") return null;
  const left = sayLeft(complaint.seller_due_at, now);
  return (
    <Banner icon="clock">
      {left ? (
        <>
          <strong>{copy.due(left)}.</strong> {copy.dueText}
        </>
      ) : (
        copy.overdue
      )}
    </Banner>
  );
}

function Choices({ complaint }: { complaint: ComplaintOnWire }) {
  const { id, may } = complaint;
  const sale = useQuery({ ...saleQuery(complaint.order_id), enabled: may.refund });
  if (!may.refund && !may.contest) return null;
  return (
    <Stack>
      {!may.refund || sale.data === null ? null : sale.data ? (
        <RefundButton sale={sale.data} />
      ) : (
        <NotYet query={sale} rows={1} />
      )}
      <Acts
        of={
          may.contest &&
          act("POST /api/complaints/:id/contest", {
            params: { id },
            button: copy.contest,
            look: "tinted",
            title: copy.contestTitle,
            text: copy.contestText,
            confirm: copy.contestConfirm,
            fields: { message: { ...OWN_WORDS, label: copy.contestField } },
            failed: copy.failed,
          })
        }
      />
    </Stack>
  );
}

const OWN_WORDS = { kind: "words", max: COMPLAINT_WORDS_MAX, required: true } as const;
