import type { AnswerOf } from "@sesame/contract/routes";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { read, readOnce } from "../../lib/read.ts";
import { haptic } from "../../telegram/native.ts";
import { Button, IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Line } from "../../kit/layout.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { calendarCopy as copy, sayMonth } from "./messages.fr.ts";
import { plusMonths } from "./calendar-days.ts";
import { DayEvents } from "./parts/day-events.tsx";
import { MonthGrid } from "./parts/month-grid.tsx";
import styles from "./statistics.module.css";

/** Empty: the month it is at the server, whatever the phone believes. */
const monthQuery = (mois: string) => read("GET /api/calendar", { query: { mois } });

/** /Calendrier: a month, and what falls on the chosen day (decision 46). */
export function Calendrier() {
  // Until a day is chosen it is the server's today: many a phone's own date is wrong.
  const [chosen, setDay] = useState<string | null>(null);
  const month = chosen?.slice(0, 7) ?? "";
  const calendar = useQuery({
    ...monthQuery(month),
    queryFn: async ({ client }) => {
      const answer = await readOnce("GET /api/calendar", { query: { mois: month } });
      if (month === "") client.setQueryData(monthQuery(answer.mois).queryKey, answer);
      return answer;
    },
    placeholderData: keepPreviousData,
  });
  const choose = (next: string) => {
    haptic("selection");
    setDay(next);
  };
  return (
    <PullToRefresh label={copy.refresh} onRefresh={() => calendar.refetch()}>
      <Page title={copy.title} subtitle={copy.subtitle}>
        {calendar.data ? (
          <Shown
            calendar={calendar.data}
            day={chosen ?? calendar.data.aujourdhui}
            onChoose={choose}
          />
        ) : (
          <NotYet query={calendar} copy={copy}>
            <div role="status" aria-label={copy.loading}>
              <Skeleton height="380px" radius="14px" />
            </div>
          </NotYet>
        )}
      </Page>
    </PullToRefresh>
  );
}

type ShownProps = {
  readonly calendar: AnswerOf<"GET /api/calendar">;
  readonly day: string;
  onChoose(day: string): void;
};

function Shown({ calendar, day, onChoose }: ShownProps) {
  const month = day.slice(0, 7);
  const today = calendar.aujourdhui;
  // While a month is asked for, the dots of the last one would lie.
  const days = calendar.mois === month ? calendar.jours : [];
  return (
    <>
      <section className={styles.card}>
        <Line as="header" between>
          <IconButton
            icon="back"
            label={copy.previous}
            onClick={() => onChoose(plusMonths(day, -1))}
          />
          <h2 className={styles.month} aria-live="polite">
            {sayMonth(`${month}-01`)}
          </h2>
          <IconButton
            icon="chevron"
            label={copy.next}
            onClick={() => onChoose(plusMonths(day, 1))}
          />
        </Line>
        <MonthGrid month={month} day={day} today={today} days={days} onChoose={onChoose} />
        <Legend />
      </section>
      {day === today ? null : (
        <Button look="plain" size="small" onClick={() => onChoose(today)}>
          {copy.today}
        </Button>
      )}
      {calendar.mois === month && days.length === 0 ? <EmptyMonth /> : <DayEvents day={day} />}
    </>
  );
}

function Legend() {
  return (
    <ul className={styles.legend} aria-label={copy.legend}>
      {Object.entries(copy.kinds).map(([kind, name]) => (
        <li key={kind}>
          <span className={styles.dot} data-kind={kind} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  );
}

function EmptyMonth() {
  const [, navigate] = useLocation();
  return (
    <EmptyState
      drawing="receipt"
      title={copy.noneMonth}
      text={copy.noneMonthText}
      action={
        <Button look="tinted" onClick={() => navigate("/ProductsList")}>
          {copy.noneAction}
        </Button>
      }
    />
  );
}
