import styles from "./alerts.module.css";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { EmptyState } from "../../kit/empty-state.tsx";
import { FilterChips } from "../../kit/filter-chips.tsx";
import { Page } from "../../kit/page.tsx";
import { Segmented } from "../../kit/segmented.tsx";
import { buyersCopy as copy, ticketsCopy } from "./people-messages.fr.ts";
import { type BuyersView, ClaimList, TicketList, type TicketsView } from "./parts/case-lists.tsx";
import { PagedList } from "./parts/paged-list.tsx";
import { RefundCard } from "./parts/refund-card.tsx";
import { readPages } from "../../lib/read.ts";
import { LOOK_AGAIN_MS, useDesk } from "./use-desk.ts";

/** /bureau/remboursements: money to give back to buyers. */
export function Refunds() {
  return (
    <Buyers at="refunds" done={copy.done}>
      {(view) => <RefundList key={view} view={view} />}
    </Buyers>
  );
}

function RefundList({ view }: { view: BuyersView }) {
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/refunds", { query: { view } }),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
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

/** /bureau/reclamations: what buyers hold against a sale. */
export function DeskClaims() {
  return (
    <Buyers at="claims" done={copy.doneClaims}>
      {(view) => <ClaimList key={view} view={view} />}
    </Buyers>
  );
}

/** /bureau/assistance: what sellers ask. */
export function DeskTickets() {
  const [view, setView] = useState<TicketsView>("open");
  return (
    <Cases at="tickets">
      <FilterChips
        label={copy.which}
        choices={[
          { value: "open", label: ticketsCopy.open },
          { value: "answered", label: ticketsCopy.answered },
          { value: "closed", label: ticketsCopy.closed },
        ]}
        value={view}
        onChange={setView}
      />
      <TicketList key={view} view={view} />
    </Cases>
  );
}

const PATHS = {
  refunds: "/bureau/remboursements",
  claims: "/bureau/reclamations",
  tickets: "/bureau/assistance",
} as const;

function Buyers(props: {
  at: keyof typeof PATHS;
  done: string;
  children(view: BuyersView): ReactNode;
}) {
  const [view, setView] = useState<BuyersView>("open");
  return (
    <Cases at={props.at}>
      <FilterChips
        label={copy.which}
        choices={[
          { value: "open", label: copy.open },
          { value: "done", label: props.done },
        ]}
        value={view}
        onChange={setView}
      />
      {props.children(view)}
    </Cases>
  );
}

function Cases({ at, children }: { at: keyof typeof PATHS; children: ReactNode }) {
  const [, navigate] = useLocation();
  const counts = useDesk()?.counts;
  return (
    <div className={styles.wide}>
      <Page title={copy.title}>
        <Segmented
          label={copy.views}
          segments={[
            { value: "refunds", label: copy.counted(copy.refunds, counts?.refunds_to_pay ?? 0) },
            { value: "claims", label: copy.counted(copy.claims, counts?.claims_operator ?? 0) },
            { value: "tickets", label: copy.counted(ticketsCopy.title, counts?.tickets ?? 0) },
          ]}
          value={at}
          onChange={(value) => navigate(PATHS[value], { replace: true })}
        />
        {children}
      </Page>
    </div>
  );
}
