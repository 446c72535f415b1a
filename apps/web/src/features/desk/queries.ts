import type {
  DeskAnswer,
  DeskDecisionAnswer,
  DeskQueueAnswer,
  DeskQueueQuery,
  DeskWithdrawalAnswer,
  DeskWithdrawalDetail,
} from "@sesame/contract/desk";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import { call, type Write, write } from "../../lib/api.ts";
import { newIdempotencyKey, type RequestError } from "../../lib/request.ts";
import { answered } from "../../lib/resources.ts";

/** Everything the desk reads stands under one key: a push makes all of it stale. */
export const DESK = "desk";

/** Deadlines pass and claims end without anybody's act. */
const LOOK_AGAIN_MS = 30_000;

export function deskQuery() {
  return queryOptions<DeskAnswer>({
    queryKey: [DESK, "me"],
    queryFn: async () => {
      const answer = await call<Partial<DeskAnswer>>("/api/desk");
      answered(answer.me);
      return answer as DeskAnswer;
    },
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useDesk(): DeskAnswer | undefined {
  return useQuery(deskQuery()).data;
}

export type QueueFilter = Omit<DeskQueueQuery, "cursor" | "limit">;

export function queueQuery(filter: QueueFilter) {
  return infiniteQueryOptions({
    queryKey: [DESK, "queue", filter],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const answer = await call<Partial<DeskQueueAnswer>>(
        `/api/desk/withdrawals?${inQuery({ ...filter, cursor: pageParam })}`,
      );
      answered(answer.withdrawals);
      return answer as DeskQueueAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function withdrawalQuery(id: string) {
  return queryOptions<DeskWithdrawalDetail>({
    queryKey: [DESK, "withdrawal", id],
    queryFn: async () =>
      answered(
        (
          await call<Partial<DeskWithdrawalAnswer>>(
            `/api/desk/withdrawals/${encodeURIComponent(id)}`,
          )
        ).withdrawal,
      ),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** What is empty is left out. */
export function inQuery(words: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(words).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
  );
  return new URLSearchParams(entries).toString();
}

export type DecisionVerb =
  | "claim"
  | "release"
  | "approve"
  | "paid"
  | "failed"
  | "reject"
  | "resolve";

/** Providers are asked while the agent waits. */
const DECISION_TIMEOUT_MS = 30_000;

export function useDecision(id: string, verb: DecisionVerb) {
  return useDeskWrite<Record<string, unknown>, DeskDecisionAnswer>((body) => ({
    path: `/api/desk/withdrawals/${encodeURIComponent(id)}/${verb}`,
    method: "POST",
    body,
    timeoutMs: DECISION_TIMEOUT_MS,
  }));
}

/**
 * A write of the desk. The same words sent twice in a row, by a double tap or after a silence, carry
 * one key and are one act; other words are another.
 */
export function useDeskWrite<B, A>(act: (body: B) => Omit<Write, "key"> & { path: string }) {
  const client = useQueryClient();
  const intention = useRef({ words: "", key: "" });
  const under = useRef<Promise<A> | null>(null);
  return useMutation<A, RequestError, B>({
    mutationFn: (said) => {
      under.current ??= send(said).finally(() => {
        under.current = null;
      });
      return under.current;
    },
    // Refused too: what was shown when it was refused is old.
    onSettled: () => client.invalidateQueries({ queryKey: [DESK] }),
  });

  async function send(said: B): Promise<A> {
    const { path, ...rest } = act(said);
    const words = `${path} ${JSON.stringify(rest.body)}`;
    if (intention.current.words !== words) {
      intention.current = { words, key: newIdempotencyKey() };
    }
    const answer = await write<A>(path, { ...rest, key: intention.current.key });
    intention.current = { words: "", key: "" };
    return answer;
  }
}
