import type { ChannelOnWire } from "@sesame/contract/groups";
import { useQueryClient } from "@tanstack/react-query";
import { channelsQuery } from "../../lib/resources.ts";

/** Each chat is asked to Telegram. */
export const ASKED = { timeoutMs: 20_000 };

/** A §2: the spinner is seen for a second at least. */
const SPINNER_MS = 1_000;

export async function atLeastASecond<T>(work: Promise<T>): Promise<T> {
  const pause = new Promise((resolve) => setTimeout(resolve, SPINNER_MS));
  const [answer] = await Promise.all([work, pause]);
  return answer;
}

/** Puts the channel that a call answered in its place. */
export function usePutChannel() {
  const client = useQueryClient();
  return ({ channel }: { readonly channel: ChannelOnWire }) =>
    client.setQueryData(channelsQuery.queryKey, (channels) =>
      channels?.map((each) => (each.id === channel.id ? channel : each)),
    );
}
