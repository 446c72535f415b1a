import {
  groupPhone,
  WITHDRAWAL_STATUS_NAMES,
  type WithdrawalOnWire,
} from "@sesame/contract/withdrawals";
import { useLocation } from "wouter";
import { formatFcfa, formatInstant, keepTogether } from "../../lib/format.ts";
import { useSession } from "../../lib/session.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { Badge, type BadgeTone } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { type Fact, Facts } from "../../kit/facts.tsx";
import { Card, Line, Stack, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { OperatorMark } from "../../kit/operator-mark.tsx";
import { trackingCopy } from "./tracking.fr.ts";

const copy = trackingCopy.details;

/** The whole of a request: its dates, its reason, and what can still be done. */
export function WithdrawalDetails(props: { demande: WithdrawalOnWire; onClose(): void }) {
  const { demande, onClose } = props;
  const live = useSession().at === "live";
  const [, navigate] = useLocation();
  const go = (path: string) => () => {
    onClose();
    navigate(path);
  };
  return (
    <Sheet title={formatFcfa(demande.montant)} onClose={onClose}>
      <Stack>
        <Line gap={3} center>
          <OperatorMark operator={demande.operateur} size={44} />
          <WithdrawalBadge demande={demande} />
        </Line>
        {demande.status === "rejected" ? (
          <Card gap={1} wrong>
            <Text as="strong" tone="brick">
              {copy.reason}
            </Text>
            <p>{demande.motif}</p>
            <p>{copy.returned}</p>
          </Card>
        ) : null}
        <Facts facts={[...datesOf(demande), ...factsOf(demande)]} />
        {demande.status === "pending" && !demande.annulable ? (
          <Text size="small" tone="soft">
            {copy.taken}
          </Text>
        ) : null}
        {demande.late ? (
          <>
            <Text size="small" tone="amber">
              {copy.lateText}
            </Text>
            <Button look="tinted" onClick={go("/CustomerSupport")}>
              {copy.support}
            </Button>
          </>
        ) : null}
        {demande.annulable && live ? (
          <Button look="danger-tinted" onClick={go(`/AnnulerRetrait/${demande.id}`)}>
            {copy.cancel}
          </Button>
        ) : null}
        {demande.status === "rejected" ? (
          <Button look="tinted" onClick={go("/retrait")}>
            {copy.again}
          </Button>
        ) : null}
      </Stack>
    </Sheet>
  );
}

/** What happened, in the order it happened, and what comes next. */
function datesOf(demande: WithdrawalOnWire): Fact[] {
  const facts: Fact[] = [[copy.asked, formatInstant(demande.date_creation)]];
  const decided = demande.date_decision ? formatInstant(demande.date_decision) : "";
  switch (demande.status) {
    case "pending":
      facts.push([
        copy.waiting,
        copy[demande.late ? "late" : "expected"](formatInstant(demande.date_limite)),
      ]);
      break;
    case "approved":
      facts.push(
        [copy.approved, decided],
        [
          copy.paid,
          demande.date_paiement ? formatInstant(demande.date_paiement) : copy.sending,
          demande.date_paiement !== null,
        ],
      );
      break;
    case "rejected":
      facts.push([copy.rejected, decided]);
      break;
    case "cancelled":
      facts.push([copy.cancelled, decided]);
      break;
  }
  return facts;
}

export function factsOf(demande: WithdrawalOnWire): Fact[] {
  return [
    [copy.method, demande.methode_nom],
    [copy.phone, keepTogether(groupPhone(demande.numero_transfert))],
    [copy.whatsapp, keepTogether(groupPhone(demande.numero_whatsapp))],
    [copy.fee, formatFcfa(0)],
    [copy.origin, demande.automatique && copy.automatic],
    [copy.reference, demande.reference_transaction],
  ];
}

const row = trackingCopy.row;

function toneOf({ status, date_paiement }: WithdrawalOnWire): BadgeTone {
  switch (status) {
    case "pending":
      return "warning";
    case "approved":
      return date_paiement === null ? "accent" : "positive";
    case "rejected":
      return "danger";
    case "cancelled":
      return "neutral";
  }
}

export function WithdrawalBadge({ demande }: { demande: WithdrawalOnWire }) {
  const { status, date_paiement } = demande;
  // Received: the word that the history of transactions has for it.
  const name = date_paiement === null ? WITHDRAWAL_STATUS_NAMES[status] : copy.received;
  return <Badge tone={toneOf(demande)}>{name}</Badge>;
}

/** One line on where it is now. */
export function sayStanding(demande: WithdrawalOnWire): string {
  switch (demande.status) {
    case "pending":
      return row[demande.late ? "late" : "before"](sayShortInstant(demande.date_limite));
    case "approved":
      return demande.date_paiement === null
        ? row.underWay
        : row.received(sayShortInstant(demande.date_paiement));
    case "rejected":
      return demande.motif ?? "";
    case "cancelled":
      return row.cancelled(sayShortInstant(demande.date_decision ?? demande.date_creation));
  }
}
