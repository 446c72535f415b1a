import { textOf } from "@sesame/kernel";
import { formatInstant, formatNumber } from "../../lib/format.ts";

export type Difference = {
  /** Empty for a value without parts. */
  readonly name: string;
  /** Null: nothing was said of it before. */
  readonly before: string | null;
  readonly after: string;
};

const PARTS: Readonly<Record<string, string>> = {
  free: "plan gratuit",
  premium: "plan premium",
  min: "minimum",
  max_free: "maximum gratuit",
  max_premium: "maximum premium",
  open: "ouvert",
  step: "multiple de",
  days: "jours",
  from_hour: "de",
  to_hour: "à",
  payouts: "retraits",
  support: "support",
  community_url: "communauté",
  support_whatsapp: "WhatsApp",
  support_telegram: "Telegram",
  status: "statut",
  lane: "voie",
  amount: "montant",
  reason: "raison",
  reference: "référence",
  label: "nom",
  active: "proposée",
  discount: "remise",
  description: "description",
  minutes: "minutes",
  claimed_by: "pris par",
  claimed_until: "jusqu'à",
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
  price: "prix",
  period_days: "durée en jours",
};

/** What changed between two values, part by part; a part that stayed is left out. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
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
