import { formatDay, formatFcfa } from "../../../lib/format.ts";
import { reportsCopy } from "../copy.fr.ts";
import styles from "../reports.module.css";
import type { DayTotal } from "../summary.ts";

const copy = reportsCopy.stats;
const HEIGHT = 120;

/** One bar a day. The same figures stand in a table for those who do not see it. */
export function DayBars({ days }: { days: readonly DayTotal[] }) {
  const highest = Math.max(1, ...days.map((day) => day.net));
  const slot = 300 / days.length;
  const width = Math.min(22, slot * 0.64);
  return (
    <figure className={styles.bars}>
      <svg viewBox={`0 0 300 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, index) => {
          const height = day.net === 0 ? 3 : Math.max(6, (day.net / highest) * (HEIGHT - 6));
          return (
            <rect
              key={day.day}
              x={index * slot + (slot - width) / 2}
              y={HEIGHT - height}
              width={width}
              height={height}
              rx={Math.min(5, width / 2)}
              className={day.net === 0 ? styles.noBar : styles.dayBar}
            />
          );
        })}
      </svg>
      <figcaption className={styles.axis} aria-hidden="true">
        <span>{sayDay(days[0])}</span>
        <span>{sayDay(days[days.length - 1])}</span>
      </figcaption>
      <ul className="only-heard">
        {days
          .filter((day) => day.net > 0)
          .map((day) => (
            <li key={day.day}>{copy.perDayOf(sayDay(day), formatFcfa(day.net))}</li>
          ))}
      </ul>
    </figure>
  );
}

function sayDay(day: DayTotal | undefined): string {
  return day ? formatDay(`${day.day}T12:00:00`) : "";
}
