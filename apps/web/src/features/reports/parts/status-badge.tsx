import type { TransactionStatus } from "@sesame/contract/reports";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { homeCopy } from "../home-messages.fr.ts";

const TONES: Record<TransactionStatus, BadgeTone> = {
  success: "positive",
  pending: "warning",
  failed: "danger",
  refunded: "neutral",
  cancelled: "neutral",
};

/** The three words of B §4, with Remboursé and Annulé (decision 73). */
export function StatusBadge({ status }: { status: TransactionStatus }) {
  return <Badge tone={TONES[status]}>{homeCopy.status[status]}</Badge>;
}
