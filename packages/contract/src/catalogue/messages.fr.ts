const HOUR = 60;
const DAY = 24 * HOUR;

/** Stands for the duration of a donation, after its least amount. */
export const DONATION_LABEL = "montant libre";

/** Minutes as people say them: "30 jours", "24 h", "5 min" (decision 37). */
export function sayDuration(minutes: number): string {
  if (minutes === 525_600) return "1 an";
  if (minutes === DAY) return "24 h";
  if (minutes % DAY === 0) return `${minutes / DAY} jours`;
  if (minutes % HOUR === 0) return `${minutes / HOUR} h`;
  return `${minutes} min`;
}
