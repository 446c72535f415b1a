import { DIFFERENCE_NAMES, PAYOUT_STATUS_NAMES } from "@sesame/contract/payouts";
import { sayFrancs } from "@sesame/contract/withdrawals";

const NAMES: Readonly<Record<string, string>> = DIFFERENCE_NAMES;

export function nameDifference(kind: string): string {
  return NAMES[kind] ?? kind;
}

const FACTS: Readonly<Record<string, string>> = {
  id: "Numéro",
  amount: "Montant",
  status: "État",
  word: "Mot du prestataire",
  reference: "Référence",
  cost: "Frais",
  currency: "Devise",
  count: "Nombre",
  total: "Total",
  ids: "Numéros",
  handle: "Jeton",
  provider_payout_id: "Envoi du prestataire",
  provider_payment_id: "Paiement du prestataire",
};

const IN_FRANCS: ReadonlySet<string> = new Set(["amount", "cost", "total"]);

const OUR_STATUSES: Readonly<Record<string, string>> = { ...PAYOUT_STATUS_NAMES, paid: "Payé" };

/** What was compared. */
export const COMPARED_NAMES: Readonly<Record<string, string>> = {
  payouts: "Envois",
  payments: "Paiements reçus",
};

/** One side of a difference. A status of theirs stays in their own word. */
export function sayDifference(
  side: Readonly<Record<string, unknown>>,
  whose: "ours" | "theirs",
): { label: string; value: string }[] {
  return Object.entries(side).flatMap(([key, value]) => {
    if (value === null || value === undefined) return [];
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const isFrancs = IN_FRANCS.has(key) && /^-?\d{1,18}$/.test(text);
    const said = whose === "ours" && key === "status" ? (OUR_STATUSES[text] ?? text) : text;
    return [
      { label: FACTS[key] ?? key, value: isFrancs ? sayFrancs(BigInt(text)) : said.slice(0, 300) },
    ];
  });
}
