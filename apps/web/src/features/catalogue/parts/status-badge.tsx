import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { catalogueCopy as copy } from "../messages.fr.ts";

const TONES: Record<string, BadgeTone> = {
  active: "positive",
  inactive: "neutral",
  pending: "warning",
};

export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge tone={TONES[status] ?? "accent"}>{copy.status[status] ?? copy.unknownStatus}</Badge>
  );
}
