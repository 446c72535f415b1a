import type { AnswerOf } from "@sesame/contract/routes";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { whole } from "../../lib/resources.ts";
import { DESK, useDeskWrite } from "./queries.ts";

export type ReconciliationRun = AnswerOf<"GET /api/desk/reconciliations">["runs"][number];

export function reconciliationsQuery() {
  return infiniteQueryOptions({
    queryKey: [DESK, "reconciliations"],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(await call("GET /api/desk/reconciliations", { query: { cursor } }), "differences"),
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useReconcileNow() {
  return useDeskWrite((body: Record<string, never>, key) =>
    call("POST /api/desk/reconciliations", { body, key }),
  );
}
