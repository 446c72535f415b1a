// Days and months of the instance, "2026-11-25", as people say them. Noon, in the phone's own zone:
// the same day everywhere.
const at = (day: string) => new Date(`${day}T12:00:00`);

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat("fr-FR", options);
const LONG = format({ weekday: "long", day: "numeric", month: "long" });
const WHOLE = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const SHORT = format({ day: "numeric", month: "short" });
const WEEKDAY = format({ weekday: "short" });
const MONTH = format({ month: "long", year: "numeric" });
const SHORT_MONTH = format({ month: "short" });
const MONTH_YEAR = format({ month: "short", year: "2-digit" });

/** "mercredi 25 novembre". */
export const sayLongDay = (day: string) => LONG.format(at(day));
/** "mercredi 25 novembre 2026". */
export const sayWholeDay = (day: string) => WHOLE.format(at(day));
/** "25 nov.". */
export const sayDay = (day: string) => SHORT.format(at(day));
/** "mer.". */
export const sayWeekday = (day: string) => WEEKDAY.format(at(day));
/** "novembre 2026". */
export const sayMonth = (day: string) => MONTH.format(at(day));
/** "nov.". */
export const sayShortMonth = (day: string) => SHORT_MONTH.format(at(day));
/** "nov. 26". */
export const sayMonthYear = (day: string) => MONTH_YEAR.format(at(day));
