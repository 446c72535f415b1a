function inAbidjan(options: Intl.DateTimeFormatOptions): (at: number | string) => string {
  const format = new Intl.DateTimeFormat("fr-FR", { ...options, timeZone: "Africa/Abidjan" });
  return (at) => format.format(new Date(at));
}

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;
const DAY = { day: "numeric", month: "long" } as const;

export const formatClock = inAbidjan(CLOCK);
export const formatSeconds = inAbidjan({ ...CLOCK, second: "2-digit" });
export const formatDay = inAbidjan(DAY);
export const formatLongDay = inAbidjan({ ...DAY, weekday: "long", year: "numeric" });
const formatShortDay = inAbidjan({ day: "2-digit", month: "2-digit" });

const number = new Intl.NumberFormat("fr-FR");
export const formatNumber = (value: number) => number.format(value);

/** In a list: the hour today, the day before that. */
export function formatListTime(at: string, now: number): string {
  return formatShortDay(at) === formatShortDay(now) ? formatClock(at) : formatShortDay(at);
}
