import type { DeskRefundOnWire } from "@sesame/contract/refunds";
import { useState } from "react";
import { Link } from "wouter";
import { formatFcfa, formatInstant } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { buyersCopy } from "../people-messages.fr.ts";
import styles from "./alert-card.module.css";
import { CopyLine } from "./copy-line.tsx";
import { type Fact, Facts } from "./facts.tsx";
import {
  FeeSheet,
  PaidSheet,
  ReturnedSheet,
  useRefundAct,
  WrongNumberSheet,
} from "./refund-sheets.tsx";

const copy = buyersCopy.refund;

const TONES: Readonly<Record<DeskRefundOnWire["status"], BadgeTone>> = {
  en_cours: "accent",
  numero_attendu: "neutral",
  a_payer: "warning",
  rembourse: "positive",
};

/** Money to give back: to whom, where, why, and what the agent does about it. */
export function RefundCard({ refund }: { refund: DeskRefundOnWire }) {
  return (
    <article className={styles.card}>
      <p className={styles.top}>
        <Badge tone={TONES[refund.status]}>{refund.status_label}</Badge>
        {refund.surplus ? <Badge tone="neutral">{copy.surplus}</Badge> : null}
        {refund.direct ? <Badge tone="neutral">{copy.direct}</Badge> : null}
        <span className={styles.when}>{sayShortInstant(refund.date_creation)}</span>
      </p>
      <h3 className={styles.title}>
        {formatFcfa(refund.amount)} {copy.to(refund.buyer.name)}
      </h3>
      <p className={styles.when}>{refund.title}</p>
      <Standing refund={refund} />
      {refund.numero ? (
        <CopyLine
          label={copy.facts.number}
          shown={refund.numero_label ?? refund.numero}
          copied={refund.numero}
          button={copy.copyNumber}
        />
      ) : null}
      <Facts facts={factsOf(refund)} />
      <p className={styles.links}>
        <Link href={`/bureau/commandes/${refund.order_id}`}>
          {buyersCopy.order(refund.order_id)}
        </Link>
      </p>
      <Acts refund={refund} />
    </article>
  );
}

function Standing({ refund }: { refund: DeskRefundOnWire }) {
  const { taken } = refund;
  const words =
    refund.status === "rembourse"
      ? null
      : taken
        ? taken.mine
          ? copy.mine(timeOf(taken.until))
          : copy.taken(taken.by.name, timeOf(taken.until))
        : refund.lane === "seller"
          ? copy.waitingSeller
          : refund.lane === "provider"
            ? copy.waitingProvider(refund.provider_name)
            : refund.status === "numero_attendu"
              ? copy.waitingNumber
              : null;
  return words ? <p className={styles.advice}>{words}</p> : null;
}

function timeOf(instant: string): string {
  const date = new Date(instant);
  return `${date.getHours()} h ${String(date.getMinutes()).padStart(2, "0")}`;
}

function factsOf(refund: DeskRefundOnWire): Fact[] {
  const { facts } = copy;
  const known = (label: string, value: string | null): Fact[] => (value ? [[label, value]] : []);
  return [
    ...known(facts.method, refund.lane === "returned" ? copy.returned : refund.methode_nom),
    ...known(facts.seller, refund.seller?.name ?? null),
    [facts.provider, refund.provider_name],
    [facts.askedBy, refund.asked_by],
    [facts.reason, refund.motif],
    ...known(facts.advanced, refund.advanced > 0 ? formatFcfa(refund.advanced) : null),
    ...known(facts.reference, refund.reference_operateur),
    ...known(
      facts.doneOn,
      refund.date_remboursement ? formatInstant(refund.date_remboursement) : null,
    ),
    ...known(facts.doneBy, refund.paid_by),
    ...known(facts.fee, refund.provider_fee > 0 ? formatFcfa(refund.provider_fee) : null),
  ];
}

type Sheet = "none" | "paid" | "wrong" | "returned" | "fee";

function Acts({ refund }: { refund: DeskRefundOnWire }) {
  const [sheet, setSheet] = useState<Sheet>("none");
  // For a quarter of an hour, so that two agents do not send the same money.
  const take = useRefundAct(refund.id, "take");
  const { may } = refund;
  const close = () => setSheet("none");
  const barred = [may.paid, may.take].find(({ allowed, reason }) => !allowed && reason)?.reason;
  return (
    <>
      {may.take.allowed && !refund.taken?.mine ? (
        <Button look="tinted" size="small" busy={take.isPending} onClick={() => take.mutate({})}>
          {copy.take}
        </Button>
      ) : null}
      {may.paid.allowed ? (
        <Button size="small" onClick={() => setSheet("paid")}>
          {copy.paid}
        </Button>
      ) : null}
      {may.number.allowed ? (
        <Button look="plain" size="small" onClick={() => setSheet("wrong")}>
          {copy.wrongNumber}
        </Button>
      ) : null}
      {may.returned.allowed ? (
        <Button look="plain" size="small" onClick={() => setSheet("returned")}>
          {copy.returned}
        </Button>
      ) : null}
      {may.fee.allowed ? (
        <Button look="plain" size="small" onClick={() => setSheet("fee")}>
          {copy.fee}
        </Button>
      ) : null}
      {!may.paid.allowed && barred && refund.status === "a_payer" ? (
        <p className={styles.when}>{barred}</p>
      ) : null}
      {take.error ? <p role="alert">{take.error.message}</p> : null}
      {sheet === "paid" ? <PaidSheet refund={refund} onClose={close} /> : null}
      {sheet === "wrong" ? <WrongNumberSheet refund={refund} onClose={close} /> : null}
      {sheet === "returned" ? <ReturnedSheet refund={refund} onClose={close} /> : null}
      {sheet === "fee" ? <FeeSheet refund={refund} onClose={close} /> : null}
    </>
  );
}
