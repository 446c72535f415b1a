import type { StatisticsAnswer, StatisticsPeriod } from "@sesame/contract/reports";
import { type KeyboardEvent, useRef, useState } from "react";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { Section } from "../../../kit/section.tsx";
import {
  sayDay,
  sayLongDay,
  sayMonth,
  sayShortMonth,
  sayWeekday,
  statisticsCopy as copy,
} from "../messages.fr.ts";
import styles from "../statistics.module.css";

type Bar = StatisticsAnswer["barres"][number];

const WIDTH = 320;
const HEIGHT = 128;
/** A day without a sale still stands on the ground. */
const LEAST = 3;

/**
 * One bar a day, or a month. A finger or the arrow keys go through the bars, whose figures are said
 * above; the same figures stand in a table for those who do not see it.
 */
export function BarChart(props: { bars: readonly Bar[]; period: StatisticsPeriod }) {
  const { bars, period } = props;
  const monthly = period === "year";
  const [chosen, setChosen] = useState(bars.length - 1);
  const bar = bars[chosen] ?? bars[0];
  const title = monthly ? copy.chart.month : copy.chart.day;
  if (!bar) return null;
  return (
    <Section title={title}>
      <div className={styles.chart}>
        <p className={styles.chosen} aria-hidden="true">
          <span>{monthly ? sayMonth(bar.debut) : sayLongDay(bar.debut)}</span>
          <strong>{formatFcfa(bar.net)}</strong>
          <span>{saySales(bar)}</span>
        </p>
        <Bars {...props} title={title} chosen={chosen} onChoose={setChosen} />
        <Axis bars={bars} period={period} />
      </div>
    </Section>
  );
}

function Bars(props: {
  bars: readonly Bar[];
  period: StatisticsPeriod;
  title: string;
  chosen: number;
  onChoose(index: number): void;
}) {
  const { bars, chosen, onChoose } = props;
  const place = useRef<HTMLDivElement>(null);
  const highest = Math.max(1, ...bars.map((bar) => bar.net));
  const slot = WIDTH / bars.length;
  const width = Math.min(30, slot * 0.66);
  const choose = (index: number) => onChoose(Math.max(0, Math.min(bars.length - 1, index)));
  const chooseAt = (x: number) => {
    const box = place.current?.getBoundingClientRect();
    if (box && box.width > 0) choose(Math.floor(((x - box.left) / box.width) * bars.length));
  };
  const bar = bars[chosen];
  return (
    <div
      ref={place}
      className={styles.bars}
      role="slider"
      tabIndex={0}
      aria-label={props.title}
      aria-valuemin={1}
      aria-valuemax={bars.length}
      aria-valuenow={chosen + 1}
      aria-valuetext={bar ? sayBar(bar, props.period) : ""}
      onKeyDown={(event) => {
        const next = keyed(event, { chosen, last: bars.length - 1 });
        if (next !== null) choose(next);
      }}
      onPointerDown={(event) => chooseAt(event.clientX)}
      onPointerMove={(event) => {
        if (event.buttons > 0 || event.pointerType === "mouse") chooseAt(event.clientX);
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map((each, index) => {
          const height = Math.max(LEAST, (each.net / highest) * HEIGHT);
          return (
            <rect
              key={each.debut}
              x={index * slot + (slot - width) / 2}
              y={HEIGHT - height}
              width={width}
              height={height}
              rx={Math.min(4, width / 3)}
              data-empty={each.net === 0 || undefined}
              data-chosen={index === chosen || undefined}
            />
          );
        })}
      </svg>
    </div>
  );
}

function keyed(
  event: KeyboardEvent,
  { chosen, last }: { chosen: number; last: number },
): number | null {
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: chosen - 1,
    ArrowDown: chosen - 1,
    ArrowRight: chosen + 1,
    ArrowUp: chosen + 1,
    Home: 0,
    End: last,
  };
  const place = places[event.key];
  if (place === undefined) return null;
  event.preventDefault();
  return place;
}

function Axis({ bars, period }: { bars: readonly Bar[]; period: StatisticsPeriod }) {
  // Thirty names do not fit: of a month the first, the middle and the last.
  const shown = period === "month" ? [0, Math.floor((bars.length - 1) / 2), bars.length - 1] : null;
  const say = period === "year" ? sayShortMonth : period === "week" ? sayWeekday : sayDay;
  return (
    <>
      <div
        className={styles.axis}
        data-few={shown !== null || undefined}
        data-many={period === "year" || undefined}
        aria-hidden="true"
      >
        {bars.map((bar, index) =>
          shown === null || shown.includes(index) ? (
            <span key={bar.debut}>{period === "year" ? say(bar.debut)[0] : say(bar.debut)}</span>
          ) : null,
        )}
      </div>
      <div className="only-heard">
        <table>
          <thead>
            <tr>
              <th scope="col">{copy.date}</th>
              <th scope="col">{copy.net}</th>
              <th scope="col">{copy.sales}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.debut}>
                <th scope="row">{sayWhen(bar, period)}</th>
                <td>{formatFcfa(bar.net)}</td>
                <td>{formatNumber(bar.ventes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function sayWhen(bar: Bar, period: StatisticsPeriod): string {
  return period === "year" ? sayMonth(bar.debut) : sayLongDay(bar.debut);
}

function saySales({ ventes }: Bar): string {
  return copy.salesCount(formatNumber(ventes), ventes > 1);
}

function sayBar(bar: Bar, period: StatisticsPeriod): string {
  return copy.barText(sayWhen(bar, period), formatFcfa(bar.net), saySales(bar));
}
