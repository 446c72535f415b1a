import { type LinkerRight, RIGHT_NAMES } from "@sesame/contract/groups";
import { type Html, html } from "../../../bot/html.ts";

type Named = { readonly title: string };

const name = (group: Named): Html => html`<b>${{ text: group.title }}</b>`;

export const OWNER_BUTTONS = { groups: "Voir mes groupes", products: "Voir mes produits" } as const;

export const notAdmin = (group: Named): Html =>
  html`Seul un administrateur de ${name(group)} peut le relier à Sésame.`;

export const lacksRights = (group: Named, missing: readonly LinkerRight[]): Html =>
  html`Pour relier ${name(group)} à Sésame, il faut en être le propriétaire, ou un administrateur qui peut inviter et bannir. Il vous manque :
${missing.map((right) => html`• ${{ text: RIGHT_NAMES[right] }}`)}

Dès que le propriétaire vous les donne, le groupe est relié à votre compte.`;

export const alreadyLinked = (group: Named): Html =>
  html`${name(group)} est déjà relié par un autre vendeur : il le garde. Si vous en êtes le propriétaire sur Telegram, vous pouvez le reprendre dans Sésame, à la page « Groupes ».`;

/** To the seller whose rights are gone. */
export const salesPaused = (group: Named): Html =>
  html`⏸️ Vous n'êtes plus administrateur de ${name(group)} avec les droits d'inviter et de bannir : ses ventes sont en pause. Les accès déjà payés vont à leur terme.

Les ventes reprennent dès que le propriétaire vous rend ces droits.`;

/** To the creator of the group, once. */
export const sellerLostRights = (group: Named): Html =>
  html`⏸️ Le vendeur qui avait relié ${name(group)} à Sésame n'en est plus administrateur avec les droits d'inviter et de bannir : ses ventes y sont en pause.

Vous en êtes le propriétaire : rendez-lui ces droits, ou reprenez le groupe dans Sésame, à la page « Groupes ».`;

/** To the seller who had it. */
export const takenBack = (group: Named, products: number): Html =>
  html`ℹ️ Le propriétaire de ${name(group)} l'a repris dans Sésame. ${{ text: sayStopped(products) }}

Les accès déjà payés vont à leur terme. Une commande passée avant, payée après, ouvre encore l'accès et reste à votre compte, comme ses remboursements.`;

function sayStopped(products: number): string {
  if (products === 0) return "Vous n'y aviez aucun produit en vente.";
  return products === 1
    ? "Votre produit de ce groupe ne se vend plus."
    : `Vos ${products} produits de ce groupe ne se vendent plus.`;
}

/** To the creator who took it back. */
export const youTookItBack = (group: Named): Html =>
  html`✅ ${name(group)} est maintenant relié à votre compte. Les accès déjà payés vont à leur terme ; ce qui était vendu par l'autre vendeur ne se vend plus.`;
