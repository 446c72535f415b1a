/** What products and donations both say while they are kept (A §4, A §8). */
export const PUBLISH_FAILED = "Erreur lors de la publication. Veuillez réessayer.";
export const SAVING = "Mise à jour en cours...";
export const UPDATE_FAILED = "Erreur lors de la mise à jour. Veuillez réessayer.";
