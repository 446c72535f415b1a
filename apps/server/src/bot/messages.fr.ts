export type SayInstant = (instant: Date) => string;

/** 16 novembre 2026 à 09:00, in the instance's time zone. */
export function createSayInstant(timeZone: string): SayInstant {
  const days = new Intl.DateTimeFormat("fr-FR", { dateStyle: "long", timeZone });
  const hours = new Intl.DateTimeFormat("fr-FR", { timeStyle: "short", timeZone });
  return (instant) => `${days.format(instant)} à ${hours.format(instant)}`;
}
