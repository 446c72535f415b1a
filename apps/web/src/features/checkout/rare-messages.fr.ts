// Apart: a buyer's page loads these only for a donation, a report, or money that went wrong.

export const donationCopy = {
  title: "Choisissez un montant",
  amounts: "Montants proposés",
  other: "Autre montant",
  franc: "FCFA",
  least: (minimum: string) => `Le montant minimum de ce don est de ${minimum}.`,
  most: (maximum: string) => `Le montant maximum d'un don est de ${maximum}.`,
  missing: "Veuillez choisir ou saisir un montant.",
  go: (amount: string) => `Donner ${amount}`,
  goOn: "Continuer",
} as const;

/** Of the sheet alone: fetched with it. */
export const reportCopy = {
  title: "Signaler ce produit",
  reason: "Motif",
  reasons: [
    ["scam", "Arnaque ou contenu trompeur"],
    ["forbidden", "Contenu interdit"],
    ["no-access", "Accès payé et non fourni"],
    ["other", "Autre motif"],
  ],
  message: "Ce qui ne va pas",
  send: "Envoyer le signalement",
  failed: "Le signalement n'a pas pu être envoyé. Veuillez réessayer.",
} as const;

/** What the buyer does about money that went wrong. */
export const careCopy = {
  refund: "Remboursement",
  to: (method: string, number: string) => `Vers ${method}, ${number}`,
  proof: (reference: string) => `Référence de l'opérateur : ${reference}`,
  reason: (words: string) => `Raison : ${words}`,
  method: "Opérateur",
  number: "Numéro",
  sendNumber: "Envoyer ce numéro",
  complaint: "Votre réclamation",
  due: (day: string) => `Le vendeur a jusqu'au ${day} pour répondre.`,
  answer: "Votre message",
  answerSend: "Envoyer le message",
  withdraw: "Retirer ma réclamation",
  failed: "L'envoi n'a pas abouti. Veuillez réessayer.",
} as const;

export const complaintCopy = {
  title: "Que se passe-t-il\u00a0?",
  reason: "Que se passe-t-il\u00a0?",
  message: "Précisions (facultatif)",
  send: "Envoyer la réclamation",
  failed: careCopy.failed,
} as const;
