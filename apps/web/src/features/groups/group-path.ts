import type { ChannelOnWire } from "@sesame/contract/groups";

/** /GroupeDetail/{idGroup}/{type}/{nom}. */
export function groupPath(channel: ChannelOnWire): string {
  const parts = [String(channel.telegram_group_id), channel.type, channel.name];
  return `/GroupeDetail/${parts.map(encodeURIComponent).join("/")}`;
}

/** By Telegram's id as in the address, or by our own. */
export function findChannel(
  channels: readonly ChannelOnWire[] | undefined,
  id: string,
): ChannelOnWire | undefined {
  return channels?.find((channel) => String(channel.telegram_group_id) === id || channel.id === id);
}
