import type { ClaimEntryOnWire, ClaimOnWire } from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { saleOrderQuery, saleQuery } from "../../lib/refund/queries.ts";
import { RefundSheet } from "../../lib/refund/refund-sheet.tsx";
import { RefundStatus } from "../../lib/refund/refund-status.tsx";
import { RequestError } from "../../lib/request.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Page } from "../../ui/page.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import styles from "./claims.module.css";
import { claimsCopy as copy } from "./claim-messages.fr.ts";
import { AnswerForm } from "./parts/answer-form.tsx";
import { ClaimBadge } from "./parts/claim-badge.tsx";
import { ContestSheet } from "./parts/contest-sheet.tsx";
import { claimQuery } from "./claim-queries.ts";
import { sayLeft } from "./say-left.ts";

/** /reclamations/:id: the record both sides read, and what the seller may do. */
export function Claim({ id }: { id: string }) {
  const query = useQuery(claimQuery(id));
  const [, navigate] = useLocation();
  if (query.data) return <Shown claim={query.data} now={query.dataUpdatedAt} />;
  const missing = query.error instanceof RequestError && query.error.status === 404;
  return (
    <Page title={missing ? copy.missing : copy.title}>
      {missing ? (
        <EmptyState
          drawing="search"
          title={copy.missing}
          text={copy.missingText}
          action={<Button onClick={() => navigate("/reclamations")}>{copy.back}</Button>}
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

function Shown({ claim, now }: { claim: ClaimOnWire; now: number }) {
  const refund = useQuery(saleOrderQuery(claim.order_id)).data?.refund;
  return (
    <Page
      title={claim.kind_label}
      subtitle={
        <span className={styles.marks}>
          <ClaimBadge claim={claim} />
          <span>{copy.order(claim.order_id)}</span>
        </span>
      }
    >
      <Deadline claim={claim} now={now} />
      <Section>
        <div className={styles.facts}>
          <Facts
            facts={[
              { name: copy.buyer, value: claim.buyer.nom },
              { name: copy.sale, value: claim.title },
              { name: copy.amount, value: formatFcfa(claim.amount), strong: true },
              { name: copy.opened, value: formatInstant(claim.opened_at) },
              ...(claim.closed_at
                ? [{ name: copy.closed, value: formatInstant(claim.closed_at) }]
                : []),
            ]}
          />
        </div>
      </Section>
      {refund ? (
        <Section>
          <div className={styles.padded}>
            <RefundStatus refund={refund} />
          </div>
        </Section>
      ) : null}
      <ClaimRecord entries={claim.entries} />
      {claim.may.answer ? <AnswerForm id={claim.id} /> : null}
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
    <section className={styles.record} aria-labelledby="claim-record">
      <h2 id="claim-record">{copy.record}</h2>
      <ol>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.step}`} data-author={entry.author}>
            <p className={styles.author}>
              <strong>{copy.authors[entry.author]}</strong>
              <span>{entry.step_label}</span>
              <time dateTime={entry.at}>{sayShortInstant(entry.at)}</time>
            </p>
            {entry.words ? <p className={styles.words}>{entry.words}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

type Choosing = "nothing" | "refund" | "contest";

function Choices({ claim }: { claim: ClaimOnWire }) {
  const [choosing, setChoosing] = useState<Choosing>("nothing");
  const { may } = claim;
  const sale = useQuery({ ...saleQuery(claim.order_id), enabled: may.refund }).data;
  const close = () => setChoosing("nothing");
  if (!may.refund && !may.contest) return null;
  return (
    <div className={styles.choices}>
      {may.refund && sale ? (
        <Button look="danger-tinted" onClick={() => setChoosing("refund")}>
          {copy.refund}
        </Button>
      ) : null}
      {may.contest ? (
        <Button look="tinted" onClick={() => setChoosing("contest")}>
          {copy.contest}
        </Button>
      ) : null}
      {choosing === "refund" && sale ? <RefundSheet sale={sale} onClose={close} /> : null}
      {choosing === "contest" ? <ContestSheet id={claim.id} onClose={close} /> : null}
    </div>
  );
}
