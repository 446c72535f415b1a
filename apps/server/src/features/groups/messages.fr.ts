import type { GroupState, NeededRight, LinkerRight } from "@sesame/contract/groups";
import { type Html, html } from "../../bot/message.ts";

/** The rights in the words of Telegram's French screens. */
export const RIGHT_NAMES: Readonly<Record<NeededRight, string>> = {
  manage_chat: "Gérer le groupe ou le canal",
  restrict_members: "Bannir des utilisateurs",
  invite_users: "Inviter des utilisateurs avec des liens",
};

export const GROUP_STATE_NAMES: Readonly<Record<GroupState, string>> = {
  connected: "Connecté",
  missing_rights: "Droits manquants",
  removed: "Déconnecté",
  seller_not_admin: "Vous n'êtes plus admin",
  public: "Public",
  over_quota: "Hors quota",
};

/** The last real event of a chat (decision 31). */
export const GROUP_EVENT_NAMES = {
  linked: "Bot relié",
  rights_changed: "Droits du bot modifiés",
  bot_removed: "Bot retiré",
  title_changed: "Nom modifié",
  reclaimed: "Repris par son propriétaire",
  migrated: "Groupe converti en supergroupe",
  member_joined: "Un membre est entré",
  member_left: "Un membre est sorti",
  member_removed: "Un membre a été retiré à la fin de son accès",
} as const;

export type GroupEvent = keyof typeof GROUP_EVENT_NAMES;

type Named = { readonly title: string };

const name = (group: Named): Html => html`<b>${{ text: group.title }}</b>`;

/** The message to the seller about a chat's state. */
export function sayState(group: Named, state: GroupState, missing: readonly NeededRight[]): Html {
  return {
    connected: html`✅ ${name(group)} est relié. Vous pouvez maintenant y vendre des accès.`,
    missing_rights: html`⚠️ Il me manque des droits dans ${name(group)} :
${missing.map((right) => html`• ${{ text: RIGHT_NAMES[right] }}`)}

Sans eux, les ventes y sont en pause et je ne peux ni faire entrer ni retirer vos acheteurs.`,
    removed: html`⛔ Je ne suis plus dans ${name(group)}. Les ventes y sont en pause : reliez-moi à nouveau pour servir vos acheteurs.`,
    seller_not_admin: html`⏸️ Vous n'êtes plus administrateur de ${name(group)} avec les droits d'inviter et de bannir : ses ventes sont en pause. Les accès déjà payés vont à leur terme.

Les ventes reprennent dès que le propriétaire vous rend ces droits.`,
    public: html`🚫 ${name(group)} est public : n'importe qui peut y entrer sans payer, on ne peut donc pas en vendre l'accès. Rendez-le privé dans ses réglages, puis vérifiez.`,
    over_quota: html`ℹ️ ${name(group)} est relié, mais hors quota : le plan gratuit compte trois groupes. Ses ventes sont en pause.`,
  }[state];
}

export const BASIC_GROUP = html`Ce groupe est un groupe simple : Telegram n'y permet ni les liens d'invitation nominatifs ni le retrait à la fin d'un abonnement, je ne peux donc pas y vendre d'accès.

Nommez-moi administrateur : Telegram le transformera en supergroupe et je serai relié aussitôt.`;

export const ANONYMOUS_ADMIN = html`Un administrateur anonyme m'a ajouté : je ne sais pas à qui relier ce chat. Ouvrez Sésame et utilisez le bouton « Groupe » de la page « Relier le bot ».`;

export const wrongBot = (group: Named, right: string): Html =>
  html`Je suis le bot des acheteurs : je ne peux pas relier ${name(group)}. Pour y vendre des accès, ajoutez ${{ text: `@${right}` }} comme administrateur à ma place.`;

export const finishInApp = (group: Named): Html =>
  html`Merci de m'avoir ajouté à ${name(group)}. Ouvrez Sésame une première fois pour le relier à votre compte.`;

export const BUTTONS = {
  openApp: "Ouvrir Sésame",
  addRightBot: "Ajouter le bot vendeur",
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

export const OWNER_BUTTONS = { groups: "Voir mes groupes", products: "Voir mes produits" } as const;

export const notAdmin = (group: Named): Html =>
  html`Seul un administrateur de ${name(group)} peut le relier à Sésame.`;

export const lacksRights = (group: Named, missing: readonly LinkerRight[]): Html =>
  html`Pour relier ${name(group)} à Sésame, il faut en être le propriétaire, ou un administrateur qui peut inviter et bannir. Il vous manque :
${missing.map((right) => html`• ${{ text: RIGHT_NAMES[right] }}`)}

Dès que le propriétaire vous les donne, le groupe est relié à votre compte.`;

export const alreadyLinked = (group: Named): Html =>
  html`${name(group)} est déjà relié par un autre vendeur : il le garde. Si vous en êtes le propriétaire sur Telegram, vous pouvez le reprendre dans Sésame, à la page « Groupes ».`;

/** To the creator of the group, once. */
export const sellerLostRights = (group: Named): Html =>
  html`⏸️ Le vendeur qui avait relié ${name(group)} à Sésame n'en est plus administrateur avec les droits d'inviter et de bannir : ses ventes y sont en pause.

Vous en êtes le propriétaire : rendez-lui ces droits, ou reprenez le groupe dans Sésame, à la page « Groupes ».`;

/** To the former seller. */
export const takenBack = (group: Named, products: number): Html =>
  html`ℹ️ Le propriétaire de ${name(group)} l'a repris dans Sésame. ${{ text: sayStopped(products) }}

Les accès déjà payés vont à leur terme. Une commande passée avant, payée après, ouvre encore l'accès et reste à votre compte, comme ses remboursements.`;

function sayStopped(products: number): string {
  if (products === 0) return "Vous n'y aviez aucun produit en vente.";
  return products === 1
    ? "Votre produit de ce groupe ne se vend plus."
    : `Vos ${products} produits de ce groupe ne se vendent plus.`;
}

/** To the creator who took it over. */
export const youTookItBack = (group: Named): Html =>
  html`✅ ${name(group)} est maintenant relié à votre compte. Les accès déjà payés vont à leur terme ; ce qui était vendu par l'autre vendeur ne se vend plus.`;

/** Members may add members: the effect, and where to switch it off. */
export const membersCanAdd = (group: Named): Html =>
  html`⚠️ Dans ${name(group)}, chaque membre peut en ajouter d'autres : quelqu'un qui n'a pas payé peut entrer ainsi.

Pour le fermer dans Telegram : ouvrez les réglages du groupe, « Permissions », et désactivez « Ajouter des membres ».`;

export const membersCannotAdd = (group: Named): Html =>
  html`🔒 Dans ${name(group)}, seuls les administrateurs ajoutent des membres.`;

export const REPORTED = html`Si un membre fait entrer quelqu'un sans accès payé, je vous le signale. Je peux aussi retirer cette personne aussitôt.`;

export const REMOVED = html`Si un membre fait entrer quelqu'un sans accès payé, je retire cette personne et je vous le dis.`;

export const RULE_BUTTONS = {
  close: "Fermer aux ajouts des membres",
  remove: "Retirer les personnes ajoutées",
  keep: "Ne plus les retirer",
} as const;

export const RULE_ANSWERS = {
  closed: "C'est fermé : seuls les administrateurs ajoutent des membres.",
  removing: "Les personnes ajoutées sans accès payé seront retirées.",
  keeping: "Les personnes ajoutées vous seront signalées, sans être retirées.",
  notYours: "Ce groupe n'est pas relié à votre compte.",
} as const;
