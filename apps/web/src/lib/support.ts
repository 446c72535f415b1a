import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { keys, whole } from "./resources.ts";

/** The desk opens and closes without anybody's act. */
const LOOK_AGAIN_MS = 60_000;

/** How to reach people, and when they answer: of the support's page and of the settings. */
export function supportQuery() {
  return queryOptions({
    queryKey: [...keys.tickets, "page"],
    queryFn: async () => whole(await call("GET /api/support"), "hours"),
    refetchInterval: LOOK_AGAIN_MS,
  });
}
