import type { CalendarDayOnWire } from "@sesame/contract/reports";
import type { AnswerOf } from "@sesame/contract/routes";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { HISTORY } from "../../lib/text.ts";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { read, readOnce } from "../../lib/read.ts";
import { capital } from "../../lib/time-words.fr.ts";
import { haptic } from "../../telegram/native.ts";
import { IconButton, TintedButton, PlainButton } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { Card, Cell, type CellProps, Line, Name, Text } from "../../kit/layout.tsx";
import { Rows } from "../../kit/records.tsx";
import { calendarCopy as copy, sayMonth, sayWholeDay } from "./messages.fr.ts";
import styles from "./statistics.module.css";
import { StatusBadge } from "./transaction-row.tsx";

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
    <Page refresh={() => calendar.refetch()} title={copy.title} subtitle={copy.subtitle}>
      {calendar.data ? (
        <Shown
          calendar={calendar.data}
          day={chosen ?? calendar.data.aujourdhui}
          onChoose={choose}
        />
      ) : (
        <NotYet query={calendar} copy={copy} rows={6} />
      )}
    </Page>
  );
}

type ShownProps = {
  readonly calendar: AnswerOf<"GET /api/calendar">;
  readonly day: string;
  onChoose(day: string): void;
};

function Shown({ calendar, day, onChoose }: ShownProps) {
  const month = day.slice(0, 7);
  const [, navigate] = useLocation();
  const { aujourdhui: today, next_day: next } = calendar;
  // Until the chosen month is read, the dots of the month before are not shown.
  const days = calendar.mois === month ? calendar.jours : [];
  return (
    <>
      <Card as="section">
        <Line as="header" between>
          <IconButton
            icon="back"
            label={copy.previous}
            onClick={() => onChoose(plusMonths(day, -1))}
          />
          <Text as="h2" size="heading" aria-live="polite">
            {capital(sayMonth(`${month}-01`))}
          </Text>
          <IconButton
            icon="chevron"
            label={copy.next}
            onClick={() => onChoose(plusMonths(day, 1))}
          />
        </Line>
        <MonthGrid calendar={calendar} month={month} day={day} days={days} onChoose={onChoose} />
        <Line as="ul" gap={4} soft aria-label={copy.legend}>
          {Object.entries(copy.kinds).map(([kind, name]) => (
            <Line as="li" key={kind}>
              <span className={styles.dot} data-kind={kind} aria-hidden="true" />
              {name}
            </Line>
          ))}
        </Line>
      </Card>
      {day === today ? null : (
        <PlainButton size="small" onClick={() => onChoose(today)}>
          {copy.today}
        </PlainButton>
      )}
      {calendar.mois === month && days.length === 0 ? (
        <Empty of={["receipt", copy.noneMonth, copy.noneMonthText]}>
          <TintedButton onClick={() => (next ? onChoose(next) : navigate("/ProductsList"))}>
            {next ? copy.nextDay(sayWholeDay(next)) : copy.noneAction}
          </TintedButton>
        </Empty>
      ) : (
        <DayEvents day={day} />
      )}
    </>
  );
}

const KINDS = ["expirations", "renouvellements", "retraits"] as const;

/** `month`: "2026-11". */
type GridProps = ShownProps & { month: string; days: readonly CalendarDayOnWire[] };

/** The days of a month, with a dot for each kind of event. Tab reaches one day; arrow keys reach the others. */
function MonthGrid({ calendar, month, day, days, onChoose }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const byKey = useRef(false);
  // The chosen day is in the page once its month is drawn.
  useEffect(() => {
    if (!byKey.current) return;
    byKey.current = false;
    grid.current?.querySelector<HTMLButtonElement>(`[data-day="${day}"]`)?.focus();
  }, [day]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = dayAfterKey(event.key, day);
    if (next === null) return;
    event.preventDefault();
    byKey.current = true;
    onChoose(next);
  };
  const falls = new Map(days.map((each) => [each.jour, each]));
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={-1}
      aria-label={sayMonth(`${month}-01`)}
      onKeyDown={onKeyDown}
    >
      <div role="row" className={styles.week}>
        {copy.weekdays.map(([letter, name]) => (
          <span key={name} role="columnheader" aria-label={name} className={styles.weekday}>
            {letter}
          </span>
        ))}
      </div>
      {weeksOf(month).map((week) => (
        <div key={week.find((each) => each !== null)} role="row" className={styles.week}>
          {week.map((each, index) => {
            const counts = falls.get(each ?? "");
            const kinds = KINDS.filter((kind) => (counts?.[kind] ?? 0) > 0);
            const said = kinds.map((kind) => copy.counts[kind](counts?.[kind] ?? 0));
            return (
              <div key={each ?? index} role="gridcell">
                {each === null ? null : (
                  <button
                    type="button"
                    className={styles.day}
                    data-day={each}
                    tabIndex={each === day ? 0 : -1}
                    aria-pressed={each === day}
                    aria-current={each === calendar.aujourdhui ? "date" : undefined}
                    // The name holds what is shown.
                    aria-label={`${sayWholeDay(each).replace("1er", "1")}, ${said.join(", ") || copy.nothing}`}
                    onClick={() => onChoose(each)}
                  >
                    {Number(each.slice(8))}
                    <Line as="span" gap={1}>
                      {kinds.map((kind) => (
                        <span key={kind} className={styles.dot} data-kind={kind} />
                      ))}
                    </Line>
                  </button>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** What falls on a day, by its time. */
function DayEvents({ day }: { day: string }) {
  const events = useQuery(read("GET /api/calendar/day", { query: { jour: day } }));
  if (!events.data) return <NotYet query={events} copy={copy} rows={2} />;
  const { evenements, autres } = events.data;
  return (
    <Rows
      title={capital(sayWholeDay(day))}
      none={copy.noneDay}
      footer={autres > 0 ? copy.others(autres) : undefined}
    >
      {evenements.map((event) => (
        <Cell key={`${event.type} ${event.id}`} {...cellOf(event)} chevron />
      ))}
    </Rows>
  );
}

type Event = AnswerOf<"GET /api/calendar/day">["evenements"][number];

function cellOf(event: Event): CellProps {
  const at = formatInstant(event.date).split(" à ")[1] ?? "";
  switch (event.type) {
    case "expiration":
      return {
        ...ofBuyer(event, event.passee ? copy.expired : copy.expires),
        icon: "clock",
        after: at,
      };
    case "renouvellement":
      return {
        ...ofBuyer(event, `${copy.renewed} · ${at}`),
        icon: "refresh",
        after: (
          <Text as="strong" tone="green">
            +{formatFcfa(event.montant)}
          </Text>
        ),
      };
    case "retrait":
      return {
        icon: "arrowOut",
        title: event.automatique ? copy.automaticPayout : copy.payout,
        subtitle: (
          <Line as="span" between>
            <span>{`${event.reference_transaction} · ${at}`}</span>
            <StatusBadge status={event.status} />
          </Line>
        ),
        after: <strong>{formatFcfa(event.montant)}</strong>,
        href: HISTORY,
      };
    case "retrait_automatique":
      return {
        icon: "arrowOut",
        title: copy.nextPayout,
        subtitle: copy.nextPayoutText,
        after: at,
        href: "/ConfigurationRetrait",
      };
  }
}

/** Who it is about, what happens to his access, and the list that holds it. */
function ofBuyer(of: { nomClient: string; produitNom: string; idProduit: string }, first: string) {
  return {
    title: <Name>{of.nomClient}</Name>,
    subtitle: (
      <>
        <span>{first}</span> · {of.produitNom}
      </>
    ),
    href: `/ProductCard/${of.idProduit}/abonnements`,
  };
}

/** A month as its page shows it: weeks from Monday; null outside the month. */
export function weeksOf(month: string): (string | null)[][] {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const cells: (string | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= days; day += 1) {
    cells.push(`${month}-${String(day).padStart(2, "0")}`);
  }
  while (cells.length % 7 > 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

function plusDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The same day of another month, or its last one. */
export function plusMonths(day: string, months: number): string {
  const [year = 0, number = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, number + months, 0)).getUTCDate();
  const at = new Date(Date.UTC(year, number - 1 + months, Math.min(date, last)));
  return at.toISOString().slice(0, 10);
}

/** Where a key leads from a day (the grid pattern of the ARIA guide); null: nowhere. */
export function dayAfterKey(key: string, day: string): string | null {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const places: Readonly<Record<string, string>> = {
    ArrowLeft: plusDays(day, -1),
    ArrowRight: plusDays(day, 1),
    ArrowUp: plusDays(day, -7),
    ArrowDown: plusDays(day, 7),
    Home: plusDays(day, -weekday),
    End: plusDays(day, 6 - weekday),
    PageUp: plusMonths(day, -1),
    PageDown: plusMonths(day, 1),
  };
  return places[key] ?? null;
}
