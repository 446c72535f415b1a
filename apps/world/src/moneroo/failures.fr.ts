/** What the hosted page says of an attempt that failed. */
export const PAYMENT_FAILED = "Solde insuffisant ou demande refusée sur le téléphone.";
