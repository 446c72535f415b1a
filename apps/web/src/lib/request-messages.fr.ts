// Separate: these are on every page, the buyers' too.

export const RETRY = "Réessayer";

/** A §8: words for an answer that is missing or wrong. */
export const requestCopy = {
  timeout: "La requête a mis trop de temps à répondre",
  unreachable: "Connexion impossible. Vérifiez votre réseau puis réessayez.",
  badAnswer: (status: number) => `Erreur ${status}: Le serveur n'a pas répondu correctement`,
  refused: (status: number) => `Erreur ${status}`,
  unreadable: "Le serveur n'a pas répondu correctement",
} as const;
