import type { CalendarDayOnWire } from "@sesame/contract/reports";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { calendarCopy as copy, sayMonth, sayWholeDay } from "../messages.fr.ts";
import { dayAfterKey, weeksOf } from "../calendar-days.ts";
import styles from "../statistics.module.css";
const KINDS = ["expirations", "renouvellements", "retraits"] as const;

type Props = {
  /** "2026-11" */
  readonly month: string;
  readonly day: string;
  readonly today: string;
  readonly days: readonly CalendarDayOnWire[];
  onChoose(day: string): void;
};

/** A month of days with a dot for each kind. One day is in the way of Tab; arrows go to the others. */
export function MonthGrid({ month, day, today, days, onChoose }: Props) {
  const grid = useRef<HTMLDivElement>(null);
  const byKey = useRef(false);
  // The chosen day may only be there once its month is drawn.
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
          {week.map((each, index) => (
            <div key={each ?? index} role="gridcell">
              {each === null ? null : (
                <Day
                  day={each}
                  chosen={each === day}
                  today={each === today}
                  falls={falls.get(each)}
                  onChoose={onChoose}
                />
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Day(props: {
  day: string;
  chosen: boolean;
  today: boolean;
  falls: CalendarDayOnWire | undefined;
  onChoose(day: string): void;
}) {
  const { day, chosen, falls } = props;
  const kinds = KINDS.filter((kind) => (falls?.[kind] ?? 0) > 0);
  const said = kinds.map((kind) => copy.counts[kind](falls?.[kind] ?? 0)).join(", ");
  return (
    <button
      type="button"
      className={styles.day}
      data-day={day}
      tabIndex={chosen ? 0 : -1}
      aria-pressed={chosen}
      aria-current={props.today ? "date" : undefined}
      aria-label={`${sayWholeDay(day)}, ${said || copy.nothing}`}
      onClick={() => props.onChoose(day)}
    >
      {Number(day.slice(8))}
      <span className={styles.dots}>
        {kinds.map((kind) => (
          <span key={kind} className={styles.dot} data-kind={kind} />
        ))}
      </span>
    </button>
  );
}
