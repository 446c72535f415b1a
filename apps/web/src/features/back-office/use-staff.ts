import { REASON_CHARACTERS_MAX } from "@sesame/contract/treasury";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { BadgeTone } from "../../kit/button.tsx";
import type { Ask } from "../../kit/use-form.tsx";
import { read } from "../../lib/read.ts";
import { openRealtime } from "../../lib/realtime.ts";
import { staffToken } from "./session.ts";

/** Deadlines pass and complaints end without anybody's action. */
export const LOOK_AGAIN_MS = 30_000;

/** All statuses that the back office shows; two with one name mean the same. */
export const TONES = {
  pending: "accent",
  assigned: "accent",
  "second-agent": "warning",
  "to-pay": "accent",
  sending: "accent",
  uncertain: "warning",
  approved: "positive",
  paid: "positive",
  succeeded: "positive",
  refunded: "warning",
  refused: "danger",
  mismatched: "danger",
  failed: "danger",
  rejected: "danger",
  cancelled: "neutral",
  expired: "neutral",
  en_cours: "accent",
  numero_attendu: "neutral",
  a_payer: "warning",
  rembourse: "positive",
} as const satisfies Readonly<Record<string, BadgeTone>>;

/** A status without a tone of its own is on its way. */
export function toneOf(status: string): BadgeTone {
  return (TONES as Readonly<Record<string, BadgeTone>>)[status] ?? "accent";
}

export const backOfficeQuery = { ...read("GET /api/desk"), refetchInterval: LOOK_AGAIN_MS };

export function useBackOffice() {
  return useQuery(backOfficeQuery).data;
}

/** Every query of this page belongs to the back office: a push and a write make all of them stale. */
export function useRefreshBackOffice(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

/** Another agent's action, or a provider's answer, is shown at once. */
export function useStaffLive(): void {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () => void client.invalidateQueries();
    return openRealtime({
      token: staffToken,
      events: ["desk:changed"],
      on: refresh,
      connected: refresh,
    });
  }, [client]);
}

/** A reason in the agent's own words, as long as the server accepts. */
export function reason(label: string, hint?: string): Ask {
  return { kind: "words", label, hint, max: REASON_CHARACTERS_MAX };
}

/**
 * → seconds since an answer came, from the millisecond it came at. Its ages and countdowns are the server's:
 * the phone's clock only measures the time since, so a wrong clock does no harm.
 */
export function useSecondsSince(everyMs: number): (cameAt: number) => number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return (cameAt) => Math.max(0, Math.floor((now - cameAt) / 1_000));
}
