import { groupPhone, sayMethod } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { sayFcfa } from "../../bot/format.fr.ts";
import { type Html, html } from "../../bot/html.ts";

type Withdrawal = {
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly reference: string;
};

const bold = (text: string): Html => html`<b>${{ text }}</b>`;
const amountOf = ({ amount }: Withdrawal): Html => bold(sayFcfa(amount));
const target = ({ method, phone }: Withdrawal): Html =>
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

export const numberChanged = (
  changed: { method: string; phone: string; automatic: boolean },
  restsUntil: string,
): Html =>
  html`🔐 Le numéro de vos paiements a changé : ${bold(sayMethod(changed.method))}, ${bold(groupPhone(changed.phone))}.
${changed.automatic ? html`Par sécurité, aucun paiement automatique ne partira avant le ${{ text: restsUntil }}.` : html`Par sécurité, aucun paiement automatique ne pourra partir avant le ${{ text: restsUntil }}.`}
Si ce changement ne vient pas de vous, touchez « ${{ text: BUTTONS.notMe }} » : vos retraits seront bloqués aussitôt.`;

export const frozen = (): Html =>
  html`🛑 Vos retraits sont bloqués et le paiement automatique est désactivé. Notre équipe est prévenue : contactez le support pour les débloquer.`;

export const BUTTONS = {
  history: "Voir mes retraits",
  notMe: "Ce n'est pas moi",
} as const;

/** Kept with the freeze, and read by the seller and by the desk. */
export const FROZEN_BY_SELLER = "Le vendeur a signalé un changement de numéro qu'il n'a pas fait.";
