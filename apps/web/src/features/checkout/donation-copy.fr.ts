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
