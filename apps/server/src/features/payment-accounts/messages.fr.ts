import { bold, type Html, html } from "../../bot/message.ts";

/** What happened to a seller's keys, with the provider's name; a switch is only on the screen. */
export const NEWS = {
  saved: (name: string): Html =>
    html`🔑 Vos clés ${bold(name)} sont enregistrées : vos ventes par ${{ text: name }} sont désormais encaissées directement sur votre compte ${{ text: name }}.
Si ce n'est pas vous, supprimez-les dans l'application et écrivez au support.`,

  "taken-away": (name: string): Html =>
    html`🔑 Vos clés ${bold(name)} sont supprimées : plus aucune vente n'est encaissée directement sur ce compte.
Si ce n'est pas vous, écrivez au support.`,

  refused: (name: string): Html =>
    html`⚠️ ${bold(name)} refuse vos clés : ce moyen n'est plus proposé à vos acheteurs, et aucun paiement n'est envoyé ailleurs à votre place. Vos autres moyens de paiement continuent.
Donnez vos nouvelles clés, ou supprimez-les pour utiliser le paiement intégré.`,

  unreadable: (name: string): Html =>
    html`⚠️ Vos clés ${bold(name)} ne peuvent plus être lues chez nous : ce moyen n'est plus proposé à vos acheteurs. Notre équipe est prévenue ; vous pouvez aussi donner vos clés à nouveau.`,

  switched: null,
} as const;

export const BUTTONS = { methods: "Mes moyens de paiement" } as const;
