import { sayFrancs } from "@sesame/contract";
import { type Html, html } from "../../bot/html.ts";
import type { DeskCounts } from "./queue.ts";
import type { DeskRow } from "./queue-rows.ts";
import { LANE_NAMES, type Lane, type RiskSign, type RiskFacts } from "@sesame/contract/desk";
import {
  COUNTRY_TERMS,
  groupPhone,
  sayMethod,
  isPayoutMethod,
  PAYOUT_METHODS,
} from "@sesame/contract/withdrawals";
import { PAYOUT_STATUS_NAMES, PAYOUT_STATUSES } from "@sesame/contract/payouts";
import type { WorkingHours } from "@sesame/contract/settings";
import { type Day, DAY_MS, HOUR_MS, type Fcfa } from "@sesame/kernel";
import type { LaneRefusal } from "../payouts/index.ts";
import { nameProvider } from "@sesame/contract/checkout";
import { REFUND_DEEDS } from "../refunds/index.ts";

/** 01/12/2026 */
export const sayDay = (day: Day): string => day.split("-").reverse().join("/");

export const OPEN_DESK = "Ouvrir le bureau";

/** To the agents, of requests that came. */
export function waiting({ pending, premium }: DeskCounts): Html {
  const many = pending > 1 ? "demandes attendent" : "demande attend";
  const first = premium > 0 ? html`, dont ${premium} ⭐` : html``;
  return html`💸 <b>${pending} ${{ text: many }}</b>${first}`;
}

/** /bureau */
export function board(counts: DeskCounts): Html {
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
Rien n'attend.`
    : html`<b>Bureau des retraits</b>
${lines}`;
}

/** The figures behind a sign. */
export function explainRisk(sign: RiskSign, facts: RiskFacts): string {
  switch (sign) {
    case "first-payout":
      return "Aucun retrait ne lui a encore été payé.";
    case "new-number":
      return "Aucun retrait ne lui a encore été payé sur ce numéro.";
    case "number-changed":
      return `Numéro changé il y a ${sayAge(facts.numberChangedMsAgo ?? 0)}.`;
    case "shared-number":
      return facts.otherSellers === 1
        ? "Un autre vendeur demande ses retraits sur ce numéro."
        : `${facts.otherSellers} autres vendeurs demandent leurs retraits sur ce numéro.`;
    case "unusual-amount":
      return `${timesUsual(facts)} fois la médiane de ses retraits (${sayFrancs(facts.medianBefore ?? 0n)}).`;
    case "frozen":
      return "Ses retraits sont gelés : rien ne peut être approuvé.";
    case "suspended":
      return "Il est suspendu : rien ne peut être approuvé.";
    case "owes":
      return `Il doit ${sayFrancs(facts.owed)} à la plateforme : rien ne peut être approuvé.`;
    case "refunds":
      return `${facts.refunds} remboursement${facts.refunds > 1 ? "s" : ""} parmi ses 200 dernières ventes.`;
    case "mismatch":
      return `${facts.mismatches} paiement${facts.mismatches > 1 ? "s" : ""} reçu${facts.mismatches > 1 ? "s" : ""} d'un autre montant que prévu, à régler.`;
  }
}

function timesUsual({ amount, medianBefore }: RiskFacts): number {
  return Math.floor(Number(amount) / Math.max(1, Number(medianBefore ?? 1n)));
}

function sayAge(ms: number): string {
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} j`;
  return `${Math.max(1, Math.floor(ms / HOUR_MS))} h`;
}

export function sayLaneRefusal(lane: Lane, refusal: LaneRefusal): string {
  switch (refusal.kind) {
    case "closed":
      return "Non configuré sur cette instance.";
    case "method":
      return `${LANE_NAMES[lane]} n'envoie pas sur ce mode de paiement.`;
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

type Asked = Pick<DeskRow, "reference" | "amount" | "method" | "phone" | "seller_name">;

/** What an agent writes to the seller on WhatsApp: the request's own words (decision 96). */
export function whatsappWords(asked: Asked): string {
  return [
    `Bonjour ${asked.seller_name}, ici le service des retraits de Sésame.`,
    `Votre demande ${asked.reference} : ${sayFrancs(asked.amount)} par ${sayMethod(asked.method)}`,
    `au ${groupPhone(asked.phone)}.`,
  ].join("\n");
}

/**
 * A number as its seller wrote it, as wa.me wants it: international, digits alone. One without a
 * country's code is of the country he is paid in. Null when it cannot be a number.
 */
export function whatsappDigits(written: string, country: string): string | null {
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
function sound(digits: string): string | null {
  return /^[1-9]\d{7,14}$/.test(digits) ? digits : null;
}

const ACTIONS: Readonly<Record<string, string>> = {
  "withdrawal.request": "Demande reçue",
  "withdrawal.cancel": "Annulée par le vendeur",
  "withdrawal.claim": "Prise en charge",
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

/** A status of the payout, or what happened to it. */
export function sayStep(step: string): string {
  const status = PAYOUT_STATUSES.find((each) => each === step);
  return status ? `Envoi : ${PAYOUT_STATUS_NAMES[status]}` : (STEPS[step] ?? step);
}

export const REQUEST_MADE = "Demande reçue";
export const MONEY_RECEIVED = "Argent reçu";

export const DONE_WORDS = {
  claim: "La demande est à vous pendant 15 minutes.",
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

/** Of `float:orange-money-ci` and `provider:moneroo`. */
export function namePurse(key: string) {
  const [kind, name = ""] = key.split(":");
  if (kind === "float" && isPayoutMethod(name)) {
    const { operator, country } = PAYOUT_METHODS[name];
    return { kind: "float", label: sayMethod(name), method: name, operator, country } as const;
  }
  const ofNone = { method: null, operator: null, country: null };
  return { kind: "provider", label: nameProvider(name), ...ofNone } as const;
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

const quote = (reason: string): Html => html`<i>${{ text: reason }}</i>`;
const review = (day: string): Html =>
  html`La décision sera réexaminée le ${{ text: day }}. Pour y répondre, écrivez au support.`;

export const sellerSuspended = (reason: string, reviewDay: string): Html =>
  html`⛔️ Vos ventes sont suspendues par la plateforme.
Motif : ${quote(reason)}
Les accès déjà vendus continuent ; rien de nouveau ne peut être acheté ni retiré.
${review(reviewDay)}`;

export const sellerResumed = (): Html =>
  html`✅ La suspension de vos ventes est levée : vos produits sont de nouveau en vente.`;

export const productSuspended = (title: string, reason: string, reviewDay: string): Html =>
  html`⛔️ Votre produit <b>${{ text: title }}</b> est suspendu par la plateforme.
Motif : ${quote(reason)}
Les accès déjà vendus continuent.
${review(reviewDay)}`;

export const productResumed = (title: string): Html =>
  html`✅ La suspension de votre produit <b>${{ text: title }}</b> est levée.`;

export const payoutsFrozen = (reason: string, reviewDay: string): Html =>
  html`🛑 Vos retraits sont gelés par la plateforme.
Motif : ${quote(reason)}
Vos ventes continuent et votre solde reste le vôtre.
${review(reviewDay)}`;

export const payoutsUnfrozen = (): Html =>
  html`✅ Vos retraits sont dégelés : vous pouvez de nouveau en demander.`;

export const accountReopened = (): Html =>
  html`✅ Votre compte vendeur est rouvert. Vos anciens produits sont archivés.`;

export const writtenOff = (amount: Fcfa): Html =>
  html`✅ La plateforme renonce à <b>${{ text: sayFrancs(amount) }}</b> que vous lui deviez : vos ventes ne servent plus à les rendre.`;

export const BUTTONS = { home: "Ouvrir Sésame" };

/** Why a product is reported; the words are the desk's and the buyer's. */
export const REPORT_REASONS: Readonly<Record<string, string>> = {
  scam: "Arnaque ou contenu trompeur",
  forbidden: "Contenu interdit",
  "no-access": "Accès payé et non fourni",
  other: "Autre motif",
};

export const REPORTED = "Merci, votre signalement a été transmis à notre équipe.";
export const REPORTED_BEFORE = "Vous avez déjà signalé ce produit : notre équipe l'a reçu.";
export const ACCOUNT_CLOSED = "Votre compte vendeur est fermé. Merci d'avoir utilisé Sésame.";
export const RECONCILING = "Le rapprochement commence : les écarts s'affichent dès qu'il est fait.";

const AUDITED: Readonly<Record<string, string>> = {
  "alert.resolve": "Alerte close",
  "settings.change": "Réglage modifié",
  "durations.add": "Durée ajoutée",
  "durations.edit": "Durée modifiée",
  "seller.suspend": "Vendeur suspendu",
  "seller.resume": "Suspension du vendeur levée",
  "seller.ask-write-off": "Passage en perte demandé",
  "seller.write-off": "Dette passée en perte",
  "seller.close": "Compte fermé par le vendeur",
  "seller.reopen": "Compte rouvert",
  "plan.change": "Plan changé",
  "group.reclaim": "Groupe repris par son propriétaire",
  "groups.quota": "Groupes du quota choisis",
  "aggregator.keys": "Clés de paiement du vendeur changées",
  "aggregator.switch": "Moyen de paiement activé ou désactivé",
  "aggregator.refused": "Clés du vendeur refusées par le prestataire",
  "developer.key-create": "Clé d'API créée",
  "developer.key-revoke": "Clé d'API révoquée",
  "developer.endpoint-add": "Adresse de webhook ajoutée",
  "developer.endpoint-change": "Adresse de webhook modifiée",
  "developer.endpoint-delete": "Adresse de webhook supprimée",
  "developer.endpoint-secret": "Secret de webhook changé",
  ...REFUND_DEEDS,
  "payouts.configure": "Retraits automatiques configurés",
  "payouts.freeze": "Retraits gelés",
  "payouts.unfreeze": "Retraits dégelés",
  "product.suspend": "Produit suspendu",
  "product.resume": "Suspension du produit levée",
  "day.close": "Caisse close",
  "day.correct": "Clôture de caisse corrigée",
  "day.move": "Mouvement de caisse",
  "jobs.retry": "Tâches relancées",
};

/** What was done, in French; the request's own words are the queue's. */
export function sayDeed(action: string): string {
  return AUDITED[action] ?? sayAction(action);
}

export const AUDIT_COLUMNS = [
  "N°",
  "Date",
  "Auteur",
  "Nom",
  "Rôle",
  "Action",
  "Libellé",
  "Objet",
  "Avant",
  "Après",
  "Motif",
  "Empreinte",
] as const;
