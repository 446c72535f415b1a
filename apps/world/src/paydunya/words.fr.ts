/** What PayDunya's page says in French. */
export const PAYDUNYA_WORDS = {
  failed: "Le paiement a échoué. Vérifiez votre solde puis réessayez.",
  expired: "Cette facture a expiré.",
};
