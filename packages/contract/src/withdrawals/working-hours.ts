import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import type { WorkingHours } from "../settings/policy.ts";

type Local = { readonly dayStartMs: number; readonly msOfDay: number; readonly weekday: number };

/**
 * The instant by which a request is dealt with: 24 hours that count on working days only ("up to
 * 24 hours, Monday to Friday 9h to 17h"), from the first working instant at or after `at`. Made on
 * Friday at 16:00 → Monday at 16:00; on Saturday → Tuesday at 9:00.
 */
export function deadlineOf(at: Date, hours: WorkingHours, zone: string): Date {
  if (!areSound(hours)) return new Date(at.getTime() + DAY_MS);
  const start = nextOpening(toLocalMs(at, zone), hours);
  let day = startOfDay(start) + DAY_MS;
  while (!hours.days.includes(weekdayOf(day))) day += DAY_MS;
  return fromLocalMs(day + (start - startOfDay(start)), zone);
}

export function isOpenAt(at: Date, hours: WorkingHours, zone: string): boolean {
  const local = read(toLocalMs(at, zone));
  return (
    hours.days.includes(local.weekday) &&
    local.msOfDay >= hours.from_hour * HOUR_MS &&
    local.msOfDay < hours.to_hour * HOUR_MS
  );
}

/** When what is open at `at` closes; null: it is closed. */
export function closingOf(at: Date, hours: WorkingHours, zone: string): Date | null {
  if (!isOpenAt(at, hours, zone)) return null;
  return fromLocalMs(startOfDay(toLocalMs(at, zone)) + hours.to_hour * HOUR_MS, zone);
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
  for (let day = startOfDay(start); day < end; day += DAY_MS) {
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

/** Local times are milliseconds of a calendar without a zone, as if it were UTC. */
function nextOpening(localMs: number, hours: WorkingHours): number {
  const { dayStartMs, msOfDay, weekday } = read(localMs);
  const opens = hours.from_hour * HOUR_MS;
  if (hours.days.includes(weekday) && msOfDay < hours.to_hour * HOUR_MS) {
    return dayStartMs + Math.max(msOfDay, opens);
  }
  let day = dayStartMs + DAY_MS;
  while (!hours.days.includes(weekdayOf(day))) day += DAY_MS;
  return day + opens;
}

function read(localMs: number): Local {
  const dayStartMs = startOfDay(localMs);
  return { dayStartMs, msOfDay: localMs - dayStartMs, weekday: weekdayOf(localMs) };
}

function startOfDay(localMs: number): number {
  return Math.floor(localMs / DAY_MS) * DAY_MS;
}

function weekdayOf(localMs: number): number {
  return ((new Date(localMs).getUTCDay() + 6) % 7) + 1;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function toLocalMs(at: Date, zone: string): number {
  const parts = formatOf(zone).formatToParts(at);
  const [year, month, day, hour, minute, second] = (
    ["year", "month", "day", "hour", "minute", "second"] as const
  ).map((type) => Number(parts.find((part) => part.type === type)?.value));
  const whole = Date.UTC(
    year ?? 0,
    (month ?? 1) - 1,
    day ?? 1,
    hour ?? 0,
    minute ?? 0,
    second ?? 0,
  );
  return whole + at.getUTCMilliseconds();
}

/** The zone's offset differs between two guesses only around a change of summer time. */
export function fromLocalMs(localMs: number, zone: string): Date {
  const first = localMs - offsetAt(localMs, zone);
  return new Date(localMs - offsetAt(first, zone));
}

function offsetAt(utcMs: number, zone: string): number {
  return toLocalMs(new Date(utcMs), zone) - utcMs;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(zone, format);
  return format;
}
