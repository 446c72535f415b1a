export const shopCopy = {
  title: "Ma boutique",
  subtitle: "Tous vos produits en vente, à une seule adresse.",
  loading: "Chargement de votre boutique",
  loadFailed: "Impossible de charger votre boutique. Veuillez réessayer.",
  closed:
    "Votre boutique est fermée\u00a0: vos ventes sont suspendues, et le bot vous a dit pourquoi.",
  empty: "Votre boutique est vide",
  emptyText: "Elle s'ouvre dès qu'un de vos produits est en vente.",
  toProducts: "Voir mes produits",
  everywhere: "Pour tous les navigateurs",
  everywhereText: (products: number) =>
    products === 1
      ? "Un produit s'y vend. À mettre sur vos réseaux, vos affiches, votre site."
      : `${products} produits s'y vendent. À mettre sur vos réseaux, vos affiches, votre site.`,
  everywhereLink: "Lien de la boutique",
  see: "Voir la boutique",
  inTelegram: "Dans Telegram",
  inTelegramText: "Ce lien ouvre la boutique sans quitter Telegram.",
  inTelegramLink: "Lien de la boutique dans Telegram",
  message: (name: string) => (name ? `La boutique de ${name}` : "Ma boutique"),
} as const;
