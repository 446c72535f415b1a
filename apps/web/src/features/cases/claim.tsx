import { CLAIM_WORDS_MAX, type ClaimEntryOnWire, type ClaimOnWire } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { RefundSheet, RefundStatus } from "../../lib/refund.tsx";
import { Banner } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Line, Stack, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { Screen } from "../../kit/screen.tsx";
import { Section } from "../../kit/section.tsx";
import { Thread } from "../../kit/records.tsx";
import { act, ActForm, Acts } from "../../kit/use-action.tsx";
import { sayLeft } from "./claims.tsx";
import { claimsCopy as copy } from "./messages.fr.ts";
import { CaseBadge, claimQuery, saleQuery } from "./queries.tsx";

/** /reclamations/:id: the record both sides read, and what the seller may do. */
export function Claim({ id }: { id: string }) {
  return (
    <Screen
      of={claimQuery(id)}
      title={copy.title}
      words={copy}
      missing={copy.missing}
      missingText={copy.missingText}
      back={{ label: copy.back, href: "/reclamations" }}
    >
      {(claim, since) => <Shown claim={claim} now={since} />}
    </Screen>
  );
}

function Shown({ claim, now }: { claim: ClaimOnWire; now: number }) {
  const refund = useQuery(read("GET /api/orders/:id", { params: { id: claim.order_id } })).data
    ?.refund;
  return (
    <Page
      title={claim.kind_label}
      subtitle={
        <Line as="span">
          <CaseBadge of={claim} />
          <span>{copy.order(claim.order_id)}</span>
        </Line>
      }
    >
      <Deadline claim={claim} now={now} />
      <Section>
        <Stack pad>
          <Facts
            facts={[
              [copy.buyer, claim.buyer.nom],
              [copy.sale, claim.title],
              [copy.amount, formatFcfa(claim.amount), true],
              [copy.opened, formatInstant(claim.opened_at)],
              [copy.closed, claim.closed_at && formatInstant(claim.closed_at)],
            ]}
          />
        </Stack>
      </Section>
      {refund ? (
        <Section>
          <Stack pad>
            <RefundStatus refund={refund} />
          </Stack>
        </Section>
      ) : null}
      <ClaimRecord entries={claim.entries} />
      {claim.may.answer ? <Answer id={claim.id} /> : null}
      <Choices claim={claim} />
    </Page>
  );
}

function Deadline({ claim, now }: { claim: ClaimOnWire; now: number }) {
  if (claim.status === "operateur") {
    return (
      <Banner tone="accent" icon="shield">
        {copy.withOperator}
      </Banner>
    );
  }
  if (claim.status !== "vendeur") return null;
  const left = sayLeft(claim.seller_due_at, now);
  return (
    <Banner tone="warning" icon="clock">
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

/** Who said and did what, oldest first: the same for both sides. */
function ClaimRecord({ entries }: { entries: readonly ClaimEntryOnWire[] }) {
  return (
    <Stack as="section" gap={2}>
      <Text as="h2" size="heading">
        {copy.record}
      </Text>
      <Thread
        label={copy.record}
        gone={null}
        messages={entries.map(({ author, step, step_label, words, at }) => ({
          id: `${at} ${step}`,
          side: author === "vendeur" ? "mine" : author === "systeme" ? "nobody" : "theirs",
          author: copy.authors[author],
          step: step_label,
          at,
          words,
        }))}
      />
    </Stack>
  );
}

function Choices({ claim }: { claim: ClaimOnWire }) {
  const [refunding, setRefunding] = useState(false);
  const { id, may } = claim;
  const sale = useQuery({ ...saleQuery(claim.order_id), enabled: may.refund }).data;
  if (!may.refund && !may.contest) return null;
  return (
    <Stack>
      {may.refund && sale ? (
        <Button look="danger-tinted" onClick={() => setRefunding(true)}>
          {copy.refund}
        </Button>
      ) : null}
      <Acts
        of={[
          may.contest &&
            act(
              "POST /api/claims/:id/contest",
              { params: { id } },
              {
                button: copy.contest,
                look: "tinted",
                title: copy.contestTitle,
                text: copy.contestText,
                confirm: copy.contestConfirm,
                fields: { message: { ...OWN_WORDS, label: copy.contestField } },
                failed: copy.failed,
              },
            ),
        ]}
      />
      {refunding && sale ? <RefundSheet sale={sale} onClose={() => setRefunding(false)} /> : null}
    </Stack>
  );
}

const OWN_WORDS = { kind: "words", max: CLAIM_WORDS_MAX, required: true } as const;

/** Words on the record. */
function Answer({ id }: { id: string }) {
  return (
    <ActForm
      of={act(
        "POST /api/claims/:id/answer",
        { params: { id } },
        {
          button: copy.send,
          icon: "send",
          fields: { message: { ...OWN_WORDS, label: copy.reply, hint: copy.replyHint } },
          failed: copy.failed,
        },
      )}
    />
  );
}
