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

/** What any of the seller's screens may show: what he may do, what he has, what he sells. */
const CHANGES_ALL = new Set(["chatadd", "payment:status", "plan:changed", "seller:standing"]);

/** A sale or a change of a group is seen at once (A §4 "Data refresh", decision 47). */
export function useRealtime(): void {
  const client = useQueryClient();
  const live = useSession().at === "live";
  useEffect(() => {
    if (!live) return;
    const refresh = (names: readonly Resource[]) => void refreshResources(client, names);
    return openRealtime({
      token: () => {
        const session = getSession();
        return session.at === "live" ? session.token : null;
      },
      on(event, body) {
        if (event === "payment_received") {
          haptic("success");
          toast(saySale(body));
          refresh(all);
        } else if (CHANGES_ALL.has(event)) {
          refresh(all);
        } else if (event === "withdrawal:status") {
          sayWithdrawal(body);
          refresh(["withdrawals", "user", "transactions"]);
        } else if (event === "payout:settings") {
          refresh(["withdrawals", "user"]);
        } else if (event === "private:message") {
          haptic("success");
          toast(appCopy.answered);
          refresh(["tickets"]);
        } else if (event === "ticket:changed") {
          refresh(["tickets"]);
        } else if (event === "complaint:changed") {
          refresh(["complaints", "orders", "transactions", "user"]);
        } else {
          refresh(["channels", "subscriptions"]);
        }
      },
      reconnected: () => refresh(all),
    });
  }, [client, live]);
}

/** What the seller did himself (asking, cancelling) he knows already. */
function sayWithdrawal(body: unknown): void {
  if (typeof body !== "object" || body === null || !("status" in body)) return;
  const paid = "paid" in body && body.paid === true;
  const word = appCopy.withdrawal[paid ? "paid" : textOf(body.status)];
  if (word === undefined) return;
  haptic(body.status === "rejected" ? "warning" : "success");
  toast(word, body.status === "rejected" ? "bad" : "good");
}

function saySale(body: unknown): string {
  if (typeof body !== "object" || body === null) return appCopy.saleShort;
  const { amount, title } = body as { amount?: unknown; title?: unknown };
  return typeof amount === "number" && typeof title === "string"
    ? appCopy.sale(formatFcfa(amount), title)
    : appCopy.saleShort;
}
