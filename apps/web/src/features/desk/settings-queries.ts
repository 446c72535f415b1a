import type { AnswerOf, BodyOf } from "@sesame/contract/routes";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, whole } from "../../lib/resources.ts";
import { DESK, useDeskWrite } from "./queries.ts";

export type SettingsAnswer = AnswerOf<"GET /api/desk/settings">;

export function settingsQuery() {
  return queryOptions({
    queryKey: [DESK, "settings"],
    queryFn: async () => whole(await call("GET /api/desk/settings"), "settings"),
  });
}

export function settingsHistoryQuery() {
  return infiniteQueryOptions({
    queryKey: [DESK, "settings-history"],
    initialPageParam: "",
    queryFn: async ({ pageParam: cursor }) =>
      whole(await call("GET /api/desk/settings/history", { query: { cursor } }), "changes"),
    getNextPageParam: (page) => page.next_cursor,
  });
}

export function useChangeSettings() {
  return useDeskWrite((body: BodyOf<"PUT /api/desk/settings">, key) =>
    call("PUT /api/desk/settings", { body, key }),
  );
}

export function durationsQuery() {
  return queryOptions({
    queryKey: [DESK, "durations"],
    queryFn: async () => answered((await call("GET /api/desk/settings/durations")).durations),
  });
}

type NewDuration = BodyOf<"POST /api/desk/settings/durations">;

/** Null id: a new one. */
export function useSaveDuration(id: string | null) {
  return useDeskWrite((body: NewDuration | BodyOf<"PUT /api/desk/settings/durations/:id">, key) =>
    id === null
      ? call("POST /api/desk/settings/durations", { body, key })
      : call("PUT /api/desk/settings/durations/:id", { params: { id }, body, key }),
  );
}
