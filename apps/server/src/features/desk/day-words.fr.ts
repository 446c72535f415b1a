import { nameProvider } from "@sesame/contract/checkout";
import { isPayoutMethod, PAYOUT_METHODS, sayMethod } from "@sesame/contract/withdrawals";

export type PurseName = {
  readonly kind: "float" | "provider";
  readonly label: string;
  readonly method: string | null;
  readonly operator: string | null;
  readonly country: string | null;
};

/** Of `float:orange-money-ci` and `provider:moneroo`. */
export function namePurse(key: string): PurseName {
  const [kind, name = ""] = key.split(":");
  if (kind === "float" && isPayoutMethod(name)) {
    const { operator, country } = PAYOUT_METHODS[name];
    return { kind: "float", label: sayMethod(name), method: name, operator, country };
  }
  return {
    kind: "provider",
    label: nameProvider(name),
    method: null,
    operator: null,
    country: null,
  };
}

export const TREASURY = "treasury";

export function nameOther(key: string): string {
  return key === TREASURY ? "Trésorerie" : namePurse(key).label;
}

export const MOVEMENT_WORDS = {
  payout: "Retrait payé",
  late: "Retrait payé après avoir été rendu",
  reversed: "Retrait revenu",
  cost: "Frais du prestataire",
  refund: "Remboursement envoyé",
  topUp: (other: string) => `Entrée depuis : ${other}`,
  withdrawal: (other: string) => `Sortie vers : ${other}`,
  other: "Autre mouvement",
} as const;

export const DAY_COLUMNS = [
  "Jour",
  "Caisse",
  "Compte",
  "Ligne",
  "Heure",
  "Libellé",
  "Référence",
  "Retrait",
  "Agent",
  "Entrée",
  "Sortie",
  "Solde",
  "Écart",
  "Explication",
] as const;

export const DAY_LINES = {
  opening: "Ouverture",
  movement: "Mouvement",
  expected: "Solde attendu",
  more: "Suite non affichée",
  close: "Clôture",
  correction: "Correction",
} as const;
