/** Digits as people type francs, spaces left out; the text itself when it is something else. */
export function readFrancs(text: string): number | string {
  const bare = text.replaceAll(/[\s.\u202f\u00a0]/g, "");
  return /^\d{1,12}$/.test(bare) ? Number(bare) : text;
}

/** A day before or after, by its name alone: 2026-11-21. */
export function dayBeside(date: string, days: 1 | -1): string {
  const at = new Date(`${date}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}
