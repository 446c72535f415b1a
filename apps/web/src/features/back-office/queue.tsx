import type { AnswerOf } from "@sesame/contract/routes";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useId, useState } from "react";
import { readPages } from "../../lib/read.ts";
import { haptic } from "../../telegram/native.ts";
import { Button, IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import { deskCopy, queueCopy as copy } from "./messages.fr.ts";
import { QueueFilters } from "./parts/queue-filters.tsx";
import { QueueRow } from "./parts/queue-row.tsx";
import { LoadFailed } from "./parts/states.tsx";
import {
  chooseQueue,
  countFilters,
  EVERYTHING,
  filterOf,
  type QueueChoice,
  type QueueTab,
  useQueueChoice,
} from "./queue-choice.ts";
import styles from "./queue.module.css";
import { LOOK_AGAIN_MS, useDesk, useRefreshDesk } from "./use-desk.ts";
import { useElapsedSeconds } from "./use-desk.ts";

/** What waits, premium first, then by deadline; what was done stays within reach. */
export function Queue({ chosen }: { chosen?: string }) {
  const choice = useQueueChoice();
  const desk = useDesk();
  const [filtering, setFiltering] = useState(false);
  const refresh = useRefreshDesk();
  const filters = countFilters(choice);
  return (
    <PullToRefresh label={deskCopy.refresh} onRefresh={refresh}>
      <Page
        title={copy.title}
        subtitle={desk ? <Standing desk={desk} /> : undefined}
        actions={
          <IconButton icon="refresh" label={deskCopy.refresh} onClick={() => void refresh()} />
        }
      >
        <QueueTabs value={choice.tab} counts={countsOf(desk)} />
        <div className={styles.tools}>
          <SearchField
            label={copy.search}
            value={choice.q}
            onChange={(q) => chooseQueue({ q: q.slice(0, 80) })}
          />
          <IconButton
            icon="filter"
            label={filters > 0 ? `${copy.filter} (${copy.filtered(filters)})` : copy.filter}
            pressed={filters > 0}
            onClick={() => setFiltering(true)}
          />
        </div>
        {filters > 0 ? (
          <p className={styles.active}>
            {copy.filtered(filters)}
            <Button look="plain" size="small" onClick={() => chooseQueue(EVERYTHING)}>
              {copy.clear}
            </Button>
          </p>
        ) : null}
        <Rows choice={choice} chosen={chosen} />
      </Page>
      {filtering ? (
        <QueueFilters
          choice={choice}
          methods={desk?.methods ?? []}
          onClose={() => setFiltering(false)}
        />
      ) : null}
    </PullToRefresh>
  );
}

const TABS = ["pending", "to-pay", "uncertain", "done"] as const satisfies readonly QueueTab[];

/** The four lists, with how many wait in each. */
function QueueTabs(props: { value: QueueTab; counts: Partial<Record<QueueTab, number>> }) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={copy.views} className={styles.tabs}>
      {TABS.map((tab) => (
        <label key={tab} className={styles.tab} data-alarm={alarms(tab, props.counts) || undefined}>
          <input
            type="radio"
            className="only-heard"
            name={name}
            checked={tab === props.value}
            onChange={() => {
              haptic("selection");
              chooseQueue({ tab });
            }}
          />
          <span className={styles.tabName}>{copy.tabs[tab]}</span>
          <span className={styles.tabCount}>{props.counts[tab] ?? copy.uncounted}</span>
        </label>
      ))}
    </div>
  );
}

/** Nobody knows where that money is: it is never one list among others. */
function alarms(tab: QueueTab, counts: Partial<Record<QueueTab, number>>): boolean {
  return tab === "uncertain" && (counts.uncertain ?? 0) > 0;
}

function Standing({ desk }: { desk: AnswerOf<"GET /api/desk"> }) {
  const { counts, hours } = desk;
  return (
    <>
      {copy.summary(counts.pending, counts.late)}
      <br />
      {hours.open ? copy.openHours(hours.label) : copy.closedHours(hours.label)}
    </>
  );
}

function countsOf(desk: AnswerOf<"GET /api/desk"> | undefined): Partial<Record<QueueTab, number>> {
  if (!desk) return {};
  const { pending, to_pay: toPay, uncertain } = desk.counts;
  return { pending, "to-pay": toPay, uncertain };
}

function Rows({ choice, chosen }: { choice: QueueChoice; chosen: string | undefined }) {
  const filter = useDeferredValue(filterOf(choice));
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/withdrawals", { query: filter }),
    refetchInterval: LOOK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  const elapsed = useElapsedSeconds(pages.dataUpdatedAt, 1_000);
  const rows = pages.data?.pages.flatMap(({ withdrawals }) => withdrawals) ?? [];
  if (pages.isPending) return <SkeletonRows count={6} label={deskCopy.loading} />;
  if (pages.isError && rows.length === 0) {
    return <LoadFailed error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  if (rows.length === 0) return <Empty choice={choice} />;
  return (
    <div className={pages.isPlaceholderData ? styles.fading : undefined}>
      <Section>
        <ul>
          {rows.map((withdrawal) => (
            <QueueRow
              key={withdrawal.id}
              withdrawal={withdrawal}
              elapsed={elapsed}
              chosen={withdrawal.id === chosen}
            />
          ))}
        </ul>
      </Section>
      <MoreButton pages={pages} label={deskCopy.more} />
    </div>
  );
}

function Empty({ choice }: { choice: QueueChoice }) {
  if (choice.q.trim() !== "" || countFilters(choice) > 0) {
    return (
      <EmptyState
        drawing="search"
        title={copy.emptyFiltered}
        action={
          <Button look="tinted" onClick={() => chooseQueue({ ...EVERYTHING, q: "" })}>
            {copy.clear}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState drawing="coins" title={copy.empty[choice.tab]} text={copy.emptyText[choice.tab]} />
  );
}
