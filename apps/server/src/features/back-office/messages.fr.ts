import { sayAction } from "../treasury/index.ts";
import { sayFrancs } from "@sesame/contract";
import { type Html, html } from "../../bot/message.ts";
import type { Day, Fcfa } from "@sesame/kernel";
import { REFUND_AUDIT_ENTRIES } from "../refunds/index.ts";

/** 01/12/2026 */
export const sayDay = (day: Day): string => day.split("-").reverse().join("/");

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

/** Reasons to report a product, for the buyer and the back office. */
export const REPORT_REASONS: Readonly<Record<string, string>> = {
  scam: "Arnaque ou contenu trompeur",
  forbidden: "Contenu interdit",
  "no-access": "Accès payé et non fourni",
  other: "Autre motif",
};

export const REPORTED = "Merci, votre signalement a été transmis à notre équipe.";

export const REPORTED_BEFORE = "Vous avez déjà signalé ce produit : notre équipe l'a reçu.";

export const ACCOUNT_CLOSED = "Votre compte vendeur est fermé. Merci d'avoir utilisé Sésame.";

const AUDITED: Readonly<Record<string, string>> = {
  "alert.resolve": "Alerte close",
  "settings.change": "Réglage modifié",
  "ticket.answer": "Réponse à une demande d'assistance",
  "ticket.close": "Demande d'assistance close",
  "durations.add": "Durée ajoutée",
  "durations.edit": "Durée modifiée",
  "seller.suspend": "Vendeur suspendu",
  "seller.resume": "Suspension du vendeur levée",
  "seller.ask-write-off": "Passage en perte demandé",
  "seller.write-off": "Dette passée en perte",
  "seller.close": "Compte fermé par le vendeur",
  "seller.reopen": "Compte rouvert",
  "person.erase": "Données personnelles effacées",
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
  ...REFUND_AUDIT_ENTRIES,
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

/** The label of an action; those of withdrawals are in the queue's messages. */
export function sayAuditEntry(action: string): string {
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

// A long section: labels for facts of alerts.

/** Labels of an alert's facts; a fact without a label here is not displayed. */
export const FACT_NAMES: Readonly<Record<string, string>> = {
  reason: "Motif",
  amount: "Montant",
  expected: "Attendu",
  received: "Reçu",
  found: "Trouvé",
  invariant: "Règle",
  provider: "Prestataire",
  rail: "Voie",
  method: "Mode de paiement",
  status: "État",
  word: "Mot du prestataire",
  said: "Réponse de Telegram",
  reference: "Référence",
  provider_payment_id: "Paiement du prestataire",
  provider_payout_id: "Envoi du prestataire",
  kind: "Nature",
  what: "Objet",
  ours: "Chez nous",
  theirs: "Chez le prestataire",
  stock: "Places",
  reports: "Signalements",
  buyers: "dont acheteurs",
  last_reason: "Dernier motif",
  last_words: "Dernier message",
  account: "Caisse",
  day: "Jour",
  counted: "Compté",
  difference: "Écart",
  explanation: "Explication",
  due: "Fins en attente",
  limit: "Limite par heure",
  until: "Finis avant le",
  difference_seconds: "Écart en secondes",
};

export const FACTS_IN_FRANCS: ReadonlySet<string> = new Set([
  "amount",
  "received",
  "counted",
  "difference",
]);

export function sayRetried(count: number): string {
  if (count === 0) return "Rien à relancer : ces tâches ont déjà été relancées ou effacées.";
  return count === 1 ? "Une tâche est relancée." : `${count} tâches sont relancées.`;
}
