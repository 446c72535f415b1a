export const accessCopy = {
  title: "Mes accès",
  emptyTitle: "Aucun accès",
  emptyText: "Les groupes que vous payez apparaissent ici, avec leur date de fin.",
  until: (day: string) => `jusqu'au ${day}`,
  endedOn: (day: string) => `terminé le ${day}`,
  status: {
    waiting: "À rejoindre",
    inside: "Actif",
    ended: "Terminé",
    removed: "Terminé",
    left: "Groupe quitté",
    banned: "Retiré",
  } as Record<string, string>,
  join: "Rejoindre",
  renew: "Prolonger",
  retry: "Réessayer",
} as const;
