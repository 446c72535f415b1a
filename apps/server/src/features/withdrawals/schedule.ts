import type { Plan } from "@sesame/contract/plans";
import { fromLocalMs, type PayoutFrequency, toLocalMs } from "@sesame/contract/withdrawals";
import { addMs, DAY_MS, HOUR_MS } from "@sesame/kernel";

/** How often an automatic payout runs (decision 70). `threshold`: once what is available reaches it. */
export type Frequency = "weekly" | "daily" | "threshold";

export const FREQUENCY_ON_WIRE: Readonly<Record<Frequency, PayoutFrequency>> = {
  weekly: "hebdomadaire",
  daily: "quotidien",
  threshold: "seuil",
};

export const FREQUENCY_FROM_WIRE: Readonly<Record<PayoutFrequency, Frequency>> = {
  hebdomadaire: "weekly",
  quotidien: "daily",
  seuil: "threshold",
};

export const FREQUENCIES_OF: Readonly<Record<Plan, readonly Frequency[]>> = {
  free: ["weekly"],
  premium: ["weekly", "daily", "threshold"],
};

/** A seller who went back to the free plan is paid weekly, whatever he had chosen. */
export function frequencyFor(plan: Plan, chosen: Frequency): Frequency {
  return FREQUENCIES_OF[plan].includes(chosen) ? chosen : "weekly";
}

/** When agents are back at work. */
const RUN_HOUR = 9;
const MONDAY = 1;

/**
 * The first run after an instant, in the instance's zone: Mondays at 9:00, each day at 9:00, or each
 * full hour for a threshold.
 */
export function nextRunAfter(at: Date, frequency: Frequency, zone: string): Date {
  const local = toLocalMs(at, zone);
  if (frequency === "threshold") return fromLocalMs(floor(local, HOUR_MS) + HOUR_MS, zone);
  let day = floor(local, DAY_MS);
  const isRun = () =>
    day + RUN_HOUR * HOUR_MS > local && (frequency === "daily" || weekdayOf(day) === MONDAY);
  while (!isRun()) day += DAY_MS;
  return fromLocalMs(day + RUN_HOUR * HOUR_MS, zone);
}

function floor(ms: number, unit: number): number {
  return Math.floor(ms / unit) * unit;
}

/** 0 Sunday … 6 Saturday, of a local day's start. */
function weekdayOf(localMs: number): number {
  return new Date(localMs).getUTCDay();
}

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
