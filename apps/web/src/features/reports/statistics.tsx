import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { haptic } from "../../telegram/native.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Cell, Section } from "../../ui/section.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { reportsCopy } from "./copy.fr.ts";
import { DayBars } from "./parts/day-bars.tsx";
import { TransactionRow } from "./parts/transaction-row.tsx";
import { type Period, periodQuery, salesQuery } from "./queries.ts";
import styles from "./reports.module.css";
import { summarise } from "./summary.ts";

const copy = reportsCopy.stats;
const PERIODS = { week: 7, month: 30 } as const;

/** What was sold, from the seller's own transactions: no figure here is made up. */
export function Statistics() {
  const [shown, setShown] = useState<keyof typeof PERIODS>("week");
  const days = PERIODS[shown];
  const period = useQuery(periodQuery(days));
  return (
    <Page title={copy.title}>
      <Segmented
        label={copy.period}
        segments={[
          { value: "week", label: copy.week },
          { value: "month", label: copy.month },
        ]}
        value={shown}
        onChange={(value) => {
          haptic("selection");
          setShown(value);
        }}
      />
      {period.data ? (
        <Figures period={period.data} days={days} now={period.dataUpdatedAt} />
      ) : period.isError ? (
        <EmptyState
          drawing="broken"
          title={copy.failed}
          action={<Button onClick={() => void period.refetch()}>{reportsCopy.retry}</Button>}
        />
      ) : (
        <div className={styles.kpis} role="status" aria-label={reportsCopy.loading}>
          {[0, 1, 2, 3].map((each) => (
            <Skeleton key={each} height="92px" radius="14px" />
          ))}
        </div>
      )}
      <History />
    </Page>
  );
}

function Figures(props: { period: Period; days: number; now: number }) {
  const summary = summarise(props.period.transactions, props.days, props.now);
  if (summary.sales === 0) {
    return <EmptyState drawing="coins" title={copy.none} text={copy.noneText} />;
  }
  const fresh = summary.sales - summary.renewed;
  return (
    <>
      <div className={styles.kpis}>
        <Kpi name={copy.net} value={formatFcfa(summary.net)} />
        <Kpi
          name={copy.gross}
          value={formatFcfa(summary.gross)}
          note={copy.fees(formatFcfa(summary.fees))}
        />
        <Kpi
          name={copy.sales}
          value={formatNumber(summary.sales)}
          note={copy.split(fresh, summary.renewed)}
        />
        <Kpi name={copy.buyers} value={formatNumber(summary.buyers)} />
      </div>
      <Section
        title={copy.perDay}
        footer={
          props.period.whole
            ? undefined
            : copy.partial(formatNumber(props.period.transactions.length))
        }
      >
        <DayBars days={summary.days} />
      </Section>
      <Section title={copy.best}>
        {summary.products.slice(0, 5).map((product) => (
          <Cell
            key={product.id}
            href={`/ProductCard/${product.id}`}
            title={product.title}
            subtitle={copy.salesCount(product.sales)}
            after={formatFcfa(product.net)}
            chevron
          />
        ))}
      </Section>
    </>
  );
}

function Kpi(props: { name: string; value: string; note?: string }) {
  return (
    <div className={styles.kpi}>
      <span>{props.name}</span>
      <strong>{props.value}</strong>
      {props.note ? <small>{props.note}</small> : null}
    </div>
  );
}

function History() {
  const history = useInfiniteQuery(salesQuery());
  const rows = history.data?.pages.flatMap((page) => page.sales) ?? [];
  if (rows.length === 0) return null;
  return (
    <>
      <Section title={copy.history}>
        <ul>
          {rows.map((transaction) => (
            <TransactionRow key={transaction.id} transaction={transaction} />
          ))}
        </ul>
      </Section>
      {history.hasNextPage ? (
        <Button
          look="tinted"
          busy={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {copy.more}
        </Button>
      ) : null}
    </>
  );
}
