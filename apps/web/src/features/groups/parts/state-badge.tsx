import type { ChannelOnWire } from "@sesame/contract/groups";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { groupsCopy as copy } from "../messages.fr.ts";

type State = ChannelOnWire["details"]["state"];

const TONES: Record<State, BadgeTone> = {
  connected: "positive",
  missing_rights: "warning",
  removed: "danger",
  seller_not_admin: "danger",
  public: "danger",
  over_quota: "warning",
};

export function StateBadge({ state }: { state: State }) {
  return <Badge tone={TONES[state]}>{copy.state[state]}</Badge>;
}

/** What to do about it; null when all is well. */
export function adviceFor(channel: ChannelOnWire): string | null {
  const { state, missing_rights } = channel.details;
  switch (state) {
    case "connected":
      return null;
    case "missing_rights":
      return copy.advice.missing_rights(missing_rights.map(({ label }) => label).join(", "));
    case "removed":
    case "seller_not_admin":
    case "public":
    case "over_quota":
      return copy.advice[state];
  }
}
