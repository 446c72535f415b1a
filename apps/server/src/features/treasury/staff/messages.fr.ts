import { sayFrancs } from "@sesame/contract";
import { type Html, html } from "../../../bot/message.ts";
import type { StaffCounts } from "./queue.ts";
import type { StaffRow } from "./queue-rows.ts";
import * as contract from "@sesame/contract/treasury";
import {
  COUNTRY_TERMS,
  groupPhone,
  sayMethod,
  isPayoutMethod,
  PAYOUT_METHODS,
} from "@sesame/contract/withdrawals";
import type { WorkingHours, StaffLinkOnWire } from "@sesame/contract/back-office";
import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import type { RailRefusal } from "../payouts.ts";
import { nameProvider } from "@sesame/contract/checkout";

export const OPEN_BACK_OFFICE = "Ouvrir le bureau";

/** To the agents, about new requests. */
export function waiting({ pending, premium }: StaffCounts): Html {
  const many = pending > 1 ? "demandes attendent" : "demande attend";
  const first = premium > 0 ? html`, dont ${premium} ⭐` : html``;
  return html`💸 <b>${pending} ${{ text: many }}</b>${first}`;
}

/** /bureau */
export function board(counts: StaffCounts): Html {
  const line = (count: number, words: string) =>
    count === 0 ? [] : [html`• ${count} ${{ text: words }}`];
  const lines = [
    ...line(counts.pending, "à décider"),
    ...line(counts.premium, "⭐ Premium"),
    ...line(counts.second_agent, "en attente d'un second accord"),
    ...line(counts.to_pay, "à payer ou en cours d'envoi"),
    ...line(counts.uncertain, "incertains"),
    ...line(counts.late, "en retard"),
    ...line(counts.mine, "à vous"),
    ...line(counts.alerts, "alertes"),
  ];
  return lines.length === 0
    ? html`<b>Bureau des retraits</b>
Aucune demande en attente.`
    : html`<b>Bureau des retraits</b>
${lines}`;
}

export function explainRisk(sign: contract.RiskSign, facts: contract.RiskFacts, now: Date) {
  return {
    "first-payout": "Aucun retrait ne lui a encore été payé.",
    "new-number": "Aucun retrait ne lui a encore été payé sur ce numéro.",
    "number-changed": `Numéro changé il y a ${sayAge(now.getTime() - (facts.number_changed_at ?? now).getTime())}.`,
    "shared-number":
      facts.other_sellers === 1
        ? "Un autre vendeur demande ses retraits sur ce numéro."
        : `${facts.other_sellers} autres vendeurs demandent leurs retraits sur ce numéro.`,
    "unusual-amount": `${timesUsual(facts)} fois la médiane de ses retraits (${sayFrancs(facts.median_before ?? 0n)}).`,
    frozen: "Ses retraits sont gelés : rien ne peut être approuvé.",
    suspended: "Il est suspendu : rien ne peut être approuvé.",
    owes: `Il doit ${sayFrancs(facts.owed)} à la plateforme : rien ne peut être approuvé.`,
    refunds: `${facts.refunds} remboursement${facts.refunds > 1 ? "s" : ""} parmi ses 200 dernières ventes.`,
    mismatch: `${facts.mismatches} paiement${facts.mismatches > 1 ? "s" : ""} reçu${facts.mismatches > 1 ? "s" : ""} d'un autre montant que prévu, à régler.`,
    complaints: `${facts.complaints} réclamation${facts.complaints > 1 ? "s" : ""} d'acheteur en cours.`,
  }[sign];
}

const timesUsual = ({ amount, median_before }: contract.RiskFacts): number =>
  Math.floor(Number(amount) / Math.max(1, Number(median_before ?? 1n)));

function sayAge(ms: number): string {
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} j`;
  return `${Math.max(1, Math.floor(ms / HOUR_MS))} h`;
}

export function sayRailRefusal(rail: contract.PayoutRail, refusal: RailRefusal): string {
  switch (refusal.kind) {
    case "closed":
      return "Non configuré sur cette instance.";
    case "method":
      return `${contract.PAYOUT_RAIL_NAMES[rail]} n'envoie pas sur ce mode de paiement.`;
    case "amount":
      return refusal.max === null
        ? `À partir de ${sayFrancs(refusal.min)}.`
        : `De ${sayFrancs(refusal.min)} à ${sayFrancs(refusal.max)}.`;
  }
}

const DAYS = ["lun.", "mar.", "mer.", "jeu.", "ven.", "sam.", "dim."];

/** lun.–ven. 9h–17h */
export function sayHours({ days, from_hour: from, to_hour: to }: WorkingHours): string {
  const names = days.map((day) => DAYS[day - 1] ?? "");
  const inRow = days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1);
  const which = inRow && names.length > 2 ? `${names[0]}–${names.at(-1)}` : names.join(", ");
  return `${which} ${from}h–${to}h`;
}

/** Opens WhatsApp with a text about the request (decision 96); null when the number is invalid. */
export function whatsappUrl(row: StaffRow): string | null {
  const digits = whatsappDigits(row.whatsapp, row.country);
  const words = [
    `Bonjour ${row.seller_name}, ici le service des retraits de Sésame.`,
    `Votre demande ${row.reference} : ${sayFrancs(row.amount)} par ${sayMethod(row.method)}`,
    `au ${groupPhone(row.phone)}.`,
  ].join("\n");
  return digits && `https://wa.me/${digits}?text=${encodeURIComponent(words)}`;
}

/**
 * A number as its seller wrote it, in the form of wa.me: international, digits only. Without a
 * country code it gets that of the payout's country. Null when it cannot be a number.
 */
function whatsappDigits(written: string, country: string): string | null {
  const digits = written.replace(/\D/g, "");
  const [, terms] = Object.entries(COUNTRY_TERMS).find(([id]) => id === country) ?? [];
  const international = /^\s*(\+|00)/.test(written);
  if (international) return sound(digits.replace(/^00/, ""));
  if (!terms) return sound(digits);
  const whole = digits.startsWith(terms.dial) && digits.length > terms.nationalLength;
  // Benin's numbers had eight digits before 30 November 2024.
  const national = country === "BENIN" && digits.length === 8 ? `01${digits}` : digits;
  return sound(whole ? digits : terms.dial + national);
}

/** E.164 has at most fifteen digits. */
const sound = (digits: string): string | null => (/^[1-9]\d{7,14}$/.test(digits) ? digits : null);

const ACTIONS: Readonly<Record<string, string>> = {
  "withdrawal.request": "Demande reçue",
  "withdrawal.cancel": "Annulée par le vendeur",
  "withdrawal.assign": "Prise en charge",
  "withdrawal.release": "Relâchée",
  "withdrawal.approve-first": "Premier accord",
  "withdrawal.approve": "Approuvée",
  "withdrawal.reject": "Rejetée",
  "withdrawal.paid": "Payée à la main",
  "withdrawal.failed": "Échec de l'envoi à la main",
  "withdrawal.resolve": "Issue du paiement tranchée",
};

export function sayAction(action: string): string {
  return ACTIONS[action] ?? action;
}

const STEPS: Readonly<Record<string, string>> = {
  "asked-again": "Demandé à nouveau au prestataire",
  "refused-again": "Refusé à nouveau par le prestataire",
  mismatch: "Réponse non conforme du prestataire",
  "late-success": "Succès tardif du prestataire",
  doubted: "Le prestataire ne le dit plus reçu",
  returned: "Argent revenu, solde rendu",
  linked: "Rattaché à un paiement du prestataire",
  "taken-over": "Repris à la main",
};

/** A status of the payout, or a step. */
export function sayStep(step: string): string {
  const status = contract.PAYOUT_STATUSES.find((each) => each === step);
  return status ? `Envoi : ${contract.PAYOUT_STATUS_NAMES[status]}` : (STEPS[step] ?? step);
}

export const REQUEST_MADE = "Demande reçue";

export const MONEY_RECEIVED = "Argent reçu";

export const DONE_WORDS = {
  assign: "La demande est à vous pendant 15 minutes.",
  release: "La demande est relâchée.",
  firstApproval: "Votre accord est noté : un second agent doit confirmer.",
  sending: "Approuvé : l'argent part.",
  toPay: "Approuvé : envoyez l'argent, puis saisissez la référence de l'opérateur.",
  paid: "Payé : le vendeur est prévenu.",
  failed: "Noté : le solde du vendeur est rétabli et il est prévenu.",
  rejected: "Rejeté : le vendeur est prévenu.",
  resolvedSent: "Noté : l'argent est parti.",
  resolvedNotSent: "Noté : l'argent n'est pas parti, le solde du vendeur est rétabli.",
  resolvedLink: "Rattaché : le prestataire dit la suite.",
  resolvedReturned: "Noté : l'argent est revenu, le solde du vendeur est rétabli.",
} as const;

/** The name of `float:orange-money-ci` or `provider:moneroo`. */
export function nameCashFloat(key: string) {
  const [kind, name = ""] = key.split(":");
  if (kind === "float" && isPayoutMethod(name)) {
    const { operator, country } = PAYOUT_METHODS[name];
    return { kind: "float", label: sayMethod(name), method: name, operator, country } as const;
  }
  const ofNone = { method: null, operator: null, country: null };
  return { kind: "provider", label: nameProvider(name), ...ofNone } as const;
}

export const TREASURY = "treasury";

/** The movements of a cash float, by the prefix of the transfer's id. */
export const MOVEMENTS: Readonly<Record<string, { kind: "payout" | "other"; label: string }>> = {
  sent: { kind: "payout", label: "Retrait payé" },
  late: { kind: "payout", label: "Retrait payé après avoir été rendu" },
  reversed: { kind: "payout", label: "Retrait revenu" },
  "given-back": { kind: "other", label: "Remboursement envoyé" },
  cost: { kind: "other", label: "Frais du prestataire" },
  chargeback: { kind: "other", label: "Frais du prestataire" },
};

/** A move by hand, in > 0; `other` is the other side, if known. */
export function sayMove(amount: bigint, other: string | null) {
  if (other === null) return { kind: "other", label: "Autre mouvement" } as const;
  const name = other === TREASURY ? "Trésorerie" : nameCashFloat(other).label;
  return amount > 0n
    ? ({ kind: "top-up", label: `Entrée depuis : ${name}` } as const)
    : ({ kind: "withdrawal", label: `Sortie vers : ${name}` } as const);
}

export const DAY_COLUMNS = {
  day: "Jour",
  cashFloat: "Caisse",
  account: "Compte",
  line: "Ligne",
  at: "Heure",
  label: "Libellé",
  reference: "Référence",
  withdrawal: "Retrait",
  agent: "Agent",
  in: "Entrée",
  out: "Sortie",
  balance: "Solde",
  difference: "Écart",
  explanation: "Explication",
} as const;

export const DAY_LINES = {
  opening: "Ouverture",
  movement: "Mouvement",
  expected: "Solde attendu",
  more: "Suite non affichée",
  close: "Clôture",
  correction: "Correction",
} as const;

export const RECONCILING = "Le rapprochement commence : les écarts s'affichent dès qu'il est fait.";

const LINK_NAMES: Readonly<Record<StaffLinkOnWire["type"], string>> = {
  seller: "Vendeur",
  order: "Commande",
  payment: "Paiement",
  product: "Produit",
  withdrawal: "Retrait",
  group: "Groupe",
  audit: "Journal",
  refund: "Remboursement",
  complaint: "Réclamation",
};

export function nameLink(type: StaffLinkOnWire["type"], id: string, words: string | null): string {
  return words ? `${LINK_NAMES[type]} : ${words}` : `${LINK_NAMES[type]} n° ${id}`;
}

const DIFFERENCES: Readonly<Record<string, string>> = contract.DIFFERENCE_NAMES;

export function nameDifference(kind: string): string {
  return DIFFERENCES[kind] ?? kind;
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

const OUR_STATUSES: Readonly<Record<string, string>> = {
  ...contract.PAYOUT_STATUS_NAMES,
  paid: "Payé",
};

/** The label of what was compared. */
export const COMPARED_NAMES: Readonly<Record<string, string>> = {
  payouts: "Envois",
  payments: "Paiements reçus",
};

/** One side of a difference. A status of the provider stays in its own word. */
export function sayDifference(side: Readonly<Record<string, unknown>>, whose: "ours" | "theirs") {
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
