import type { Capability } from "@sesame/contract/plans";
import { BUG_MESSAGE } from "@sesame/contract";

export const premiumGateCopy = {
  title: "Fonctionnalité Premium",
  text: {
    "unlimited-groups":
      "Le plan Premium vend l'accès à autant de groupes et de canaux que vous voulez.",
    "instant-withdrawals": "Le plan Premium permet de retirer votre solde à tout moment.",
    "advanced-statistics": "Les statistiques avancées font partie du plan Premium.",
    "priority-support": "Avec le plan Premium, le support vous répond en priorité.",
    "developer-api": "L'API développeur fait partie du plan Premium.",
    "custom-configuration": "La configuration personnalisée fait partie du plan Premium.",
    "own-aggregators":
      "Avec le plan Premium, vous encaissez directement sur vos propres comptes, par vos propres clés.",
  } satisfies Record<Capability, string>,
  open: "Voir les plans",
  later: "Plus tard",
  badge: "Premium",
} as const;

/** A donation gave no access that could end. */
const ending = (gift: boolean) =>
  `${gift ? "" : ", et l'accès payé par cet achat se termine aussitôt"}. C'est définitif.`;

export const refundCopy = {
  button: "Rembourser",
  title: "Rembourser cette vente",
  giftTitle: "Rembourser ce don",
  text: (name: string, gift: boolean) =>
    `${name} reçoit le ${gift ? "don" : "prix"} entier, frais compris${ending(gift)}`,
  directText: (name: string, gift: boolean) =>
    `${gift ? "Ce don a été encaissé" : "Cette vente a été encaissée"} directement sur votre compte : le ${gift ? "montant" : "prix"} entier en repart vers ${name}${ending(gift)}`,
  buyerGets: (name: string) => `${name} reçoit`,
  leaves: "Retiré de votre solde",
  fee: "Frais rendus par Sésame",
  after: "Solde disponible ensuite",
  short: (missing: string) =>
    `Il manque ${missing} dans votre solde disponible : attendez d'autres ventes, ou écrivez au support.`,
  reason: "Raison",
  reasonHint: "L'acheteur la lit.",
  reasonMissing: "Écrivez la raison du remboursement en quelques mots (minimum 3 caractères).",
  confirm: (amount: string) => `Rembourser ${amount}`,
  failed: BUG_MESSAGE,
  status: {
    title: "Remboursement",
    overpayment: "Ce paiement était en trop : lui seul est rendu.",
    amount: "Rendu à l'acheteur",
    asked: "Demandé le",
    done: "Rendu le",
    method: "Envoyé par",
    number: "Numéro",
    reference: "Référence",
    rails: {
      provider: "Par le prestataire",
      staff: "Par Sésame, sur le numéro de l'acheteur",
      seller: "Par vous, depuis votre compte",
      returned: "Déjà rendu par le prestataire",
    },
    waitingNumber: "L'acheteur doit encore indiquer son numéro.",
    waitingStaff: "Un agent de Sésame envoie l'argent.",
    waitingProvider: "Le prestataire rend l'argent.",
    yours: "C'est à vous de rendre l'argent à l'acheteur, depuis votre compte chez le prestataire.",
    givenBack: "J'ai remboursé",
    givenBackTitle: "Vous avez remboursé l'acheteur\u00a0?",
    givenBackText: (amount: string) =>
      `Confirmez seulement si les ${amount} sont partis de votre compte : l'acheteur en est prévenu.`,
    referenceField: "Référence de l'envoi",
    confirmGivenBack: "Oui, c'est fait",
  },
} as const;
