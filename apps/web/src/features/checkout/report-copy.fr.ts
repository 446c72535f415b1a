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
