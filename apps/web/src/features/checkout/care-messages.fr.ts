// A file of its own: the buyer's page loads these sentences only for refunds and complaints.

/** Refunds and complaints, for the buyer. */
export const careCopy = {
  refund: "Remboursement",
  to: (method: string, number: string) => `Vers ${method}, ${number}`,
  proof: (reference: string) => `Référence de l'opérateur : ${reference}`,
  reason: (words: string) => `Raison : ${words}`,
  method: "Opérateur",
  number: "Numéro",
  sendNumber: "Envoyer ce numéro",
  readNumber: (place: string) => `Vérifiez : l'argent ira à ${place}.`,
  rightNumber: "C'est le bon numéro",
  complaint: "Votre réclamation",
  due: (day: string) => `Le vendeur a jusqu'au ${day} pour répondre.`,
  answer: "Votre message",
  answerSend: "Envoyer le message",
  withdraw: "Retirer ma réclamation",
  failed: "L'envoi n'a pas abouti. Veuillez réessayer.",
} as const;
