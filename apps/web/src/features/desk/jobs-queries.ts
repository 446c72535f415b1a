import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { whole } from "../../lib/resources.ts";
import { DESK, useDeskWrite } from "./queries.ts";

export function failedJobsQuery() {
  return infiniteQueryOptions({
    queryKey: [DESK, "jobs"],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(await call("GET /api/desk/jobs", { query: { cursor } }), "jobs"),
    getNextPageParam: (page) => page.next_cursor,
  });
}

export type JobsToRetry = { id: string } | { topic: string } | { all: true };

export function useRetryJobs() {
  return useDeskWrite((body: JobsToRetry, key) => call("POST /api/desk/jobs/retry", { body, key }));
}
