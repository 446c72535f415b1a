// Apart: a buyer's page loads these only for a donation or a report.

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
