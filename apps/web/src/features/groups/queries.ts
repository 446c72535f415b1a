import type { AnswerOf } from "@sesame/contract/routes";
import type { ChannelOnWire } from "@sesame/contract/groups";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { keys } from "../../lib/resources.ts";

/** A §2: the spinner is seen for a second at least. */
const SPINNER_MS = 1_000;
/** Each chat is asked to Telegram. */
const ASKED = { body: {}, timeoutMs: 20_000 };

async function atLeastASecond<T>(work: Promise<T>): Promise<T> {
  const pause = new Promise((resolve) => setTimeout(resolve, SPINNER_MS));
  const [answer] = await Promise.all([work, pause]);
  return answer;
}

/** A real re-check of each chat: rights, title, members (decision 28). */
export function useRecheckAll() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => atLeastASecond(call("POST /api/channels/refresh", ASKED)),
    onSuccess: (answer) => client.setQueryData(keys.channels, answer.channels),
  });
}

/** A call that answers the channel as it is now. */
function useChannelWrite<T>(send: (input: T) => Promise<AnswerOf<"GET /api/channels/:id">>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (answer) =>
      client.setQueryData<ChannelOnWire[]>(keys.channels, (channels) =>
        channels?.map((channel) => (channel.id === answer.channel.id ? answer.channel : channel)),
      ),
  });
}

export function useRecheck(id: string) {
  return useChannelWrite<void>(() =>
    atLeastASecond(call("POST /api/channels/:id/refresh", { params: { id }, ...ASKED })),
  );
}

/** Takes from members the right to add members, at Telegram. */
export function useCloseMemberAdds(id: string) {
  return useChannelWrite<void>(() =>
    call("POST /api/channels/:id/close-member-adds", { params: { id }, ...ASKED }),
  );
}

/** Whether people whom a member adds without paid time are removed. */
export function useEntryRules(id: string) {
  return useChannelWrite<boolean>((removeAdded) =>
    call("PUT /api/channels/:id/entry-rules", {
      params: { id },
      body: { remove_added: removeAdded },
    }),
  );
}

const reclaimableKey = [...keys.channels, "reclaimable"];

/** Groups the person created that another seller sells; Telegram is asked about each. */
export function useReclaimable() {
  return useQuery({
    queryKey: reclaimableKey,
    queryFn: async () => (await call("GET /api/channels/reclaimable")).channels ?? [],
    // Nothing is said where it cannot be known: the list itself does not depend on it.
    retry: false,
  });
}

export function useReclaim(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call("POST /api/channels/:id/reclaim", { params: { id }, ...ASKED }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.channels }),
  });
}

/** Which groups sell under a limited plan (decision 88). */
export function useChooseQuota() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (groups: string[]) => call("PUT /api/groups/quota", { body: { groups } }),
    onSuccess: (answer) => {
      client.setQueryData(keys.channels, answer.channels);
      // What a product can be sold for depends on its group.
      return client.invalidateQueries({ queryKey: keys.products });
    },
  });
}
