import { isDay } from "@sesame/contract";
import { fromLocalMs, toLocalMs } from "@sesame/contract/withdrawals";
import { DAY_MS } from "@sesame/kernel";

/** A calendar day of the instance's zone: 2026-11-16. */
export type Day = string;

export function dayOf(instant: Date, zone: string): Day {
  return new Date(toLocalMs(instant, zone)).toISOString().slice(0, 10);
}

export function startOfDay(day: Day, zone: string): Date {
  return fromLocalMs(Date.parse(`${day}T00:00:00Z`), zone);
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Null: no day of the calendar. */
export function readDay(value: unknown): Day | null {
  return typeof value === "string" && isDay(value) ? value : null;
}

/** 01/12/2026 */
export function sayDay(day: Day): string {
  return day.split("-").reverse().join("/");
}
