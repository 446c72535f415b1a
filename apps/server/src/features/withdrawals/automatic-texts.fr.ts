import { groupPhone, sayMethod } from "@sesame/contract/withdrawals";
import type { Fcfa } from "@sesame/kernel";
import { sayFcfa } from "../../bot/format.fr.ts";
import { type Html, html } from "../../bot/html.ts";
import type { LastOutcome } from "./automatic.store.ts";

const OUTCOMES: Readonly<Record<LastOutcome, string>> = {
  asked: "Demande envoyée",
  nothing: "Rien à retirer ce jour-là",
  refused: "Demande refusée",
  rejected: "Retrait rejeté",
  paid: "Retrait payé",
};

/** `dernier_resultat`: what became of the last run. */
export function sayOutcome(outcome: LastOutcome | null): string | null {
  return outcome === null ? null : OUTCOMES[outcome];
}

type Asked = {
  readonly amount: Fcfa;
  readonly method: string;
  readonly phone: string;
  readonly reference: string;
};

export const automaticAsked = ({ amount, method, phone, reference }: Asked): Html =>
  html`🔁 Paiement automatique : une demande de <b>${{ text: sayFcfa(amount) }}</b> vers ${{ text: sayMethod(method) }}, ${{ text: groupPhone(phone) }}, est envoyée à notre équipe.
Référence : ${{ text: reference }}`;

type Configured = { readonly method: string; readonly phone: string; readonly next: string };

export const automaticSwitchedOn = ({ method, phone, next }: Configured): Html =>
  html`🔁 Le paiement automatique est activé, vers ${{ text: sayMethod(method) }}, ${{ text: groupPhone(phone) }}. Prochain paiement le ${{ text: next }}.
Si ce n'est pas vous, touchez le bouton : vos retraits seront bloqués aussitôt.`;

export const automaticRefused = (why: string, next: string): Html =>
  html`⚠️ Le paiement automatique n'a pas pu être demandé : ${{ text: why }}
Prochain essai le ${{ text: next }}. Après deux échecs de suite, il se désactive.`;

export const automaticSwitchedOff = (): Html =>
  html`⏹ Le paiement automatique est désactivé après deux échecs de suite. Vérifiez votre numéro et votre mode de paiement, puis activez-le de nouveau. Votre argent reste sur votre solde.`;

export const automaticBackToWeekly = (next: string): Html =>
  html`🗓 Avec le plan gratuit, le paiement automatique redevient hebdomadaire. Prochain paiement le ${{ text: next }}.`;

export const AUTOMATIC_BUTTONS = {
  configure: "Configurer mes paiements",
  history: "Voir mes retraits",
} as const;

/** Said at once under the button "Ce n'est pas moi". */
export const FREEZE_ANSWERS = {
  frozen: "Vos retraits sont bloqués. Notre équipe est prévenue.",
  already: "Vos retraits sont déjà bloqués.",
} as const;

/** Kept in the audit log. */
export const SWITCHED_OFF_REASON = "Deux échecs de suite";
export const BACK_TO_WEEKLY_REASON = "Retour au plan gratuit";
