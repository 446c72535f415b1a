import { DIFFERENCE_NAMES } from "@sesame/contract/payouts";

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

export function nameFact(key: string): string {
  return FACTS[key] ?? key;
}
