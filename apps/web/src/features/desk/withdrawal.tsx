import type { DeskWithdrawalDetail } from "@sesame/contract/desk";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { read } from "../../lib/read.ts";
import { RequestError } from "../../lib/request.ts";
import { formatInstant } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { LoadFailed, Waiting } from "./parts/states.tsx";
import { WithdrawalActions } from "./parts/withdrawal-actions.tsx";
import { Payouts, Risks, SellerHistory, Trace } from "./parts/withdrawal-history.tsx";
import { WithdrawalBanners, WithdrawalSummary } from "./parts/withdrawal-summary.tsx";
import { DESK_HOME } from "./place.ts";
import { LOOK_AGAIN_MS } from "./use-desk.ts";
import { sayAge } from "./messages.fr.ts";
import { useElapsedSeconds } from "./use-elapsed.ts";
import { withdrawalCopy as copy } from "./money-messages.fr.ts";

/** One request, whole: what is asked, what speaks against it, what to do, who did what. */
export function Withdrawal({ id }: { id: string }) {
  const query = useQuery({
    ...read("GET /api/desk/withdrawals/:id", { params: { id }, pick: "withdrawal" }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  if (query.data) return <Shown withdrawal={query.data} since={query.dataUpdatedAt} />;
  if (!query.isError) return <Waiting />;
  if (query.error instanceof RequestError && query.error.status === 404) return <Missing />;
  return (
    <Page title={copy.title("")}>
      <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
    </Page>
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

function Missing() {
  const [, navigate] = useLocation();
  return (
    <Page title={copy.missing}>
      <EmptyState
        drawing="search"
        title={copy.missing}
        text={copy.missingText}
        action={<Button onClick={() => navigate(DESK_HOME)}>{copy.toQueue}</Button>}
      />
    </Page>
  );
}
