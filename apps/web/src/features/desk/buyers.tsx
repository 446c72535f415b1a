import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { Page } from "../../ui/page.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import styles from "./alerts.module.css";
import { buyersCopy as copy } from "./buyers-copy.fr.ts";
import type { BuyersView } from "./buyers-queries.ts";
import { ClaimList } from "./parts/claim-list.tsx";
import { RefundList } from "./parts/refund-list.tsx";
import { useDesk } from "./queries.ts";

/** /bureau/remboursements: money to give back to buyers. */
export function Refunds() {
  return (
    <Buyers at="refunds" done={copy.done}>
      {(view) => <RefundList key={view} view={view} />}
    </Buyers>
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

const PATHS = { refunds: "/bureau/remboursements", claims: "/bureau/reclamations" } as const;

function Buyers(props: {
  at: keyof typeof PATHS;
  done: string;
  children(view: BuyersView): ReactNode;
}) {
  const [, navigate] = useLocation();
  const [view, setView] = useState<BuyersView>("open");
  const counts = useDesk()?.counts;
  return (
    <div className={styles.wide}>
      <Page title={copy.title}>
        <Segmented
          label={copy.views}
          segments={[
            { value: "refunds", label: copy.counted(copy.refunds, counts?.refunds_to_pay ?? 0) },
            { value: "claims", label: copy.counted(copy.claims, counts?.claims_operator ?? 0) },
          ]}
          value={props.at}
          onChange={(value) => navigate(PATHS[value], { replace: true })}
        />
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
      </Page>
    </div>
  );
}
