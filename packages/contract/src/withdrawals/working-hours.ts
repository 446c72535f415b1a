import { DAY_MS, fromLocalMs, HOUR_MS, midnightOf, toLocalMs, weekdayOf } from "@sesame/kernel";
import type { WorkingHours } from "../back-office/settings.fr.ts";

/**
 * The instant by which a request is dealt with: 24 hours that count on working days only ("up to
 * 24 hours, Monday to Friday 9h to 17h"), from the first working instant at or after `at`. Made on
 * Friday at 16:00 → Monday at 16:00; on Saturday → Tuesday at 9:00.
 */
export function deadlineOf(at: Date, hours: WorkingHours, zone: string): Date {
  if (!areSound(hours)) return new Date(at.getTime() + DAY_MS);
  const start = nextOpening(toLocalMs(at, zone), hours);
  let day = midnightOf(start) + DAY_MS;
  while (!hours.days.includes(weekdayOf(day))) day += DAY_MS;
  return fromLocalMs(day + (start - midnightOf(start)), zone);
}

export function isOpenAt(at: Date, hours: WorkingHours, zone: string): boolean {
  const local = toLocalMs(at, zone);
  const msOfDay = local - midnightOf(local);
  return (
    hours.days.includes(weekdayOf(local)) &&
    msOfDay >= hours.from_hour * HOUR_MS &&
    msOfDay < hours.to_hour * HOUR_MS
  );
}

/** When what is open at `at` closes; null: it is closed. */
export function closingOf(at: Date, hours: WorkingHours, zone: string): Date | null {
  if (!isOpenAt(at, hours, zone)) return null;
  return fromLocalMs(midnightOf(toLocalMs(at, zone)) + hours.to_hour * HOUR_MS, zone);
}

/** The first working instant at or after `at`; null: there is none. */
export function openingAfter(at: Date, hours: WorkingHours, zone: string): Date | null {
  return areSound(hours) ? fromLocalMs(nextOpening(toLocalMs(at, zone), hours), zone) : null;
}

/** Working milliseconds between two instants: how long a request has really waited. */
export function workingMsBetween(from: Date, to: Date, when: HoursIn): number {
  const { hours, zone } = when;
  if (!areSound(hours) || to <= from) return 0;
  const start = toLocalMs(from, zone);
  const end = toLocalMs(to, zone);
  let total = 0;
  for (let day = midnightOf(start); day < end; day += DAY_MS) {
    if (!hours.days.includes(weekdayOf(day))) continue;
    const opens = Math.max(start, day + hours.from_hour * HOUR_MS);
    const closes = Math.min(end, day + hours.to_hour * HOUR_MS);
    total += Math.max(0, closes - opens);
  }
  return total;
}

type HoursIn = { readonly hours: WorkingHours; readonly zone: string };

function areSound({ days, from_hour: from, to_hour: to }: WorkingHours): boolean {
  return from < to && days.some((day) => day >= 1 && day <= 7);
}

function nextOpening(localMs: number, hours: WorkingHours): number {
  const midnight = midnightOf(localMs);
  const opens = hours.from_hour * HOUR_MS;
  const closes = midnight + hours.to_hour * HOUR_MS;
  if (hours.days.includes(weekdayOf(localMs)) && localMs < closes) {
    return Math.max(localMs, midnight + opens);
  }
  let day = midnight + DAY_MS;
  while (!hours.days.includes(weekdayOf(day))) day += DAY_MS;
  return day + opens;
}
