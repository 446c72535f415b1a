import { WITHDRAWAL_STATUS_NAMES, type WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { trackingCopy } from "../messages.fr.ts";

const copy = trackingCopy.row;

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
  return <Badge tone={toneOf(demande)}>{WITHDRAWAL_STATUS_NAMES[demande.status]}</Badge>;
}

/** One line on where it is now. */
export function sayStanding(demande: WithdrawalOnWire): string {
  switch (demande.status) {
    case "pending":
      return copy.before(sayShortInstant(demande.date_limite));
    case "approved":
      return demande.date_paiement === null
        ? copy.underWay
        : copy.received(sayShortInstant(demande.date_paiement));
    case "rejected":
      return demande.motif ?? "";
    case "cancelled":
      return copy.cancelled(sayShortInstant(demande.date_decision ?? demande.date_creation));
  }
}
