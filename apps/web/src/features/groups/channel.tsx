import type { ChannelOnWire } from "@sesame/contract/groups";
import { useQueryClient } from "@tanstack/react-query";
import { formatNumber } from "../../lib/format.ts";
import { channelsQuery } from "../../lib/resources.ts";
import { Badge, type BadgeTone } from "../../kit/button.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Text } from "../../kit/layout.tsx";
import { groupsCopy as copy } from "./messages.fr.ts";

/** The server asks Telegram about each chat. */
export const ASKED = { timeoutMs: 20_000 };

/** Puts the channel that a call answered in its place. */
export function usePutChannel() {
  const client = useQueryClient();
  return ({ channel }: { readonly channel: ChannelOnWire }) =>
    client.setQueryData(channelsQuery.queryKey, (channels) =>
      channels?.map((each) => (each.id === channel.id ? channel : each)),
    );
}

export function KindIcon({ type }: { type: ChannelOnWire["type"] }) {
  const channel = type === "canal";
  return (
    <Text as="span" tone="soft" title={channel ? copy.channel : copy.group}>
      <Icon name={channel ? "megaphone" : "people"} size={16} />
      <span className="visually-hidden">{channel ? copy.channel : copy.group}</span>
    </Text>
  );
}

export function sayMembers(channel: ChannelOnWire): string {
  const { members } = channel.details;
  if (members === null) return channel.type === "canal" ? copy.channel : copy.group;
  return copy.members(formatNumber(members), members > 1);
}

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
export function adviceFor({ details }: ChannelOnWire): string | null {
  const { state, missing_rights: missing } = details;
  if (state === "connected") return null;
  if (state !== "missing_rights") return copy.advice[state];
  return copy.advice.missing_rights(missing.map(({ label }) => label).join(", "));
}
