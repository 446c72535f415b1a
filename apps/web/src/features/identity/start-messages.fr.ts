// Apart: these are on the seller's first route.

/** The sentences of the first load; the others load with their screens. */
export const startCopy = {
  splash: {
    loading: "Chargement de l'application...",
    failed: "Une erreur s'est produite lors du chargement. Veuillez réessayer.",
  },
  /** A change made offline, sent when the network is back. */
  waiting: (count: number) =>
    count > 1
      ? `En attente du réseau… ${count} modifications partiront toutes seules.`
      : "En attente du réseau… votre modification partira toute seule.",
  fallback: {
    title: "Vos dernières données",
    since: (instant: string) => `Vos données du ${instant}, en lecture seule`,
    balance: "Solde disponible",
    products: "Produits",
    groups: "Groupes et canaux",
    support: "Écrire au support",
  },
} as const;
