const ZONE = "Africa/Abidjan";

const clock = new Intl.DateTimeFormat("fr-FR", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: ZONE,
});
const clockWithSeconds = new Intl.DateTimeFormat("fr-FR", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZone: ZONE,
});
const day = new Intl.DateTimeFormat("fr-FR", { day: "numeric", month: "long", timeZone: ZONE });
const shortDay = new Intl.DateTimeFormat("fr-FR", {
  day: "2-digit",
  month: "2-digit",
  timeZone: ZONE,
});
const longDay = new Intl.DateTimeFormat("fr-FR", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: ZONE,
});
const number = new Intl.NumberFormat("fr-FR");

export const formatClock = (at: number | string) => clock.format(new Date(at));
export const formatSeconds = (at: number | string) => clockWithSeconds.format(new Date(at));
export const formatDay = (at: number | string) => day.format(new Date(at));
export const formatLongDay = (at: number | string) => longDay.format(new Date(at));
export const formatNumber = (value: number) => number.format(value);

/** In a list: the hour today, the day before that. */
export function formatListTime(at: string, now: number): string {
  const date = new Date(at);
  return shortDay.format(date) === shortDay.format(now)
    ? clock.format(date)
    : shortDay.format(date);
}
