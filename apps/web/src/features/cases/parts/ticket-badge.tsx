import type { TicketLineOnWire } from "@sesame/contract/cases";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";

const TONES: Readonly<Record<TicketLineOnWire["status"], BadgeTone>> = {
  ouvert: "warning",
  repondu: "positive",
  clos: "neutral",
};

export function TicketBadge({ ticket }: { ticket: TicketLineOnWire }) {
  return <Badge tone={TONES[ticket.status]}>{ticket.status_label}</Badge>;
}
