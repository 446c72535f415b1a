import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import styles from "../alerts.module.css";
import { buyersCopy as copy } from "../buyers-copy.fr.ts";
import { type BuyersView, refundsQuery } from "../buyers-queries.ts";
import { deskCopy } from "../copy.fr.ts";
import { RefundCard } from "./refund-card.tsx";
import { LoadFailed } from "./states.tsx";

export function RefundList({ view }: { view: BuyersView }) {
  const pages = useInfiniteQuery({ ...refundsQuery(view), placeholderData: keepPreviousData });
  const refunds = pages.data?.pages.flatMap((page) => page.refunds) ?? [];
  if (pages.isPending) return <SkeletonRows count={4} label={deskCopy.loading} />;
  if (pages.isError && refunds.length === 0) {
    return <LoadFailed error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  return (
    <>
      {refunds.length === 0 ? (
        <EmptyState
          drawing="coins"
          title={view === "open" ? copy.noRefund : copy.noRefundDone}
          text={view === "open" ? copy.noRefundText : ""}
        />
      ) : (
        <>
          <h2 className="only-heard">{copy.heading}</h2>
          <div className={styles.grid}>
            {refunds.map((refund) => (
              <RefundCard key={refund.id} refund={refund} />
            ))}
          </div>
        </>
      )}
      {pages.hasNextPage ? (
        <Button
          look="tinted"
          busy={pages.isFetchingNextPage}
          onClick={() => void pages.fetchNextPage()}
        >
          {deskCopy.more}
        </Button>
      ) : null}
    </>
  );
}
