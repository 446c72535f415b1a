import styles from "./seller.module.css";
import {
  CLAIM_AUTHOR_NAMES,
  type ClaimEntryOnWire,
  type ClaimOnWire,
} from "@sesame/contract/cases";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Button } from "../../kit/button.tsx";
import { Page } from "../../kit/page.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { buyersCopy } from "./people-messages.fr.ts";
import { CaseBadge } from "./parts/case-lists.tsx";
import { Facts } from "./parts/facts.tsx";
import { One } from "./parts/states.tsx";
import { read } from "../../lib/read.ts";
import { toast } from "../../kit/toast.tsx";
import { ActSheet } from "./parts/act-sheet.tsx";
import { ReasonField } from "./parts/reason-field.tsx";
import { LOOK_AGAIN_MS, useDeskWrite } from "./use-desk.ts";

const copy = buyersCopy.claim;

/** One claim at the desk: what both sides said, and the operator's decision. */
export function DeskClaim({ id }: { id: string }) {
  const query = useQuery({
    ...read("GET /api/desk/claims/:id", { params: { id }, pick: "claim" }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <One
      query={query}
      title={buyersCopy.claims}
      missing={copy.missing}
      back={{ label: copy.back, href: "/bureau/reclamations" }}
    >
      {(claim) => <Shown claim={claim} />}
    </One>
  );
}

function Shown({ claim }: { claim: ClaimOnWire }) {
  const { facts } = copy;
  return (
    <Page title={claim.kind_label} subtitle={<CaseBadge of={claim} />}>
      <Section>
        <Facts
          facts={[
            [facts.buyer, claim.buyer.nom],
            [facts.seller, claim.seller?.nom ?? facts.platform],
            [facts.sale, claim.title],
            [facts.amount, formatFcfa(claim.amount)],
            [facts.opened, formatInstant(claim.opened_at)],
            ...(claim.status === "vendeur"
              ? [[facts.due, formatInstant(claim.seller_due_at)] as const]
              : []),
            ...(claim.closed_at ? [[facts.closed, formatInstant(claim.closed_at)] as const] : []),
          ]}
        />
        <Cell
          icon="document"
          tint="blue"
          title={copy.openOrder}
          subtitle={buyersCopy.order(claim.order_id)}
          href={`/bureau/commandes/${claim.order_id}`}
          chevron
        />
      </Section>
      <ClaimRecord entries={claim.entries} />
      {claim.may.decide ? <Decision claim={claim} /> : null}
    </Page>
  );
}

/** Who said and did what, oldest first. */
function ClaimRecord({ entries }: { entries: readonly ClaimEntryOnWire[] }) {
  return (
    <Section title={copy.record}>
      <ol>
        {entries.map((entry) => (
          <li key={`${entry.at} ${entry.step}`}>
            <Cell
              title={`${CLAIM_AUTHOR_NAMES[entry.author]} · ${entry.step_label}`}
              subtitle={[sayShortInstant(entry.at), entry.words ? `« ${entry.words} »` : null]
                .filter(Boolean)
                .join(" · ")}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Decision({ claim }: { claim: ClaimOnWire }) {
  const [deciding, setDeciding] = useState<"refund" | "reject" | null>(null);
  return (
    <section className={styles.buttons} aria-label={copy.decide}>
      <Button onClick={() => setDeciding("refund")}>{copy.refund}</Button>
      <Button look="danger-tinted" onClick={() => setDeciding("reject")}>
        {copy.reject}
      </Button>
      {deciding ? (
        <DecideSheet claim={claim} decision={deciding} onClose={() => setDeciding(null)} />
      ) : null}
    </section>
  );
}

/** The operator's last word, with the reason both sides read. */
function DecideSheet(props: {
  claim: ClaimOnWire;
  decision: "refund" | "reject";
  onClose(): void;
}) {
  const { claim, decision, onClose } = props;
  const [reason, setReason] = useState("");
  const act = useDeskWrite("POST /api/desk/claims/:id/decide", { params: { id: claim.id } });
  const refund = decision === "refund";
  return (
    <ActSheet
      title={refund ? copy.refundTitle : copy.rejectTitle}
      text={refund ? copy.refundText(formatFcfa(claim.amount)) : copy.rejectText}
      confirm={refund ? copy.refund : copy.reject}
      look={refund ? "filled" : "danger"}
      act={act}
      body={{ decision, reason: reason.trim() }}
      onDone={(answer) => {
        toast(answer.message);
        onClose();
      }}
      onClose={onClose}
    >
      <ReasonField label={copy.reason} value={reason} onChange={setReason} />
    </ActSheet>
  );
}
