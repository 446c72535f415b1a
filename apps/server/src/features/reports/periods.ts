import type { StatisticsPeriod } from "@sesame/contract/reports";
import { addDays, addMonths, type Day, unreachable } from "@sesame/kernel";

/** Days from one to another, both included. */
export type Span = { readonly from: Day; readonly to: Day };

export type PeriodSpans = {
  readonly grain: "day" | "month";
  readonly now: Span;
  readonly before: Span;
  /** The first day of each bar, oldest first. */
  readonly bars: readonly Day[];
};

/** What a period is, and what it is compared with: the contract says it in words. */
export function spansOf(period: StatisticsPeriod, today: Day): PeriodSpans {
  switch (period) {
    case "week":
      return lastDays(today, 7);
    case "month":
      return lastDays(today, 30);
    case "year": {
      const from = addMonths(today, -11);
      return {
        grain: "month",
        now: { from, to: today },
        before: { from: addMonths(from, -12), to: addDays(from, -1) },
        bars: Array.from({ length: 12 }, (_, index) => addMonths(from, index)),
      };
    }
    default:
      return unreachable(period);
  }
}

function lastDays(today: Day, count: number): PeriodSpans {
  const from = addDays(today, 1 - count);
  return {
    grain: "day",
    now: { from, to: today },
    before: { from: addDays(from, -count), to: addDays(from, -1) },
    bars: Array.from({ length: count }, (_, index) => addDays(from, index)),
  };
}
