import { BUG_MESSAGE } from "@sesame/contract";

// Apart: a buyer's page loads these only for a buyer who asks for their data.

/** Of the last part of one's accesses: fetched with it. */
export const dataCopy = {
  title: "Vos données",
  privacy: "Ce que nous gardons, et pourquoi",
  export: "Télécharger",
  erase: "Effacer",
  eraseText:
    "Votre nom, vos numéros et vos messages seront effacés pour toujours. Les écritures de vos achats restent, sans votre nom. Si vous vendez aussi, votre compte de vendeur est fermé avec. Un accès en cours doit d'abord être terminé.",
  eraseYes: "Effacer pour toujours",
  cancel: "Annuler",
  erased: "Vos données personnelles sont effacées.",
  failed: BUG_MESSAGE,
} as const;
