import { claimsCopy } from "./messages.fr.ts";

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_HOURS = 24;

/** What is left until an instant, by its two biggest units; null once it has passed. */
export function sayLeft(until: string, now: number): string | null {
  const minutes = Math.floor((Date.parse(until) - now) / MINUTE_MS);
  if (!(minutes > 0)) return null;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  const { left } = claimsCopy;
  if (hours >= DAY_HOURS) return left.days(Math.floor(hours / DAY_HOURS), hours % DAY_HOURS);
  return hours > 0 ? left.hours(hours, minutes % HOUR_MINUTES) : left.minutes(minutes);
}
