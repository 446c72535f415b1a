import { infiniteQueryOptions, queryOptions, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, keys, whole } from "../../lib/resources.ts";
import { useWrite } from "../../lib/use-write.ts";

/** Deadlines pass without anybody's act. */
const LOOK_AGAIN_MS = 60_000;

export function claimsQuery() {
  return infiniteQueryOptions({
    queryKey: [...keys.claims, "list"],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) => {
      return whole(await call("GET /api/claims", { query: { cursor } }), "claims");
    },
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function claimQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.claims, "one", id],
    queryFn: async () => answered((await call("GET /api/claims/:id", { params: { id } })).claim),
    refetchInterval: LOOK_AGAIN_MS,
  });
}

/** Words on the record. */
export function useTell(id: string, verb: "answer" | "contest") {
  const client = useQueryClient();
  return useWrite(
    (message: string, key) =>
      call(`POST /api/claims/:id/${verb}`, { params: { id }, body: { message }, key }),
    {
      onSuccess: ({ claim }) => client.setQueryData(claimQuery(id).queryKey, claim),
      onSettled: () => client.invalidateQueries({ queryKey: keys.claims }),
    },
  );
}
