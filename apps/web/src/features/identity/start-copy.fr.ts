/** What the first load can show; the other words of this room come with their screens. */
export const startCopy = {
  splash: {
    loading: "Chargement de l'application...",
    failed: "Une erreur s'est produite lors du chargement. Veuillez réessayer.",
    retry: "Réessayer",
  },
  offline: (since: string) => `hors ligne, données du ${since}`,
  offlineRetry: "Réessayer",
} as const;
