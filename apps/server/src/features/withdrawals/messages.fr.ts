import { sayFrancs } from "@sesame/contract";
import { groupPhone, sayMethod } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { bold, type Html, html } from "../../bot/message.ts";

type Target = { readonly method: string; readonly phone: string };
type Withdrawal = Target & { readonly amount: Fcfa; readonly reference: string };

const amountOf = ({ amount }: Withdrawal): Html => bold(sayFrancs(amount));
const target = ({ method, phone }: Target): Html =>
  html`${{ text: sayMethod(method) }}, ${{ text: groupPhone(phone) }}`;
const footer = ({ reference }: Withdrawal): Html => html`Référence : ${{ text: reference }}`;

export const approved = (withdrawal: Withdrawal): Html =>
  html`✅ Votre retrait de ${amountOf(withdrawal)} est approuvé : l'argent part vers ${target(withdrawal)}.
${footer(withdrawal)}`;

export const paid = (withdrawal: Withdrawal): Html =>
  html`💸 ${amountOf(withdrawal)} envoyés sur ${target(withdrawal)}.
${footer(withdrawal)}`;

export const rejected = (withdrawal: Withdrawal, reason: string): Html =>
  html`❌ Votre retrait de ${amountOf(withdrawal)} est rejeté : ${{ text: reason }}
Le montant est de nouveau disponible sur votre solde.
${footer(withdrawal)}`;

export const returned = (withdrawal: Withdrawal, reason: string): Html =>
  html`↩️ Le paiement de votre retrait de ${amountOf(withdrawal)} vers ${target(withdrawal)} n'a pas abouti : ${{ text: reason }}
Le montant est revenu sur votre solde, vous pouvez refaire une demande.
${footer(withdrawal)}`;

export const late = (withdrawal: Withdrawal): Html =>
  html`⚠️ Le paiement de votre retrait de ${amountOf(withdrawal)} vers ${target(withdrawal)}, que nous vous avions rendu, est finalement arrivé : vous avez reçu cette somme deux fois.
Elle est reprise sur votre solde et vos prochaines ventes.
${footer(withdrawal)}`;

export const numberGiven = (
  given: Target & { readonly automatic: boolean; readonly isFirst: boolean },
  restsUntil: string,
): Html =>
  html`🔐 ${given.isFirst ? html`Un numéro est enregistré pour vos paiements` : html`Le numéro de vos paiements a changé`} : ${bold(sayMethod(given.method))}, ${bold(groupPhone(given.phone))}.
${given.automatic ? html`Par sécurité, aucun paiement automatique ne partira avant le ${{ text: restsUntil }}.` : html`Par sécurité, aucun paiement automatique ne pourra partir avant le ${{ text: restsUntil }}.`}
Si ce changement ne vient pas de vous, touchez « ${{ text: BUTTONS.notMe }} » : vos retraits seront bloqués aussitôt.`;

export const frozen = (): Html =>
  html`🛑 Vos retraits sont bloqués et le paiement automatique est désactivé. Notre équipe est prévenue : contactez le support pour les débloquer.`;

export const BUTTONS = {
  history: "Voir mes retraits",
  notMe: "Ce n'est pas moi",
  configure: "Configurer mes paiements",
} as const;

/** Stored with the freeze; the seller and the back office read it. */
export const FROZEN_BY_SELLER = "Le vendeur a signalé un changement de numéro qu'il n'a pas fait.";

const OUTCOMES = {
  asked: "Demande envoyée",
  nothing: "Rien à retirer ce jour-là",
  refused: "Demande refusée",
  rejected: "Retrait rejeté",
  paid: "Retrait payé",
} as const;
/** The result of the last run, and then of its request. */
export type LastOutcome = keyof typeof OUTCOMES;

/** `dernier_resultat`: the result of the last run. */
export function sayOutcome(outcome: LastOutcome | null): string | null {
  return outcome === null ? null : OUTCOMES[outcome];
}

export const automaticAsked = (withdrawal: Withdrawal): Html =>
  html`🔁 Paiement automatique : une demande de ${amountOf(withdrawal)} vers ${target(withdrawal)}, est envoyée à notre équipe.
${footer(withdrawal)}`;

export const automaticSwitchedOn = (to: Target, next: string): Html =>
  html`🔁 Le paiement automatique est activé, vers ${target(to)}. Prochain paiement le ${{ text: next }}.
Si ce n'est pas vous, touchez le bouton : vos retraits seront bloqués aussitôt.`;

export const automaticRefused = (why: string, next: string): Html =>
  html`⚠️ Le paiement automatique n'a pas pu être demandé : ${{ text: why }}
Prochain essai le ${{ text: next }}. Après deux échecs de suite, il se désactive.`;

export const automaticSwitchedOff = (): Html =>
  html`⏹ Le paiement automatique est désactivé après deux échecs de suite. Vérifiez votre numéro et votre mode de paiement, puis activez-le de nouveau. Votre argent reste sur votre solde.`;

export const automaticBackToWeekly = (next: string): Html =>
  html`🗓 Avec le plan gratuit, le paiement automatique redevient hebdomadaire. Prochain paiement le ${{ text: next }}.`;

/** Displayed at once under the button "Ce n'est pas moi". */
export const FREEZE_ANSWERS = {
  frozen: "Vos retraits sont bloqués. Notre équipe est prévenue.",
  already: "Vos retraits sont déjà bloqués.",
} as const;

/** Kept in the audit log. */
export const SWITCHED_OFF_REASON = "Deux échecs de suite";
export const BACK_TO_WEEKLY_REASON = "Retour au plan gratuit";
