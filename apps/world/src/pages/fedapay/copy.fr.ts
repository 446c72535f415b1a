export const widgetCopy = {
  frame: "Paiement FedaPay",
  close: "Fermer le paiement",
};
