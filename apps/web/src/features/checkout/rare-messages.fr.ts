// A file of its own: the buyer's page loads these sentences only for a donation, a report or a shop.

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

/** Of a seller's shop. */
export const shopPageCopy = {
  kind: "Boutique",
  count: (products: number) => `${products} produit${products > 1 ? "s" : ""} en vente`,
  none: "Rien en vente pour le moment",
  noneText: "Ce vendeur n'a rien en vente aujourd'hui. Revenez bientôt.",
  full: "Complet",
  left: (places: number) => (places === 1 ? "Plus qu'une place" : `Plus que ${places} places`),
} as const;
