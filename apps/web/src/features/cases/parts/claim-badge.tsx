import type { ClaimOnWire } from "@sesame/contract/cases";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";

const TONES: Readonly<Record<ClaimOnWire["status"], BadgeTone>> = {
  vendeur: "warning",
  operateur: "accent",
  rembourse: "neutral",
  rejete: "neutral",
  resolu: "positive",
  retire: "neutral",
};

export function ClaimBadge({ claim }: { claim: ClaimOnWire }) {
  return <Badge tone={TONES[claim.status]}>{claim.status_label}</Badge>;
}
