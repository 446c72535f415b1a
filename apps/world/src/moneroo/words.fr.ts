export const MONEROO_WORDS = {
  /** What the hosted page says of an attempt that failed. */
  paymentFailed: "Solde insuffisant ou demande refusée sur le téléphone.",
};
