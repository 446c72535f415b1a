export const widgetCopy = {
  loading: "Préparation du paiement…",
  missing:
    "La fenêtre de paiement n'a pas pu être chargée. Vérifiez votre connexion, puis réessayez.",
  retry: "Réessayer",
  leaving: "Vérification du paiement…",
} as const;
