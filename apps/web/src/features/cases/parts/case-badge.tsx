import type { ClaimOnWire, TicketStatusOnWire } from "@sesame/contract/cases";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";

type Status = ClaimOnWire["status"] | TicketStatusOnWire;

const TONES: Readonly<Record<Status, BadgeTone>> = {
  vendeur: "warning",
  operateur: "accent",
  rembourse: "neutral",
  rejete: "neutral",
  resolu: "positive",
  retire: "neutral",
  ouvert: "warning",
  repondu: "positive",
  clos: "neutral",
};

export function CaseBadge({ of }: { of: { status: Status; status_label: string } }) {
  return <Badge tone={TONES[of.status]}>{of.status_label}</Badge>;
}
