/** What screens of both sides say by themselves. */
export const kitCopy = {
  loading: "Chargement…",
  retry: "Réessayer",
  failed: "Les données n'ont pas pu être chargées",
  more: "Voir la suite",
  refresh: "Actualiser",
  cancel: "Annuler",
  copied: "Copié",
  copyFailed: "La copie est refusée ici : sélectionnez le texte.",
  characters: (count: number, max: number) => `${count} caractères sur ${max}`,
  missing: (names: readonly string[]) => `Il manque : ${names.join(", ")}`,
  exportCsv: "Exporter (CSV)",
  exportFailed: "L'export n'a pas pu être préparé",
} as const;
