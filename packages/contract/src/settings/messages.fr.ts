import type { WorkingHours } from "./settings.fr.ts";

const DAYS = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"] as const;

/** "du lundi au vendredi, de 9 h à 18 h" */
export function sayWorkingHours({ days, from_hour: from, to_hour: to }: WorkingHours): string {
  return `${sayDays(days)}, de ${from} h à ${to} h`;
}

function sayDays(days: readonly number[]): string {
  const names = days.map((day) => DAYS[day - 1] ?? "");
  const [first = 0] = days;
  const last = days.at(-1) ?? 0;
  if (days.length === DAYS.length) return "tous les jours";
  // A run of days in a row is said by its ends.
  if (days.length > 2 && last - first + 1 === days.length) {
    return `du ${names[0]} au ${names.at(-1)}`;
  }
  const [end = "", ...rest] = names.toReversed();
  return rest.length === 0 ? `le ${end}` : `les ${rest.toReversed().join(", ")} et ${end}`;
}
