import { type Html, html } from "../../../bot/html.ts";

type Named = { readonly title: string };

const name = (group: Named): Html => html`<b>${{ text: group.title }}</b>`;

/** Members may add members: what it means, and where it is switched off. */
export const membersCanAdd = (group: Named): Html =>
  html`⚠️ Dans ${name(group)}, chaque membre peut en ajouter d'autres : quelqu'un qui n'a pas payé peut entrer ainsi.

Pour le fermer dans Telegram : ouvrez les réglages du groupe, « Permissions », et désactivez « Ajouter des membres ».`;

export const membersCannotAdd = (group: Named): Html =>
  html`🔒 Dans ${name(group)}, seuls les administrateurs ajoutent des membres.`;

export const REPORTED = html`Si un membre fait entrer quelqu'un sans accès payé, je vous le signale. Je peux aussi retirer cette personne aussitôt.`;

export const REMOVED = html`Si un membre fait entrer quelqu'un sans accès payé, je retire cette personne et je vous le dis.`;

export const BUTTONS = {
  close: "Fermer aux ajouts des membres",
  remove: "Retirer les personnes ajoutées",
  keep: "Ne plus les retirer",
} as const;

export const ANSWERS = {
  closed: "C'est fermé : seuls les administrateurs ajoutent des membres.",
  removing: "Les personnes ajoutées sans accès payé seront retirées.",
  keeping: "Les personnes ajoutées vous seront signalées, sans être retirées.",
  notYours: "Ce groupe n'est pas relié à votre compte.",
} as const;
