// Apart: these are on every page, the buyers' too.

/** A §8: what is said when the server does not answer as it should. */
export const requestCopy = {
  timeout: "La requête a mis trop de temps à répondre",
  unreachable: "Connexion impossible. Vérifiez votre réseau puis réessayez.",
  badAnswer: (status: number) => `Erreur ${status}: Le serveur n'a pas répondu correctement`,
  refused: (status: number) => `Erreur ${status}`,
  unreadable: "Le serveur n'a pas répondu correctement",
} as const;
