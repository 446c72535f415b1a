import { RETRY } from "@sesame/contract";

export const widgetCopy = {
  loading: "Préparation du paiement…",
  missing:
    "La fenêtre de paiement n'a pas pu être chargée. Vérifiez votre connexion, puis réessayez.",
  retry: RETRY,
  leaving: "Vérification du paiement…",
} as const;
