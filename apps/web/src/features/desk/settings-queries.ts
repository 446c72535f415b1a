import type {
  AddDurationBody,
  DeskDurationsAnswer,
  EditDurationBody,
  SettingsAnswer,
  SettingsHistoryAnswer,
  SettingsOnWire,
} from "@sesame/contract/settings";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered } from "../../lib/resources.ts";
import { DESK, inQuery, useDeskWrite } from "./queries.ts";

export function settingsQuery() {
  return queryOptions<SettingsAnswer>({
    queryKey: [DESK, "settings"],
    queryFn: async () => {
      const answer = await call<Partial<SettingsAnswer>>("/api/desk/settings");
      answered(answer.settings);
      return answer as SettingsAnswer;
    },
  });
}

export function settingsHistoryQuery() {
  return infiniteQueryOptions({
    queryKey: [DESK, "settings-history"],
    initialPageParam: "",
    queryFn: async ({ pageParam }) => {
      const answer = await call<Partial<SettingsHistoryAnswer>>(
        `/api/desk/settings/history?${inQuery({ cursor: pageParam })}`,
      );
      answered(answer.changes);
      return answer as SettingsHistoryAnswer;
    },
    getNextPageParam: (page) => page.next_cursor,
  });
}

export type SettingsChange = {
  readonly changes: Partial<SettingsOnWire>;
  readonly reason?: string;
  readonly version: string;
};

export function useChangeSettings() {
  return useDeskWrite<SettingsChange, SettingsAnswer>((body) => ({
    path: "/api/desk/settings",
    method: "PUT",
    body,
  }));
}

export function durationsQuery() {
  return queryOptions<DeskDurationsAnswer["durations"]>({
    queryKey: [DESK, "durations"],
    queryFn: async () =>
      answered(
        (await call<Partial<DeskDurationsAnswer>>("/api/desk/settings/durations")).durations,
      ),
  });
}

/** Null id: a new one. */
export function useSaveDuration(id: string | null) {
  return useDeskWrite<AddDurationBody | EditDurationBody, DeskDurationsAnswer>((body) => ({
    path: `/api/desk/settings/durations${id === null ? "" : `/${encodeURIComponent(id)}`}`,
    method: id === null ? "POST" : "PUT",
    body,
  }));
}
