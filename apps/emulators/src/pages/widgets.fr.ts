export const kkiapayCopy = {
  frame: "Paiement KkiaPay",
  waiting: "Ouverture du paiement…",
  alone: "Cette page s'ouvre dans une page de paiement.",
  refused: {
    amount: "Le montant n'est pas valable : 100 F CFA au moins.",
    key: "La clé publique n'est pas reconnue.",
    sandbox: "Le mode test et la clé ne vont pas ensemble.",
  },
  noAnswer: "Pas de réponse. Réessayez dans un instant.",
};

export const widgetCopy = {
  frame: "Paiement FedaPay",
  close: "Fermer le paiement",
};
