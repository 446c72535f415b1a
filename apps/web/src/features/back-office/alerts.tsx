import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readPages } from "../../lib/read.ts";
import { IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { FilterChips } from "../../kit/filter-chips.tsx";
import { Page } from "../../kit/page.tsx";
import { Segmented } from "../../kit/segmented.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { MoreButton } from "../../kit/more-button.tsx";
import styles from "./alerts.module.css";
import { alertsCopy as copy, jobsCopy } from "./operator-messages.fr.ts";
import { deskCopy } from "./messages.fr.ts";
import { AlertCard } from "./parts/alert-card.tsx";
import { FailedJobs } from "./parts/failed-jobs.tsx";
import { Reconciliation } from "./parts/reconciliation.tsx";
import { LoadFailed } from "./parts/states.tsx";
import { useDesk } from "./use-desk.ts";

type View = "open" | "resolved" | "differences" | "jobs";

/** What demands a look, and what providers' lists say otherwise than ours. */
export function Alerts() {
  const [view, setView] = useState<View>("open");
  const desk = useDesk();
  const counts = desk?.counts;
  const named = (label: string, count: number | undefined) =>
    count ? copy.counted(label, count) : label;
  return (
    <div className={styles.wide}>
      <Page title={copy.title}>
        <Segmented
          label={copy.views}
          segments={[
            { value: "open", label: named(copy.open, counts?.alerts) },
            { value: "resolved", label: copy.resolved },
            { value: "differences", label: named(copy.differences, counts?.differences) },
            ...(desk?.me.operator ? [{ value: "jobs" as const, label: jobsCopy.title }] : []),
          ]}
          value={view}
          onChange={setView}
        />
        <Shown view={view} />
      </Page>
    </div>
  );
}

function Shown({ view }: { view: View }) {
  switch (view) {
    case "differences":
      return <Reconciliation />;
    case "jobs":
      return <FailedJobs />;
    case "open":
    case "resolved":
      return <List key={view} status={view} />;
  }
}

function List({ status }: { status: "open" | "resolved" }) {
  const [kind, setKind] = useState("");
  const pages = useInfiniteQuery({
    ...readPages("GET /api/desk/alerts", { query: { status, kind } }),
    placeholderData: keepPreviousData,
  });
  const alerts = pages.data?.pages.flatMap((page) => page.alerts) ?? [];
  const kinds = status === "open" ? (pages.data?.pages[0]?.counts ?? []) : [];
  if (pages.isPending) return <SkeletonRows count={5} label={deskCopy.loading} />;
  if (pages.isError && alerts.length === 0) {
    return <LoadFailed error={pages.error} onRetry={() => void pages.refetch()} />;
  }
  return (
    <>
      <div className={styles.tools}>
        {kinds.length > 1 ? (
          <FilterChips
            label={copy.kinds}
            choices={[
              { value: "", label: copy.everyKind },
              ...kinds.map((each) => ({
                value: each.kind,
                label: copy.counted(each.title, each.open),
              })),
            ]}
            value={kind}
            onChange={setKind}
          />
        ) : null}
        <IconButton
          icon="refresh"
          label={deskCopy.refresh}
          busy={pages.isRefetching}
          onClick={() => void pages.refetch()}
        />
      </div>
      {alerts.length === 0 ? (
        <EmptyState
          drawing="coins"
          title={status === "open" ? copy.noneTitle : copy.noneResolved}
          text={status === "open" ? copy.noneText : ""}
        />
      ) : (
        <>
          <h2 className="only-heard">{copy.kindHeading}</h2>
          <div className={styles.grid}>
            {alerts.map((alert) => (
              <AlertCard key={alert.id} alert={alert} />
            ))}
          </div>
        </>
      )}
      <MoreButton pages={pages} label={deskCopy.more} />
    </>
  );
}
