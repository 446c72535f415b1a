import { ACCESS_STATUS_NAMES } from "../memberships/index.ts";
import { type SayInstant, sayFrancs } from "@sesame/contract";
import type { Access } from "@sesame/contract/memberships";
import type { BotFace } from "../../bot/bots.ts";
import { type Html, html } from "../../bot/message.ts";

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

/** The texts of one bot for both parts. */
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
  /** Null for a donation, which gives no time and opens no group. */
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
  conversations: "Support dans l'application",
  privacy: "Lire la page Confidentialité",
  terms: "Lire les conditions",
  yourData: "Vos données",
} as const;

export type LegalPage = {
  readonly title: string;
  readonly intro: string;
  /** The paragraphs of each chapter. */
  readonly chapters: Readonly<Record<string, readonly string[]>>;
};

export type LegalFigures = {
  /** "18 %" */
  readonly freeFee: string;
  readonly premiumFee: string;
  readonly complaintDays: number;
  readonly sellerHours: number;
};

/** /confidentialite */
export const privacyPage = (): LegalPage => ({
  title: "Confidentialité",
  intro:
    "Ce que Sésame garde de vous, pourquoi, combien de temps, et comment l'obtenir ou l'effacer.",
  chapters: {
    "Ce que nous gardons": [
      "De chaque personne : son identifiant Telegram, son nom, son nom d'utilisateur, sa photo et sa langue, tels que Telegram nous les donne.",
      "D'un acheteur : les produits qu'il a regardés, ses commandes, ses paiements et ses accès, les places qu'il attend ; pour un remboursement à la main, le numéro qu'il indique ; ses réclamations et ses signalements.",
      "D'un vendeur : son profil, ses groupes et ses produits, ses ventes, ses demandes de retrait avec leurs numéros, et ses échanges avec le support. Ses clés de paiement sont chiffrées et ne sont jamais montrées.",
      "Nous ne lisons ni vos messages dans les groupes ni vos contacts. Votre carte ou votre code mobile money restent chez le prestataire de paiement.",
    ],
    Pourquoi: [
      "Pour encaisser, ouvrir et fermer les accès aux groupes, rendre l'argent, répondre à vos demandes et tenir les comptes.",
      "Rien n'est vendu, et aucune publicité ni mesure d'audience n'est faite.",
    ],
    "Qui y a accès": [
      "Le vendeur voit le nom et le nom d'utilisateur des acheteurs de ses groupes ; avec Premium, ses propres programmes reçoivent leur nom et leur identifiant Telegram, et il en répond. L'acheteur voit le nom affiché par le vendeur.",
      "Notre équipe voit ce qu'il faut pour envoyer l'argent, trancher une réclamation et vous répondre ; ce qu'elle décide est inscrit dans un journal.",
      "Telegram transmet nos messages. Le prestataire que vous choisissez reçoit le montant, notre référence, votre nom et, s'il le demande, votre numéro ou votre e-mail.",
    ],
    "Combien de temps": [
      "Tant que votre compte existe. Les sessions expirées sont oubliées après un jour, les messages techniques reçus de Telegram après deux jours, ce qui est envoyé aux programmes d'un vendeur après trente jours.",
      "Les écritures comptables (commandes, paiements, remboursements, retraits) restent : un compte ne s'efface pas. Après un effacement, elles ne portent plus ni nom ni numéro de téléphone, seulement un identifiant.",
    ],
    "Vos droits": [
      "Obtenir une copie : dans l'application, Réglages puis « Vos données » si vous vendez ; sur « Mes accès » si vous achetez.",
      "Effacer : au même endroit. L'effacement est immédiat et définitif. Il est refusé tant qu'il vous reste de l'argent à retirer, un accès en cours, un paiement, un remboursement ou une réclamation à finir : l'application dit lequel.",
      "Les mots que vous avez écrits dans une réclamation close sont effacés aussi : le dossier garde les étapes et les dates.",
      "Corriger : votre nom et votre photo suivent Telegram ; le nom affiché et les numéros se changent dans l'application.",
      "Si vous revenez ensuite sur Sésame, Telegram nous redonne votre nom : c'est un nouveau départ.",
    ],
  },
});

/** /conditions */
export const termsPage = (figures: LegalFigures): LegalPage => ({
  title: "Conditions d'utilisation",
  intro: "Ce à quoi s'engagent l'acheteur, le vendeur et Sésame.",
  chapters: {
    "La vente": [
      "Le vendeur fixe le prix et la durée, et répond du contenu de son groupe, qui doit respecter la loi et les règles de Telegram.",
      "Sésame encaisse pour le vendeur et ouvre l'accès pour la durée achetée. À la fin, l'acheteur sort du groupe, sauf s'il renouvelle.",
      "Un lien d'accès est personnel : seul celui qui a payé est admis.",
      "Les paiements se font sur la page d'un prestataire, ou en Stars dans Telegram. Hors Stars, Telegram n'y prend aucune part et n'en répond pas.",
    ],
    "Remboursements et réclamations": [
      "Un paiement confirmé par le prestataire compte toujours, même tard.",
      `Un accès payé et non fourni se signale depuis la commande, jusqu'à ${figures.complaintDays} jours après sa fin. Le vendeur a ${figures.sellerHours} heures pour répondre ou rembourser ; ensuite, Sésame décide.`,
      "Un remboursement rend tout le prix, frais compris, et met fin à l'accès.",
    ],
    "Le vendeur": [
      `Les frais sont ceux de son plan : ${figures.freeFee} avec Gratuit, ${figures.premiumFee} avec Premium. Ils sont figés à la commande.`,
      "L'argent des ventes est à lui : il le retire selon les limites affichées. Avec ses propres clés, il encaisse directement et Sésame ne détient rien.",
      "Un compte ou un produit qui enfreint ces règles peut être suspendu, avec un motif et une date de réexamen. Les accès déjà payés sont servis ou remboursés.",
      "Il peut fermer son compte quand il n'y reste ni argent ni accès en cours.",
    ],
  },
});

export const legalCopy = {
  privacy: "Confidentialité",
  terms: "Conditions d'utilisation",
  home: "Sésame",
  pages: "Pages de référence",
  contact: "Une question ?",
  telegram: "Écrire au support sur Telegram",
  whatsapp: "Écrire au support sur WhatsApp",
} as const;

const percents = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 2 });

export const sayPercent = (percent: number): string => `${percents.format(percent)} %`;
