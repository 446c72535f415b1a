import type { DeskQueueQuery } from "@sesame/contract/desk";
import type { AnswerOf, BodyOf } from "@sesame/contract/routes";
import {
  infiniteQueryOptions,
  queryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, whole } from "../../lib/resources.ts";
import { useWrite } from "../../lib/use-write.ts";

/** Everything the desk reads stands under one key: a push makes all of it stale. */
export const DESK = "desk";

/** Deadlines pass and claims end without anybody's act. */
export const LOOK_AGAIN_MS = 30_000;

export function deskQuery() {
  return queryOptions({
    queryKey: [DESK, "me"],
    queryFn: async () => whole(await call("GET /api/desk"), "me"),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useDesk(): AnswerOf<"GET /api/desk"> | undefined {
  return useQuery(deskQuery()).data;
}

export type QueueFilter = Omit<DeskQueueQuery, "cursor" | "limit">;

export function queueQuery(filter: QueueFilter) {
  return infiniteQueryOptions({
    queryKey: [DESK, "queue", filter],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(
        await call("GET /api/desk/withdrawals", { query: { ...filter, cursor } }),
        "withdrawals",
      ),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function withdrawalQuery(id: string) {
  return queryOptions({
    queryKey: [DESK, "withdrawal", id],
    queryFn: async () =>
      answered((await call("GET /api/desk/withdrawals/:id", { params: { id } })).withdrawal),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export type DecisionVerb =
  | "claim"
  | "release"
  | "approve"
  | "paid"
  | "failed"
  | "reject"
  | "resolve";

export type DecisionBody = BodyOf<`POST /api/desk/withdrawals/:id/${DecisionVerb}`>;

/** Providers are asked while the agent waits. */
const DECISION_TIMEOUT_MS = 30_000;

export function useDecision(id: string, verb: DecisionVerb) {
  return useDeskWrite((body: DecisionBody, key) =>
    call(`POST /api/desk/withdrawals/:id/${verb}`, {
      params: { id },
      body,
      key,
      timeoutMs: DECISION_TIMEOUT_MS,
    }),
  );
}

/** A write of the desk. Refused too: what was shown when it was refused is old. */
export function useDeskWrite<B, A>(send: (said: B, key: string) => Promise<A>) {
  const client = useQueryClient();
  return useWrite(send, { onSettled: () => client.invalidateQueries({ queryKey: [DESK] }) });
}
