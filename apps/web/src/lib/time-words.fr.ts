import { sayFirst } from "@sesame/contract";
import { formatDay } from "./format.ts";

// Separate: on the seller's first route, where the sentences of messages.fr.ts are not.

const DAY = 24 * 60;

/** How long ago, from whole minutes. */
export function sayAge(minutes: number): string {
  if (minutes < 1) return "à l'instant";
  if (minutes < 60) return `il y a ${minutes} min`;
  if (minutes < DAY) return `il y a ${Math.floor(minutes / 60)} h`;
  return minutes < 2 * DAY ? "hier" : `il y a ${Math.floor(minutes / DAY)} jours`;
}

/** The same of an instant; beyond a week, its day. `now` in milliseconds. */
export function sayAgo(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (Number.isNaN(minutes)) return "";
  return minutes < 7 * DAY ? sayAge(minutes) : `le ${formatDay(iso)}`;
}

/** Days and months are written small in French, but at the head of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "21 nov., 14:05": short, for rows. */
export function sayShortInstant(iso: string): string {
  return sayFirst(SHORT.format(new Date(iso)));
}

/** "21 nov. 2026". */
export function sayShortDay(iso: string): string {
  return sayFirst(SHORT_DAY.format(new Date(iso)));
}

const DATE = { day: "numeric", month: "short" } as const;
const SHORT_DAY = new Intl.DateTimeFormat("fr-FR", { ...DATE, year: "numeric" });
const SHORT = new Intl.DateTimeFormat("fr-FR", { ...DATE, hour: "2-digit", minute: "2-digit" });

/** An instant of the wire as a French spreadsheet reads it: "22/11/2026 15:25". */
export function sheetInstant(iso: string): string {
  return new Date(iso).toLocaleString("fr-FR", { dateStyle: "short", timeStyle: "short" });
}
