import { BUG_MESSAGE } from "@sesame/contract";
import type { OrderKind } from "@sesame/contract/checkout";

// Separate: loaded with the cases of buyers and sellers, not with the frame and the queue.

/** What a refund ends. */
const ENDING: Readonly<Record<OrderKind, string>> = {
  product: ", et l'accès payé par cet achat se termine",
  plan: ", et son plan Premium se termine",
  trial: "",
  donation: "",
};

export const buyersCopy = {
  open: "En cours",
  done: "Terminés",
  noRefund: "Aucun remboursement en cours",
  noRefundText: "Ce qui doit être rendu à la main à un acheteur apparaît ici.",
  noRefundDone: "Aucun remboursement terminé",
  noComplaint: "Aucune réclamation en cours",
  noComplaintText: "Ce qu'un acheteur signale après un paiement apparaît ici.",
  noComplaintDone: "Aucune réclamation close",
  heading: "Liste",
  refund: {
    to: (name: string) => `à ${name}`,
    waitingNumber: "L'acheteur doit indiquer un numéro.",
    waitingProvider: (name: string) => `${name} est interrogé.`,
    waitingSeller: "Le vendeur le rend depuis son propre compte.",
    taken: (name: string, until: string) => `${name} s'en occupe jusqu'à ${until}`,
    mine: (until: string) => `À vous jusqu'à ${until}`,
    wrongNumber: "Numéro refusé",
    overpayment: "Paiement en trop",
    direct: "Encaissé par le vendeur",
    paidTitle: "Remboursement envoyé\u00a0?",
    paidText: (amount: string, number: string) =>
      `Envoyez ${amount} au ${number}, puis recopiez la référence de l'opérateur : elle prouve l'envoi.`,
    paidConfirm: "Confirmer l'envoi",
    wrongTitle: "Ce numéro ne reçoit pas l'argent\u00a0?",
    wrongText: "L'acheteur lit la raison et donne un autre numéro.",
    wrongConfirm: "Redemander un numéro",
    returnedTitle: "L'acheteur a déjà son argent\u00a0?",
    returnedText: (provider: string) =>
      `${provider} est interrogé d'abord. S'il confirme que ce paiement a été rendu, le remboursement est terminé sans rien envoyer, et l'acheteur est prévenu.`,
    returnedConfirm: "Demander au prestataire",
    fee: "Noter les frais retenus",
    feeTitle: "Frais retenus par le prestataire",
    feeText:
      "Pour un paiement contesté, le prestataire retient souvent des frais. La plateforme les supporte : ils se notent une fois.",
    feeAmount: "Frais en FCFA",
  },
  complaint: {
    missing: "Réclamation introuvable",
    back: "Voir les réclamations",
    record: "Échanges",
    refund: "Rembourser l'acheteur",
    refundTitle: "Rembourser l'acheteur\u00a0?",
    refundText: (amount: string) =>
      `${amount} lui sont rendus et l'accès payé par cet achat se termine. Ce qui manque au vendeur est avancé, puis repris sur ses prochaines ventes.`,
    rejectTitle: "Rejeter la réclamation\u00a0?",
    rejectText: "L'acheteur garde son achat. L'acheteur et le vendeur lisent la raison.",
    openOrder: "Voir la commande",
  },
  sheet: {
    missing: "Commande introuvable",
    back: "Chercher une commande",
    direct: "Encaissé directement par le vendeur : aucun franc dans nos livres.",
    takenBack:
      "Le prestataire dit avoir repris ce paiement, ou une part. S'il a tout repris, remboursez la commande : rien n'est envoyé.",
    own: "compte du vendeur",
    received: (amount: string) => `${amount} reçus`,
    decide: {
      button: "Décider de ce paiement",
      title: "Que devient ce paiement\u00a0?",
      text: "Comparez d'abord chez le prestataire. La décision ne se reprend pas.",
      honour: "Honorer la commande",
      honourHint: "Elle est payée comme prévu. Ce qui manque, ou dépasse, est à la plateforme.",
      "give-back": "Rendre l'argent",
      "give-backHint": "Ce qui a été reçu repart à l'acheteur, par le prestataire ou par un agent.",
      returned: "Déjà rendu par le prestataire",
      returnedHint: "L'acheteur a son argent, ou rien n'était arrivé. Rien n'est envoyé.",
      amount: "Reçu, en francs",
      amountHint: "Le prestataire ne l'a pas dit : lisez-le chez lui. 0 si rien n'est arrivé.",
      amountReportedHint: "Dit par le prestataire. Corrigez s'il en a rendu une part depuis.",
      confirm: "Enregistrer la décision",
    },
    suspended: (amount: string) => `${amount} en attente de décision`,
    noPayment: "Aucun paiement ouvert",
    lines: "Écritures",
    noLine: "Aucune écriture",
    noTrace: "Rien encore au bureau",
    refund: "Rembourser (opérateur)",
    refundTitle: "Rembourser cette commande\u00a0?",
    refundText: (amount: string, kind: OrderKind) =>
      `${amount} sont rendus à l'acheteur, frais compris${ENDING[kind]}.`,
    takenBackText: (provider: string, kind: OrderKind) =>
      `${provider} est interrogé d'abord. S'il a tout repris, rien n'est envoyé à l'acheteur${ENDING[kind]}.`,
    advance: (amount: string) =>
      `Le vendeur n'a pas de quoi : ${amount} sont avancés par la plateforme, et repris sur ses prochaines ventes.`,
    sellerSheet: "Fiche du vendeur",
  },
} as const;

export const ticketsCopy = {
  open: "À répondre",
  answered: "Répondues",
  none: "Aucune demande d'assistance en attente",
  noneText: "Quand un vendeur écrit au support, sa demande apparaît ici et le bot vous prévient.",
  noneAnswered: "Aucune demande répondue",
  noneClosed: "Aucune demande close",
  erased: "Message effacé",
  missing: "Demande d'assistance introuvable",
  title: "Assistance",
  thread: "Échanges avec le vendeur",
  openSeller: "Ouvrir la fiche du vendeur",
  openOrder: "Ouvrir la commande",
  openWithdrawal: "Ouvrir le retrait",
  reply: "Votre réponse",
  replyHint: "Le vendeur la lit dans l'application et par le bot.",
  send: "Répondre",
  failed: BUG_MESSAGE,
  close: "Clore la demande",
  closeTitle: "Clore cette demande\u202f?",
  closeText: "Le vendeur est prévenu. S'il écrit encore, elle se rouvre.",
  own: "C'est votre propre demande\u00a0: une autre personne de l'équipe doit y répondre.",
} as const;
