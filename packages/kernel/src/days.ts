import { DAY_MS } from "./time.ts";

/** A calendar day: 2026-11-16. */
export type Day = string;

const utcMs = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const write = (localMs: number): Day => new Date(localMs).toISOString().slice(0, 10);

/** The calendar day of an instant in a time zone. */
export function dayOf(at: Date, zone: string): Day {
  return write(toLocalMs(at, zone));
}

/** The first instant of a day in a time zone. */
export function startOfDay(day: Day, zone: string): Date {
  return fromLocalMs(utcMs(day), zone);
}

export function addDays(day: Day, days: number): Day {
  return write(utcMs(day) + days * DAY_MS);
}

/** The first day of the month that many months later. */
export function addMonths(day: Day, months: number): Day {
  const at = new Date(utcMs(day));
  return write(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1));
}

// Local times are milliseconds of a calendar without a time zone, computed as if in UTC: adding
// hours or days to them ignores changes of summer time.

/** 1 Monday … 7 Sunday. */
export function weekdayOf(localMs: number): number {
  return ((new Date(localMs).getUTCDay() + 6) % 7) + 1;
}

export function midnightOf(localMs: number): number {
  return Math.floor(localMs / DAY_MS) * DAY_MS;
}

const FIELDS = {
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();

export function toLocalMs(at: Date, zone: string): number {
  const parts = formatOf(zone).formatToParts(at);
  const numbers = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  const { year, month, day, hour, minute, second } = numbers as Record<keyof typeof FIELDS, number>;
  return Date.UTC(year, month - 1, day, hour, minute, second, at.getUTCMilliseconds());
}

/** The two guesses have different offsets only near a change of summer time. */
export function fromLocalMs(localMs: number, zone: string): Date {
  const first = localMs - offsetAt(localMs, zone);
  return new Date(localMs - offsetAt(first, zone));
}

function offsetAt(ms: number, zone: string): number {
  return toLocalMs(new Date(ms), zone) - ms;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...FIELDS });
  formats.set(zone, format);
  return format;
}
