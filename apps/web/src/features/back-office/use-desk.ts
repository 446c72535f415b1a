import type { AnswerOf, CallName } from "@sesame/contract/routes";
import { REASON_CHARACTERS_MAX } from "@sesame/contract/treasury";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Ask } from "../../kit/use-form.tsx";
import { read } from "../../lib/read.ts";
import { openRealtime } from "../../lib/realtime.ts";
import { type Sending, useSend } from "../../lib/use-write.ts";
import { deskToken } from "./session.ts";

/** Deadlines pass and claims end without anybody's act. */
export const LOOK_AGAIN_MS = 30_000;

export function useDesk(): AnswerOf<"GET /api/desk"> | undefined {
  return useQuery({ ...read("GET /api/desk"), refetchInterval: LOOK_AGAIN_MS }).data;
}

/** The desk reads nothing but its own: a push and a write make all of it stale. */
export function useRefreshDesk(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

/** A write of the desk. Refused too: what was shown when it was refused is old. */
export function useDeskWrite<C extends CallName>(name: C, given: Sending<C>) {
  return useSend(name, { ...given, onSettled: useRefreshDesk() });
}

/** What another agent does, or a provider says, is seen at once. */
export function useDeskLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () => void client.invalidateQueries();
    return openRealtime({
      token: deskToken,
      events: ["desk:changed"],
      on: refresh,
      reconnected: refresh,
    });
  }, [client]);
}

/** Somebody's own words, as long as the server takes them. */
export function reason(label: string, hint?: string): Ask {
  return { kind: "words", label, hint, max: REASON_CHARACTERS_MAX };
}

/**
 * Seconds since an answer came. Its ages and countdowns are the server's: the phone's clock only
 * measures what has passed since, so a wrong one does no harm.
 */
export function useElapsedSeconds(since: number, everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Math.max(0, Math.floor((now - since) / 1_000));
}
