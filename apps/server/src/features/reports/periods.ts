import type { StatisticsPeriod } from "@sesame/contract/reports";
import { toLocalMs } from "@sesame/contract/withdrawals";
import { DAY_MS, unreachable } from "@sesame/kernel";

/** A calendar day, of the instance's zone where an instant made it: 2026-11-16. */
export type Day = string;

/** Days from one to another, both included. */
export type Span = { readonly from: Day; readonly to: Day };

export type PeriodSpans = {
  readonly grain: "day" | "month";
  readonly now: Span;
  readonly before: Span;
  /** The first day of each bar, oldest first. */
  readonly bars: readonly Day[];
};

const utc = (day: Day) => new Date(`${day}T00:00:00Z`);
const write = (at: Date): Day => at.toISOString().slice(0, 10);

export function todayIn(zone: string, now: Date): Day {
  return write(new Date(toLocalMs(now, zone)));
}

export function plusDays(day: Day, days: number): Day {
  return write(new Date(utc(day).getTime() + days * DAY_MS));
}

/** The first day of the month so many months later. */
export function plusMonths(day: Day, months: number): Day {
  const at = utc(day);
  return write(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1)));
}

/** What a period is, and what it is compared with: the contract says it in words. */
export function spansOf(period: StatisticsPeriod, today: Day): PeriodSpans {
  switch (period) {
    case "week":
      return lastDays(today, 7);
    case "month":
      return lastDays(today, 30);
    case "year": {
      const from = plusMonths(today, -11);
      return {
        grain: "month",
        now: { from, to: today },
        before: { from: plusMonths(from, -12), to: plusDays(from, -1) },
        bars: Array.from({ length: 12 }, (_, index) => plusMonths(from, index)),
      };
    }
    default:
      return unreachable(period);
  }
}

function lastDays(today: Day, count: number): PeriodSpans {
  const from = plusDays(today, 1 - count);
  return {
    grain: "day",
    now: { from, to: today },
    before: { from: plusDays(from, -count), to: plusDays(from, -1) },
    bars: Array.from({ length: count }, (_, index) => plusDays(from, index)),
  };
}
