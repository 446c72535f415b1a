export const faqCopy = {
  loading: "Chargement des questions",
  failed: "Les questions n'ont pas pu être chargées.",
  retry: "Réessayer",
} as const;
