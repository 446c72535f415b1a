import type { DeskAlertOnWire, DeskLinkOnWire } from "@sesame/contract/back-office";
import { useState } from "react";
import { Link } from "wouter";
import { formatInstant } from "../../../lib/format.ts";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toast.tsx";
import { useDeskWrite } from "../use-desk.ts";
import { ALERT_WORDS as copy } from "../people-messages.fr.ts";
import { ActSheet } from "./act-sheet.tsx";
import styles from "./alert-card.module.css";
import { Facts } from "./facts.tsx";
import { ReasonField } from "./reason-field.tsx";

const TONES: Readonly<Record<DeskAlertOnWire["severity"], BadgeTone>> = {
  critical: "danger",
  warning: "warning",
  info: "accent",
};

/** What happened, what to do about it, and what was done. */
export function AlertCard({ alert }: { alert: DeskAlertOnWire }) {
  const [resolving, setResolving] = useState(false);
  const links = alert.links.filter((link) => addressOf(link) !== null);
  return (
    <article className={styles.card}>
      <p className={styles.top}>
        <Badge tone={alert.resolved_at ? "neutral" : TONES[alert.severity]}>
          {copy.severity[alert.severity]}
        </Badge>
        <span className={styles.when}>{formatInstant(alert.created_at)}</span>
      </p>
      <h3 className={styles.title}>{alert.title}</h3>
      <p className={styles.advice}>{alert.advice}</p>
      {alert.facts.length > 0 ? (
        <Facts facts={alert.facts.map(({ label, value }) => [label, value] as const)} />
      ) : null}
      {links.length > 0 ? (
        <p className={styles.links}>
          {links.map((link) => (
            <Link key={`${link.type}:${link.id}`} href={addressOf(link) ?? ""}>
              {link.label}
            </Link>
          ))}
        </p>
      ) : null}
      {alert.resolved_at ? (
        <p className={styles.when}>
          {alert.resolved_by
            ? copy.closedBy(alert.resolved_by.name, formatInstant(alert.resolved_at))
            : copy.endedOn(formatInstant(alert.resolved_at))}
          {alert.resolution ? ` : « ${alert.resolution} »` : null}
        </p>
      ) : alert.may_resolve.allowed ? (
        <Button look="tinted" size="small" onClick={() => setResolving(true)}>
          {copy.resolve}
        </Button>
      ) : alert.may_resolve.reason ? (
        <p className={styles.when}>{alert.may_resolve.reason}</p>
      ) : null}
      {resolving ? <ResolveAlert alert={alert} onClose={() => setResolving(false)} /> : null}
    </article>
  );
}

export function addressOf({ type, id }: DeskLinkOnWire): string | null {
  if (type === "seller") return `/bureau/vendeurs/${id}`;
  if (type === "withdrawal") return `/bureau/retraits/${id}`;
  if (type === "order") return `/bureau/commandes/${id}`;
  if (type === "claim") return `/bureau/reclamations/${id}`;
  if (type === "refund") return "/bureau/remboursements";
  return null;
}

function ResolveAlert({ alert, onClose }: { alert: DeskAlertOnWire; onClose(): void }) {
  const [note, setNote] = useState("");
  const act = useDeskWrite("POST /api/desk/alerts/:id/resolve", { params: { id: alert.id } });
  return (
    <ActSheet
      title={copy.resolveTitle}
      text={copy.resolveText}
      confirm={copy.resolve}
      act={act}
      body={{ note }}
      onDone={() => {
        toast(copy.resolved);
        onClose();
      }}
      onClose={onClose}
    >
      <p className={styles.about}>{alert.title}</p>
      <ReasonField label={copy.note} value={note} onChange={setNote} />
    </ActSheet>
  );
}
