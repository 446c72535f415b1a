import type { Plan } from "@sesame/contract/plans";
import type { PayoutFrequency } from "@sesame/contract/withdrawals";
import {
  addDays,
  addMs,
  DAY_MS,
  type Day,
  fromLocalMs,
  HOUR_MS,
  midnightOf,
  startOfDay,
  toLocalMs,
  weekdayOf,
} from "@sesame/kernel";

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
  if (frequency === "threshold") return fromLocalMs(local - (local % HOUR_MS) + HOUR_MS, zone);
  let day = midnightOf(local);
  const isRun = () =>
    day + RUN_HOUR * HOUR_MS > local && (frequency === "daily" || weekdayOf(day) === MONDAY);
  while (!isRun()) day += DAY_MS;
  return fromLocalMs(day + RUN_HOUR * HOUR_MS, zone);
}

/** A date is run once: the first run of the schedule on a later one. */
export function nextRunAfterDate(date: Day, frequency: Frequency, zone: string): Date {
  return nextRunAfter(addMs(startOfDay(addDays(date, 1), zone), -1), frequency, zone);
}
