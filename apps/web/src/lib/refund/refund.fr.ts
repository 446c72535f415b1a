import { BUG_MESSAGE } from "@sesame/contract";

/** A don opened nothing that could end. */
const ending = (gift: boolean) =>
  `${gift ? "" : ", et son accès se termine aussitôt"}. C'est définitif.`;

export const refundCopy = {
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
  characters: (count: number, max: number) => `${count} caractères sur ${max}`,
  reasonMissing: "Écrivez la raison du remboursement en quelques mots (minimum 3 caractères).",
  confirm: (amount: string) => `Rembourser ${amount}`,
  cancel: "Annuler",
  failed: BUG_MESSAGE,
  status: {
    title: "Remboursement",
    surplus: "Ce paiement était en trop : lui seul est rendu.",
    amount: "Rendu à l'acheteur",
    asked: "Demandé le",
    done: "Rendu le",
    reason: "Raison",
    method: "Envoyé par",
    number: "Numéro",
    reference: "Référence",
    lanes: {
      provider: "Par le prestataire",
      desk: "Par Sésame, sur le numéro de l'acheteur",
      seller: "Par vous, depuis votre compte",
      returned: "Déjà rendu par le prestataire",
    },
    waitingNumber: "L'acheteur doit encore indiquer son numéro.",
    waitingDesk: "Un agent de Sésame envoie l'argent.",
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
