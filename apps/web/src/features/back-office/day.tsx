import type { AnswerOf } from "@sesame/contract/routes";
import type { PurseOnWire } from "@sesame/contract/treasury";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDay } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Page } from "../../kit/page.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { deskCopy } from "./messages.fr.ts";
import styles from "./day.module.css";
import { dayCopy as copy } from "./money-messages.fr.ts";
import { dayBeside } from "./day-number.ts";
import { ExportButton } from "./parts/export-button.tsx";
import { PurseCard } from "./parts/purse-card.tsx";
import { LoadFailed } from "./parts/states.tsx";

/** Each purse of a day: what the ledger expects in it, and what was counted. */
export function Day() {
  // Empty: today in the instance's zone.
  const [date, setDate] = useState("");
  const query = useQuery({
    ...read("GET /api/desk/day", { query: { date } }),
    placeholderData: keepPreviousData,
  });
  const day = query.data;
  return (
    <div className={styles.wide}>
      <Page
        title={copy.title}
        subtitle={day ? copy.zone(day.zone) : undefined}
        actions={
          <IconButton
            icon="refresh"
            label={deskCopy.refresh}
            busy={query.isRefetching}
            onClick={() => void query.refetch()}
          />
        }
      >
        {day ? (
          <>
            <DayChooser day={day} onChoose={setDate} />
            <Purses day={day} />
            <ExportButton
              path={`/api/desk/day/export?date=${day.date}`}
              name={`cloture-${day.date}.csv`}
            />
          </>
        ) : query.isError ? (
          <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonRows count={6} label={deskCopy.loading} />
        )}
      </Page>
    </div>
  );
}

function DayChooser({
  day,
  onChoose,
}: {
  day: AnswerOf<"GET /api/desk/day">;
  onChoose(date: string): void;
}) {
  const isToday = day.date >= day.today;
  return (
    <div className={styles.chooser}>
      <IconButton
        icon="back"
        label={copy.previous}
        onClick={() => onChoose(dayBeside(day.date, -1))}
      />
      <label className={styles.date}>
        <span>
          {day.date === day.today
            ? `${copy.today}, ${formatDay(`${day.date}T12:00:00`)}`
            : formatDay(`${day.date}T12:00:00`)}
        </span>
        <span className="only-heard">{copy.date}</span>
        <input
          type="date"
          value={day.date}
          max={day.today}
          onChange={(event) => {
            if (event.target.value) onChoose(event.target.value);
          }}
        />
      </label>
      {isToday ? (
        <span className={styles.place} />
      ) : (
        <IconButton
          icon="chevron"
          label={copy.next}
          onClick={() => onChoose(dayBeside(day.date, 1))}
        />
      )}
    </div>
  );
}

function Purses({ day }: { day: AnswerOf<"GET /api/desk/day"> }) {
  const { purses } = day;
  const moved = purses.filter((purse) => !isQuiet(purse));
  const quiet = purses.filter(isQuiet);
  const floats = moved.filter(({ kind }) => kind === "float");
  const providers = moved.filter(({ kind }) => kind === "provider");
  return (
    <>
      {moved.length === 0 ? (
        <EmptyState drawing="coins" title={copy.none} text={copy.noneText} />
      ) : null}
      <PurseGroup title={copy.floats} footer={copy.floatsFooter} purses={floats} day={day} />
      <PurseGroup
        title={copy.providers}
        footer={copy.providersFooter}
        purses={providers}
        day={day}
      />
      {quiet.length > 0 ? (
        <details className={styles.quiet}>
          <summary>{copy.quiet(quiet.length)}</summary>
          <div className={styles.grid}>
            {quiet.map((purse) => (
              <PurseCard key={purse.account} purse={purse} day={day} />
            ))}
          </div>
        </details>
      ) : null}
    </>
  );
}

function isQuiet(purse: PurseOnWire): boolean {
  return (
    purse.opening === 0 &&
    purse.expected === 0 &&
    purse.movements.length === 0 &&
    purse.closes.length === 0
  );
}

function PurseGroup(props: {
  title: string;
  footer: string;
  purses: readonly PurseOnWire[];
  day: AnswerOf<"GET /api/desk/day">;
}) {
  if (props.purses.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2 className={styles.groupTitle}>{props.title}</h2>
      <div className={styles.grid}>
        {props.purses.map((purse) => (
          <PurseCard key={purse.account} purse={purse} day={props.day} />
        ))}
      </div>
      <p className={styles.footer}>{props.footer}</p>
    </section>
  );
}
