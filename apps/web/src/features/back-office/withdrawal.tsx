import type { DeskWithdrawalDetail } from "@sesame/contract/treasury";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../lib/read.ts";
import { formatInstant } from "../../lib/format.ts";
import { Page } from "../../kit/page.tsx";
import { One } from "./parts/states.tsx";
import { WithdrawalActions } from "./parts/withdrawal-actions.tsx";
import { Payouts, Risks, SellerHistory, Trace } from "./parts/withdrawal-history.tsx";
import { WithdrawalBanners, WithdrawalSummary } from "./parts/withdrawal-summary.tsx";
import { DESK_HOME } from "./place.ts";
import { LOOK_AGAIN_MS } from "./use-desk.ts";
import { sayAge } from "./messages.fr.ts";
import { useElapsedSeconds } from "./use-desk.ts";
import { withdrawalCopy as copy } from "./money-messages.fr.ts";

/** One request, whole: what is asked, what speaks against it, what to do, who did what. */
export function Withdrawal({ id }: { id: string }) {
  const query = useQuery({
    ...read("GET /api/desk/withdrawals/:id", { params: { id }, pick: "withdrawal" }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return (
    <One
      query={query}
      title={copy.title("")}
      missing={copy.missing}
      missingText={copy.missingText}
      back={{ label: copy.toQueue, href: DESK_HOME }}
    >
      {(withdrawal) => <Shown withdrawal={withdrawal} since={query.dataUpdatedAt} />}
    </One>
  );
}

function Shown({ withdrawal, since }: { withdrawal: DeskWithdrawalDetail; since: number }) {
  const elapsed = useElapsedSeconds(since, 30_000);
  const age = sayAge(withdrawal.age_minutes + Math.floor(elapsed / 60));
  const day = formatInstant(withdrawal.created_at);
  return (
    <Page
      title={copy.title(withdrawal.reference)}
      subtitle={withdrawal.automatic ? copy.askedAutomatically(age, day) : copy.asked(age, day)}
    >
      <WithdrawalBanners withdrawal={withdrawal} since={since} />
      <WithdrawalSummary withdrawal={withdrawal} />
      {withdrawal.status === "pending" ? <Risks withdrawal={withdrawal} /> : null}
      <WithdrawalActions withdrawal={withdrawal} />
      <Payouts withdrawal={withdrawal} />
      <SellerHistory withdrawal={withdrawal} />
      {withdrawal.status === "pending" ? null : <Risks withdrawal={withdrawal} />}
      <Trace withdrawal={withdrawal} />
    </Page>
  );
}
