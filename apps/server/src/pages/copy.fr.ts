/** Titles and descriptions of pages, for the tab and for link previews. */
export const pagesCopy = {
  soldBy: (seller: string) => `Vendu par ${seller}, payé en mobile money.`,
  missing: {
    title: "Produit introuvable",
    description: "Ce lien ne mène à aucun produit.",
    imageUrl: null,
  },
  order: {
    title: "Sésame",
    description: "Suivez votre commande et vos accès.",
    imageUrl: null,
  },
} as const;
