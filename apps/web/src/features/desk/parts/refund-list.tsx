import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { EmptyState } from "../../../ui/empty-state.tsx";
import styles from "../alerts.module.css";
import { buyersCopy as copy } from "../people-messages.fr.ts";
import { type BuyersView, refundsQuery } from "../buyers-queries.ts";
import { PagedList } from "./paged-list.tsx";
import { RefundCard } from "./refund-card.tsx";

export function RefundList({ view }: { view: BuyersView }) {
  const pages = useInfiniteQuery({ ...refundsQuery(view), placeholderData: keepPreviousData });
  const refunds = pages.data?.pages.flatMap((page) => page.refunds) ?? [];
  const empty = (
    <EmptyState
      drawing="coins"
      title={view === "open" ? copy.noRefund : copy.noRefundDone}
      text={view === "open" ? copy.noRefundText : ""}
    />
  );
  return (
    <PagedList pages={pages} items={refunds} empty={empty}>
      <h2 className="only-heard">{copy.heading}</h2>
      <div className={styles.grid}>
        {refunds.map((refund) => (
          <RefundCard key={refund.id} refund={refund} />
        ))}
      </div>
    </PagedList>
  );
}
