import { STAGE_NAMES, type Stage } from "@sesame/contract/treasury";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { Icon } from "../../../kit/icons.tsx";
import { queueCopy } from "../messages.fr.ts";

const TONES: Readonly<Record<Stage, BadgeTone>> = {
  pending: "accent",
  claimed: "accent",
  "second-agent": "warning",
  "to-pay": "accent",
  sending: "accent",
  uncertain: "warning",
  paid: "positive",
  failed: "danger",
  rejected: "danger",
  cancelled: "neutral",
};

export function StageBadge({ stage }: { stage: Stage }) {
  return <Badge tone={TONES[stage]}>{STAGE_NAMES[stage]}</Badge>;
}

export function PremiumBadge() {
  return (
    <Badge tone="accent">
      <Icon name="star" size={12} />
      {queueCopy.premium}
    </Badge>
  );
}
