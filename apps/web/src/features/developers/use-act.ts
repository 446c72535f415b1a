import type { CallName } from "@sesame/contract/routes";
import { useQueryClient } from "@tanstack/react-query";
import { askAnew } from "../../lib/read.ts";
import { type Sending, useSend } from "../../lib/use-write.ts";

const PAGE = [
  "GET /api/developers",
  "GET /api/developers/deliveries",
  "GET /api/developers/deliveries/:id",
];

/** A write of this page: all that it shows is asked anew. */
export function useAct<C extends CallName>(name: C, given: Sending<C>) {
  const client = useQueryClient();
  return useSend(name, { ...given, onSettled: () => askAnew(client, PAGE) });
}

/** An attempt may be under way: somebody watches it end. */
export const LOOK_AGAIN_MS = 5_000;
