import { type GroupState, type NeededRight, RIGHT_NAMES } from "@sesame/contract/groups";
import { type Html, html } from "../../bot/html.ts";
import { salesPaused } from "./ownership/messages.fr.ts";

type Named = { readonly title: string };

const name = (group: Named): Html => html`<b>${{ text: group.title }}</b>`;

/** What the seller is told of a chat's state, and nothing twice. */
export function sayState(group: Named, state: GroupState, missing: readonly NeededRight[]): Html {
  switch (state) {
    case "connected":
      return html`✅ ${name(group)} est relié. Vous pouvez maintenant y vendre des accès.`;
    case "missing_rights":
      return html`⚠️ Il me manque des droits dans ${name(group)} :
${missing.map((right) => html`• ${{ text: RIGHT_NAMES[right] }}`)}

Sans eux, les ventes y sont en pause et je ne peux ni faire entrer ni retirer vos acheteurs.`;
    case "removed":
      return html`⛔ Je ne suis plus dans ${name(group)}. Les ventes y sont en pause : reliez-moi à nouveau pour servir vos acheteurs.`;
    case "seller_not_admin":
      return salesPaused(group);
    case "public":
      return html`🚫 ${name(group)} est public : n'importe qui peut y entrer sans payer, on ne peut donc pas en vendre l'accès. Rendez-le privé dans ses réglages, puis vérifiez.`;
    case "over_quota":
      return html`ℹ️ ${name(group)} est relié, mais hors quota : le plan gratuit compte trois groupes. Ses ventes sont en pause.`;
  }
}

export const BASIC_GROUP = html`Ce groupe est un groupe simple : Telegram n'y permet ni les liens d'invitation nominatifs ni le retrait à la fin d'un abonnement, je ne peux donc pas y vendre d'accès.

Nommez-moi administrateur : Telegram le transformera en supergroupe et je serai relié aussitôt.`;

export const ANONYMOUS_ADMIN = html`Un administrateur anonyme m'a ajouté : je ne sais pas à qui relier ce chat. Ouvrez Sésame et utilisez le bouton « Groupe » de la page « Relier le bot ».`;

export const finishInApp = (group: Named): Html =>
  html`Merci de m'avoir ajouté à ${name(group)}. Ouvrez Sésame une première fois pour le relier à votre compte.`;

export const BUTTONS = {
  openApp: "Ouvrir Sésame",
  createProduct: "Créer un produit",
  giveRights: "Donner les droits",
  check: "Vérifier",
  relink: "Relier à nouveau",
  plans: "Voir les plans",
} as const;

export const CHECKED: Readonly<Record<GroupState, string>> = {
  connected: "Tout est en ordre.",
  missing_rights: "Il manque encore des droits.",
  removed: "Je ne suis pas dans ce chat.",
  seller_not_admin: "Vous n'avez pas encore les droits d'inviter et de bannir dans ce chat.",
  public: "Ce chat est encore public.",
  over_quota: "Relié, mais hors quota.",
};
