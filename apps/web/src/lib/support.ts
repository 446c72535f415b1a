import { read } from "./read.ts";
import { keys } from "./resources.ts";

/** The desk opens and closes without anybody's act. */
const LOOK_AGAIN_MS = 60_000;

/** How to reach people, and when they answer: of the support's page and of the settings. */
export function supportQuery() {
  return {
    ...read("GET /api/support"),
    queryKey: [...keys.tickets, "page"],
    refetchInterval: LOOK_AGAIN_MS,
  };
}
