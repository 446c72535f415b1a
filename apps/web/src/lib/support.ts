import type { SupportAnswer } from "@sesame/contract/support";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { answered, keys } from "./resources.ts";

/** The desk opens and closes without anybody's act. */
const LOOK_AGAIN_MS = 60_000;

/** How to reach people, and when they answer: of the support's page and of the settings. */
export function supportQuery() {
  return queryOptions<SupportAnswer>({
    queryKey: [...keys.tickets, "page"],
    queryFn: async () => {
      const answer = await call<Partial<SupportAnswer>>("/api/support");
      answered(answer.hours);
      return answer as SupportAnswer;
    },
    refetchInterval: LOOK_AGAIN_MS,
  });
}
