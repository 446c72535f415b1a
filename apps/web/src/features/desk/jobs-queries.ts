import type { FailedJobsAnswer, RetryJobsAnswer } from "@sesame/contract/desk";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered } from "../../lib/resources.ts";
import { DESK, inQuery, useDeskWrite } from "./queries.ts";

export function failedJobsQuery() {
  return infiniteQueryOptions({
    queryKey: [DESK, "jobs"],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const answer = await call<Partial<FailedJobsAnswer>>(
        `/api/desk/jobs?${inQuery({ cursor: pageParam })}`,
      );
      answered(answer.jobs);
      return answer as FailedJobsAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
  });
}

export type JobsToRetry = { id: string } | { topic: string } | { all: true };

export function useRetryJobs() {
  return useDeskWrite<JobsToRetry, RetryJobsAnswer>((body) => ({
    path: "/api/desk/jobs/retry",
    method: "POST",
    body,
  }));
}
