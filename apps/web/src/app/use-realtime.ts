import { textOf } from "@sesame/kernel";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { formatFcfa } from "../lib/format.ts";
import { openRealtime } from "../lib/realtime.ts";
import { allResources as all, type Resource, refreshResources } from "../lib/resources.ts";
import { getSession, useSession } from "../lib/session.ts";
import { haptic } from "../telegram/native.ts";
import { toast } from "../kit/toast.tsx";
import { appCopy } from "./messages.fr.ts";

/** The resources that each event makes stale. */
const ANEW = {
  payment_received: all,
  chatadd: all,
  "user:joined": ["channels", "subscriptions"],
  "user:left": ["channels", "subscriptions"],
  "access:status": ["channels", "subscriptions"],
  "withdrawal:status": ["withdrawals", "user", "transactions"],
  "payout:settings": ["withdrawals", "user"],
  "payment:status": all,
  "complaint:changed": ["complaints", "orders", "transactions", "user"],
  "plan:changed": all,
  "seller:standing": all,
  "private:message": ["tickets"],
  "ticket:changed": ["tickets"],
} as const satisfies Record<string, readonly Resource[]>;

/** A first connection this soon after the start's answer asks nothing again: it would double an opening's calls. */
const PROMPT_MS = 5_000;

/** A sale or a change of a group is shown at once (A §4 "Data refresh", decision 47). */
export function useRealtime(): void {
  const client = useQueryClient();
  const live = useSession().at === "live";
  useEffect(() => {
    if (!live) return;
    const begunAt = performance.now();
    const refresh = (names: readonly Resource[]) => void refreshResources(client, names);
    return openRealtime({
      token: () => {
        const session = getSession();
        return session.at === "live" ? session.token : null;
      },
      events: Object.keys(ANEW) as (keyof typeof ANEW)[],
      on(event, body) {
        if (event === "payment_received") {
          haptic("success");
          toast(saySale(body));
        } else if (event === "withdrawal:status") {
          sayWithdrawal(body);
        } else if (event === "private:message") {
          haptic("success");
          toast(appCopy.answered);
        }
        refresh(ANEW[event]);
      },
      connected: (isFirst) => (isFirst && performance.now() - begunAt < PROMPT_MS) || refresh(all),
    });
  }, [client, live]);
}

/** No toast for what the seller did: a request or a cancellation. */
function sayWithdrawal(body: unknown): void {
  const { status, paid } = (body ?? {}) as { status?: unknown; paid?: unknown };
  const word = appCopy.withdrawal[paid === true ? "paid" : textOf(status)];
  if (word === undefined) return;
  haptic(status === "rejected" ? "warning" : "success");
  toast(word, status === "rejected" ? "bad" : "good");
}

function saySale(body: unknown): string {
  const { amount, title } = (body ?? {}) as { amount?: unknown; title?: unknown };
  return typeof amount === "number" && typeof title === "string"
    ? appCopy.sale(formatFcfa(amount), title)
    : appCopy.saleShort;
}
