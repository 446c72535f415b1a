import type { StaffAuditRowOnWire } from "@sesame/contract/back-office";
import { DURATION, fieldsOf, type Row, SETTINGS } from "@sesame/contract/back-office";
import { textOf } from "@sesame/kernel";
import { formatInstant, formatNumber } from "../../lib/format.ts";

// Separate: loaded with the operator's screens, not with the frame and the queue.

export const auditCopy = {
  subtitle: "Ajouté à la suite, chaque ligne scellée à la précédente : rien ne s'y efface.",
  whole: (count: string) => `Chaîne intacte · ${count} lignes`,
  broken: "La chaîne est rompue",
  unchecked: "Chaîne pas encore vérifiée",
  checkedAt: (day: string) => `Vérifiée le ${day}`,
  problem: (subject: string, expected: string, found: string) =>
    `${subject} : attendu ${expected}, trouvé ${found}`,
  verify: "Vérifier maintenant",
  verified: "Toute la chaîne a été relue",
  filter: "Sujet, par exemple withdrawal:45",
  none: "Aucune ligne",
  noneText: "Chaque acte du bureau laissera ici sa trace.",
  roles: {
    buyer: "acheteur",
    seller: "vendeur",
    agent: "agent",
    operator: "opérateur",
    system: "système",
  } satisfies Record<StaffAuditRowOnWire["role"], string>,
  system: "Le système",
  seal: "Sceau",
  nothing: "Sans valeur avant ni après.",
  exportTitle: "Exporter",
  from: "Du",
  to: "Au",
} as const;

export const settingsCopy = {
  subtitle: "Ce que l'opérateur change sans nouvelle version. Chaque changement reste au journal.",
  edit: "Modifier",
  save: "Enregistrer",
  saved: "Réglage enregistré",
  reason: "Raison (facultatif, gardée au journal)",
  byDefault: (value: string) => `Par défaut : ${value}`,
  on: "Activé",
  off: "Désactivé",
  daysCount: (days: number) => (days > 1 ? `${days} jours` : "1 jour"),
  daysUnit: "jours",
  callsCount: (calls: number) => `${calls} par minute`,
  callsUnit: "par minute",
  wrongCalls: "Saisissez un nombre entier d'appels",
  wrongDays: "Saisissez un nombre entier de jours",
  times: (factor: string) => `${factor} × le retrait habituel`,
  timesUnit: "× l'habituel",
  percent: (value: string) => `${value} %`,
  instance: "selon la configuration",
  wrongNumber: "Saisissez un nombre",
  wrongFrancs: "Saisissez un nombre entier de francs",
  days: ["lun", "mar", "mer", "jeu", "ven", "sam", "dim"],
  longDays: ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
  daysLabel: "Jours",
  from: "De",
  to: "À",
  hour: (hour: number) => `${hour} h`,
  hours: (days: string, from: number, to: number) => `${days}, ${from} h – ${to} h`,
  noDay: "Aucun jour",
  duration: {
    add: "Ajouter une durée",
    edit: "Modifier la durée",
    unit: "Unité",
    units: { days: "jours", hours: "heures" },
    products: (count: number) => `${count} produit${count > 1 ? "s" : ""}`,
    saved: "Durée enregistrée",
  },
  history: {
    title: "Historique des réglages",
    none: "Aucun changement encore : tout est aux valeurs de départ.",
    change: "Changement",
    by: (name: string, day: string) => `${name}, le ${day}`,
    initial: "valeur de départ",
  },
  journal: "Journal d'audit",
  journalText: "Qui a fait quoi, quand, avant et après",
} as const;

/** French names of keys: those of the settings, and those of other lines of the audit log. */
const PARTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries<Row>({ ...SETTINGS, duration: DURATION })
      .flatMap(([key, row]) => fieldsOf(row, [key]))
      .flatMap(({ path, field: { said } }) => (said ? [[path.at(-1), said]] : [])),
  ),
  days: "jours",
  from_hour: "de",
  to_hour: "à",
  status: "statut",
  rail: "voie",
  amount: "montant",
  reason: "raison",
  reference: "référence",
  assigned_to: "pris par",
  assigned_until: "jusqu'à",
  review_at: "à revoir le",
  counted: "compté",
  expected: "attendu",
  difference: "écart",
  stood: "solde tenu",
  at: "le",
  by: "par",
  method: "mode de paiement",
  phone: "numéro",
  automatic: "paiement automatique",
  frequency: "fréquence",
  threshold: "seuil",
  frozen_by: "gelé par",
  closed_at: "fermé le",
};

/**
 * The differences between two values, part by part; an unchanged part is left out. `name`: empty for a value
 * without parts. `before`: null where there was no value.
 */
export function differencesOf(before: unknown, after: unknown) {
  const old = partsOf(before);
  const fresh = partsOf(after);
  const names = [...new Set([...fresh.keys(), ...old.keys()])];
  return names.flatMap((name) => {
    const was = old.get(name) ?? null;
    const is = fresh.get(name) ?? "—";
    return was === is ? [] : [{ name, before: was, after: is }];
  });
}

function partsOf(value: unknown, path = ""): Map<string, string> {
  if (value === null || value === undefined) return new Map(path ? [[path, "—"]] : []);
  if (Array.isArray(value)) return new Map([[path, value.map(say).join(", ")]]);
  if (typeof value !== "object") return new Map([[path, say(value)]]);
  const parts = new Map<string, string>();
  for (const [key, each] of Object.entries(value)) {
    const name = PARTS[key] ?? key;
    for (const [deep, text] of partsOf(each, path ? `${path}, ${name}` : name)) {
      parts.set(deep, text);
    }
  }
  return parts;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function say(value: unknown): string {
  if (value === true) return "oui";
  if (value === false) return "non";
  if (typeof value === "number") return Number.isInteger(value) ? formatNumber(value) : `${value}`;
  const text = textOf(value);
  return INSTANT.test(text) ? formatInstant(text) : text;
}
