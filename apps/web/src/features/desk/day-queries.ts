import type { CloseDayAnswer, DayAnswer } from "@sesame/contract/desk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered } from "../../lib/resources.ts";
import { DESK, inQuery, useDeskWrite } from "./queries.ts";

/** Empty: today in the instance's zone. */
export function dayQuery(date: string) {
  return queryOptions<DayAnswer>({
    queryKey: [DESK, "day", date],
    queryFn: async () => {
      const answer = await call<Partial<DayAnswer>>(`/api/desk/day?${inQuery({ date })}`);
      answered(answer.purses);
      return answer as DayAnswer;
    },
  });
}

export type DayVerb = "close" | "correct" | "moves";

export function useDayWrite(verb: DayVerb) {
  return useDeskWrite<Record<string, unknown>, CloseDayAnswer>((body) => ({
    path: `/api/desk/day/${verb}`,
    method: "POST",
    body,
  }));
}
