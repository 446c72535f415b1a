import type { BodyOf } from "@sesame/contract/routes";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { whole } from "../../lib/resources.ts";
import { DESK, useDeskWrite } from "./queries.ts";

/** Empty: today in the instance's zone. */
export function dayQuery(date: string) {
  return queryOptions({
    queryKey: [DESK, "day", date],
    queryFn: async () => whole(await call("GET /api/desk/day", { query: { date } }), "purses"),
  });
}

export type DayVerb = "close" | "correct" | "moves";

export function useDayWrite(verb: DayVerb) {
  return useDeskWrite((body: BodyOf<`POST /api/desk/day/${DayVerb}`>, key) =>
    call(`POST /api/desk/day/${verb}`, { body, key }),
  );
}
