import { ACCESS_STATUS_NAMES } from "../memberships/index.ts";
import { sayFrancs } from "@sesame/contract";
import type { Access } from "@sesame/contract/memberships";
import type { BotFace } from "../../bot/bots.ts";
import type { SayInstant } from "../../bot/messages.fr.ts";
import { type Html, html } from "../../bot/html.ts";

const START = { command: "start", description: "Commencer" };
const MY_ACCESS = { command: "mesacces", description: "Mes accès" };
const REST = [
  { command: "aide", description: "Comment ça marche" },
  { command: "paysupport", description: "Un souci avec un paiement" },
  { command: "terms", description: "Conditions d'utilisation" },
  { command: "privacy", description: "Vos données" },
];

export const SELLER_FACE: Omit<BotFace, "menuButton"> = {
  commands: [START, ...REST],
  description:
    "Vendez l'accès à vos groupes et canaux Telegram : vos acheteurs paient en mobile money, je les fais entrer, et je les retire à la fin.",
  shortDescription: "Vendez l'accès à vos groupes et canaux, en mobile money.",
};

export const BUYER_FACE: Omit<BotFace, "menuButton"> = {
  commands: [START, MY_ACCESS, ...REST],
  description:
    "Achetez l'accès à des groupes et canaux privés : payez en mobile money et entrez aussitôt. Vos reçus et vos liens arrivent ici.",
  shortDescription: "Vos accès à des groupes et canaux privés.",
};

/** One bot for both parts. */
export const COMMON_FACE: Omit<BotFace, "menuButton"> = {
  ...SELLER_FACE,
  commands: BUYER_FACE.commands,
};

export const MENU_SELLER = "Sésame";
export const MENU_BUYER = "Mes accès";

type Person = { readonly first_name: string };

export const sellerStart = (person: Person): Html =>
  html`Bonjour ${{ text: person.first_name }} 👋

Sésame vend l'accès à vos groupes et canaux : vos acheteurs paient en mobile money, je les fais entrer, et je les retire à la fin de leur abonnement.

Ouvrez l'application pour relier un groupe et créer votre premier produit.`;

export const buyerStart = (person: Person): Html =>
  html`Bonjour ${{ text: person.first_name }} 👋

Ici arrivent vos reçus, vos liens d'entrée et la fin de vos accès. Pour acheter un accès, ouvrez le lien que le vendeur vous a donné.`;

export const sellerHelp = html`<b>Comment ça marche</b>
1. Reliez-moi à un groupe ou un canal privé, comme administrateur.
2. Créez un produit : un titre, un prix, une durée.
3. Partagez son lien : l'acheteur paie, je le fais entrer.
4. À la fin de son abonnement, je le retire et je lui propose de renouveler.

Vos ventes et votre solde sont dans l'application.`;

export const buyerHelp = html`<b>Comment ça marche</b>
1. Ouvrez le lien d'un produit et payez en mobile money.
2. Votre lien d'entrée arrive ici : demandez à entrer, je vous ouvre aussitôt.
3. À la fin de votre accès, renouvelez en un geste.

/mesacces montre tous vos accès.`;

export const paySupport = html`<b>Un souci avec un paiement ?</b>
Un paiement confirmé par votre opérateur est toujours pris en compte, parfois avec quelques minutes de retard : votre commande se met à jour d'elle-même.

Si ce n'est pas le cas, écrivez au support avec votre numéro de commande ou le reçu de votre opérateur.`;

export const terms = html`<b>Conditions</b>
Sésame encaisse pour le vendeur et ouvre l'accès pour la durée achetée. Le vendeur répond du contenu de son groupe. Un accès non fourni est remboursé : /paysupport.

Les paiements se font sur la page d'un prestataire agréé ; Telegram n'y prend aucune part et ne répond pas d'eux.`;

export const privacy = html`<b>Vos données</b>
Nous gardons votre identifiant Telegram, votre nom, vos commandes et vos accès, pour vous ouvrir les groupes et tenir les comptes. Ni vos messages ni vos contacts. Vos coordonnées de paiement restent chez le prestataire.

Vous pouvez les télécharger ou les effacer vous-même, dans l'application : « Vos données » si vous vendez, « Mes accès » si vous achetez. Les écritures comptables restent, sans votre nom.`;

export const notUnderstood = html`Je ne comprends que les commandes du menu. /aide explique comment ça marche.`;

export const noAccess = html`Vous n'avez encore aucun accès. Ouvrez le lien d'un produit pour en acheter un.`;

export type Card = {
  readonly title: string;
  readonly price: number;
  readonly description: string;
  /** Null for a donation: it gives no time and opens no group. */
  readonly access: { readonly duration: string; readonly group: string } | null;
};

const DESCRIPTION_SHOWN = 300;

export function card(product: Card): Html {
  const short =
    product.description.length > DESCRIPTION_SHOWN
      ? `${product.description.slice(0, DESCRIPTION_SHOWN).toWellFormed()}…`
      : product.description;
  const description =
    short === ""
      ? html``
      : html`

${{ text: short }}`;
  const price = { text: sayFrancs(product.price) };
  const { access } = product;
  const facts = access
    ? html`${{ text: access.group }}
${price} · ${{ text: access.duration }}`
    : html`Don libre, à partir de ${price}`;
  return html`<b>${{ text: product.title }}</b>
${facts}${description}`;
}

export function myAccesses(accesses: readonly Access[], sayInstant: SayInstant): Html {
  const lines = accesses.map((access) => {
    const until = sayInstant(new Date(access.expires_at));
    const status = ACCESS_STATUS_NAMES[access.status];
    return html`• <b>${{ text: access.group.name }}</b> — ${{ text: status }}, jusqu'au ${{ text: until }}`;
  });
  return html`<b>Vos accès</b>
${lines}`;
}

export const joinGroup = (name: string): string => `Rejoindre ${name}`;
export const renewGroup = (name: string): string => `Renouveler ${name}`;

export const BUTTONS = {
  open: "Ouvrir Sésame",
  buy: "Acheter",
  myAccess: "Mes accès",
  support: "Écrire au support",
  whatsapp: "Support WhatsApp",
  desk: "Support dans l'application",
  privacy: "Lire la page Confidentialité",
  terms: "Lire les conditions",
  yourData: "Vos données",
} as const;
