export const noticesCopy = {
  claims: (count: number) =>
    count > 1
      ? `${count} réclamations attendent votre réponse.`
      : "Une réclamation attend votre réponse.",
  claimsLink: "Répondre",
  over: "Votre plan Premium est terminé.",
  grace: (day: string) => `Votre plan Premium est terminé : retour au plan gratuit le ${day}.`,
  soon: (days: number) =>
    days > 1
      ? `Votre plan Premium se termine dans ${days} jours.`
      : "Votre plan Premium se termine aujourd'hui.",
  renew: "Renouveler",
} as const;
