/** A month as its page shows it: weeks from Monday; null outside the month. */
export function weeksOf(month: string): (string | null)[][] {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const days = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, number - 1, 1)).getUTCDay() + 6) % 7;
  const cells: (string | null)[] = Array.from({ length: before }, () => null);
  for (let day = 1; day <= days; day += 1) {
    cells.push(`${month}-${String(day).padStart(2, "0")}`);
  }
  while (cells.length % 7 > 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}

function plusDays(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The same day of another month, or its last one. */
export function plusMonths(day: string, months: number): string {
  const [year = 0, number = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, number + months, 0)).getUTCDate();
  const at = new Date(Date.UTC(year, number - 1 + months, Math.min(date, last)));
  return at.toISOString().slice(0, 10);
}

/** Where a key leads from a day (the grid pattern of the ARIA guide); null: nowhere. */
export function dayAfterKey(key: string, day: string): string | null {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  switch (key) {
    case "ArrowLeft":
      return plusDays(day, -1);
    case "ArrowRight":
      return plusDays(day, 1);
    case "ArrowUp":
      return plusDays(day, -7);
    case "ArrowDown":
      return plusDays(day, 7);
    case "Home":
      return plusDays(day, -weekday);
    case "End":
      return plusDays(day, 6 - weekday);
    case "PageUp":
      return plusMonths(day, -1);
    case "PageDown":
      return plusMonths(day, 1);
    default:
      return null;
  }
}
