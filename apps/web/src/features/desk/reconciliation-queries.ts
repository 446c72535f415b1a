import type { ReconcileNowAnswer, ReconciliationsAnswer } from "@sesame/contract/desk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered } from "../../lib/resources.ts";
import { DESK, inQuery, useDeskWrite } from "./queries.ts";

export type ReconciliationRun = ReconciliationsAnswer["runs"][number];

export function reconciliationsQuery() {
  return infiniteQueryOptions({
    queryKey: [DESK, "reconciliations"],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const answer = await call<Partial<ReconciliationsAnswer>>(
        `/api/desk/reconciliations?${inQuery({ cursor: pageParam })}`,
      );
      answered(answer.differences);
      return answer as ReconciliationsAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useReconcileNow() {
  return useDeskWrite<Record<string, never>, ReconcileNowAnswer>(() => ({
    path: "/api/desk/reconciliations",
    method: "POST",
    body: {},
  }));
}
