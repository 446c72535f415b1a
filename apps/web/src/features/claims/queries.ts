import type { ClaimAnswer, ClaimOnWire, ClaimsAnswer } from "@sesame/contract/claims";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { useRef } from "react";
import { call, write } from "../../lib/api.ts";
import { newIdempotencyKey, type RequestError } from "../../lib/request.ts";
import { answered, keys } from "../../lib/resources.ts";

/** Deadlines pass without anybody's act. */
const LOOK_AGAIN_MS = 60_000;

export function claimsQuery() {
  return infiniteQueryOptions({
    queryKey: [...keys.claims, "list"],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const cursor = pageParam ? `?cursor=${encodeURIComponent(pageParam)}` : "";
      const answer = await call<Partial<ClaimsAnswer>>(`/api/claims${cursor}`);
      answered(answer.claims);
      return answer as ClaimsAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function claimQuery(id: string) {
  return queryOptions<ClaimOnWire>({
    queryKey: [...keys.claims, "one", id],
    queryFn: async () => {
      const path = `/api/claims/${encodeURIComponent(id)}`;
      return answered((await call<Partial<ClaimAnswer>>(path)).claim);
    },
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** Words on the record: a double tap writes them once. */
export function useTell(id: string, verb: "answer" | "contest") {
  const client = useQueryClient();
  const intention = useRef({ words: "", key: "" });
  return useMutation<ClaimAnswer, RequestError, string>({
    mutationFn: async (message) => {
      if (intention.current.words !== message) {
        intention.current = { words: message, key: newIdempotencyKey() };
      }
      const { key } = intention.current;
      const path = `/api/claims/${encodeURIComponent(id)}/${verb}`;
      const answer = await write<ClaimAnswer>(path, { method: "POST", body: { message }, key });
      intention.current = { words: "", key: "" };
      return answer;
    },
    onSuccess: ({ claim }) => client.setQueryData([...keys.claims, "one", id], claim),
    onSettled: () => client.invalidateQueries({ queryKey: keys.claims }),
  });
}
