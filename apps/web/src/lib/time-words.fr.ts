import { formatDay } from "./format.ts";

// Separate: on the seller's first route, where the sentences of messages.fr.ts are not.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, as people say it; beyond a week, the day. `now` in milliseconds. */
export function sayAgo(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (Number.isNaN(age)) return "";
  if (age < MINUTE) return "à l'instant";
  if (age < HOUR) return `il y a ${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `il y a ${Math.floor(age / HOUR)} h`;
  if (age < 2 * DAY) return "hier";
  if (age < 7 * DAY) return `il y a ${Math.floor(age / DAY)} jours`;
  return `le ${formatDay(iso)}`;
}

/** Days and months are written small in French, but at the head of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "21 nov., 14:05": short, for rows. */
export function sayShortInstant(iso: string): string {
  return SHORT.format(new Date(iso));
}

/** "21 nov. 2026". */
export function sayShortDay(iso: string): string {
  return SHORT_DAY.format(new Date(iso));
}

const SHORT_DAY = new Intl.DateTimeFormat("fr-FR", {
  day: "numeric",
  month: "short",
  year: "numeric",
});

const SHORT = new Intl.DateTimeFormat("fr-FR", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** An instant of the wire as a French spreadsheet reads it: "22/11/2026 15:25". */
export function sheetInstant(iso: string): string {
  return new Date(iso).toLocaleString("fr-FR", { dateStyle: "short", timeStyle: "short" });
}
