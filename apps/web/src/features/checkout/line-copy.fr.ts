export const lineCopy = {
  loading: "Vérification des places…",
  full: "Complet",
  fullText: "Toutes les places sont prises. Nous vous prévenons dès qu'une place se libère.",
  tellMe: "Me prévenir",
  waiting: "Vous serez prévenu",
  position: (position: number) =>
    position === 1
      ? "Vous êtes la première personne dans la file."
      : `Vous êtes n° ${position} dans la file.`,
  leave: "Ne plus attendre",
  held: "Une place vous est réservée",
  until: (instant: string) => `Jusqu'au ${instant}. Ensuite, elle passe à la personne suivante.`,
  take: "Prendre ma place",
  giveUp: "Laisser ma place",
  free: "Une place est libre pour vous.",
  buy: "Acheter ce produit",
  silent: "Le bot ne peut pas vous écrire : autorisez-le, sinon vous ne serez pas prévenu.",
  allow: "Autoriser",
  failed: "La demande n'est pas passée. Veuillez réessayer.",
  retry: "Réessayer",
} as const;
