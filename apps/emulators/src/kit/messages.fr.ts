/** FedaPay's answers in French. */
export const FEDAPAY_MESSAGES = {
  notAllowed: "Opération non autorisée",
  badKey: "Erreur d'authentification",
  shortFloat: "Solde insuffisant pour effectuer ce dépôt",
  invalid: "Échec de la création du dépôt",
  tooManyToNumber: "Ce numéro a déjà reçu 3 dépôts ces dernières 24 heures",
  notFound: "Dépôt introuvable",
  refused: "Le dépôt ne peut pas être démarré",
  tooMany: "Trop de requêtes",
  transactionInvalid: "Échec de la création de la transaction",
  transactionNotFound: "Transaction introuvable",
  notPayable: "Cette transaction ne peut plus être payée",
  declined: "L'opérateur a refusé ce paiement.",
  expired: "Cette transaction a expiré : le délai de 24 heures est passé.",
};

/** What FedaPay says of one field. */
export const FIELD_MESSAGES = {
  integer: "doit être un nombre entier",
  atMost: (amount: number) => `doit être inférieur ou égal à ${amount}`,
  wrong: "n'est pas valide",
  taken: "est déjà utilisé",
  empty: "doit être rempli",
};

/** What PayDunya's page says in French. */
export const PAYDUNYA_MESSAGES = {
  failed: "Le paiement a échoué. Vérifiez votre solde puis réessayez.",
  expired: "Cette facture a expiré.",
};

export const MONEROO_MESSAGES = {
  /** What the hosted page says of an attempt that failed. */
  paymentFailed: "Solde insuffisant ou demande refusée sur le téléphone.",
};
