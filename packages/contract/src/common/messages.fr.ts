import type { WorkingHours } from "../back-office/settings.fr.ts";

/**
 * Sentences of the specification that several features, or both server and web, use: word for word
 * (A §8, B §5, B §8).
 */

export const CRASHED = "Une erreur est survenue";
export const SAVE_FAILED = "Erreur lors de la mise à jour";
export const REQUEST_NOT_FOUND = "Demande introuvable";
export const IMPOSSIBLE = "Opération impossible";
export const AGGREGATOR_NOT_FOUND = "Agrégateur non trouvé";

export const METHOD_CLOSED = "Méthode de paiement non disponible. Veuillez réessayer.";

/** Decided, and perhaps not sent yet. */
export const ORDER_REFUNDED = "Cette commande est déjà remboursée ou va l'être.";

/** Decision 58: a provider that cannot be reached. */
export const PROVIDER_UNREACHABLE =
  "Erreur réseau - Problème CORS possible. Contactez l'administrateur.";

/** Decision 93: keys are missing, or the provider refuses them. */
export function sayIncomplete(providerName: string): string {
  return `Configuration incomplète pour ${providerName}`;
}

/** French typography: narrow no-break spaces before signs, no-break spaces inside « ». */
export function typeset(text: string): string {
  return text
    .replaceAll(/ ([?!;%])/g, "\u202f$1")
    .replaceAll(/ ([:»])/g, "\u00a0$1")
    .replaceAll("« ", "«\u00a0")
    .replaceAll(/(\d) (h|FCFA)\b/g, "$1\u00a0$2");
}

const HOUR = 60;
const DAY = 24 * HOUR;

/** The label in place of a duration for a donation, after its minimum. */
export const DONATION_LABEL = "montant libre";

/** Minutes in words: "30 jours", "24 h", "5 min" (decision 37). */
export function sayDuration(minutes: number): string {
  if (minutes === 525_600) return "1 an";
  if (minutes === DAY) return "24 h";
  if (minutes % DAY === 0) return `${minutes / DAY} jours`;
  if (minutes % HOUR === 0) return `${minutes / HOUR} h`;
  return `${minutes} min`;
}

/** Intl's "lundi 1 décembre" as French says it: "lundi 1er décembre". */
export function sayFirst(day: string): string {
  return day.replace(/\b1 /, "1er ");
}

export type SayInstant = (instant: Date) => string;

/** Kept, since a formatter takes as long to make as a hundred dates to say. */
const SAID = new Map<string, SayInstant>();

/** "lundi 28 juillet 2026 à 10:05", in the instance's time zone; long: without the day's name. */
export function sayInstant(at: Date, timeZone: string, dateStyle: "full" | "long" = "full") {
  const name = `${timeZone} ${dateStyle}`;
  let said = SAID.get(name);
  if (said === undefined) {
    const day = new Intl.DateTimeFormat("fr-FR", { timeZone, dateStyle });
    const hour = new Intl.DateTimeFormat("fr-FR", { timeZone, timeStyle: "short" });
    SAID.set(name, (said = (of) => `${sayFirst(day.format(of))} à ${hour.format(of)}`));
  }
  return said(at);
}

const DAYS = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"] as const;

/** "du lundi au vendredi, de 9 h à 18 h" */
export function sayWorkingHours({ days, from_hour: from, to_hour: to }: WorkingHours): string {
  return `${sayDays(days)}, de ${from} h à ${to} h`;
}

function sayDays(days: readonly number[]): string {
  const names = days.map((day) => DAYS[day - 1] ?? "");
  const [first = 0] = days;
  if (days.length === DAYS.length) return "tous les jours";
  // A run of consecutive days is written by its first and last.
  if (days.length > 2 && (days.at(-1) ?? 0) - first + 1 === days.length) {
    return `du ${names[0]} au ${names.at(-1)}`;
  }
  return names.length === 1
    ? `le ${names[0]}`
    : `les ${new Intl.ListFormat("fr-FR").format(names)}`;
}
