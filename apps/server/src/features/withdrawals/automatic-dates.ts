import { fromLocalMs, toLocalMs } from "@sesame/contract/withdrawals";
import { addMs, DAY_MS } from "@sesame/kernel";
import { type Frequency, nextRunAfter } from "./schedule.ts";

/** A date of the instance's calendar, YYYY-MM-DD. */
export type LocalDate = string;

export function localDateOf(at: Date, zone: string): LocalDate {
  return new Date(toLocalMs(at, zone)).toISOString().slice(0, 10);
}

export function startOfLocalDate(date: LocalDate, zone: string): Date {
  return fromLocalMs(Date.parse(`${date}T00:00:00Z`), zone);
}

/** A date is run once: the first run of the schedule on a later one. */
export function nextRunAfterDate(date: LocalDate, frequency: Frequency, zone: string): Date {
  const nextDay = fromLocalMs(Date.parse(`${date}T00:00:00Z`) + DAY_MS, zone);
  return nextRunAfter(addMs(nextDay, -1), frequency, zone);
}
