import { BUG_MESSAGE, BOT_LACKS_RIGHTS } from "@sesame/contract";

export const accessCopy = {
  emptyTitle: "Aucun accès",
  emptyText: "Les groupes que vous payez apparaissent ici, avec leur date de fin.",
  until: (day: string) => `jusqu'au ${day}`,
  accessUntil: (day: string) => `accès jusqu'au ${day}`,
  endedOn: (day: string) => `le ${day}`,
  status: {
    waiting: "À rejoindre",
    inside: "Actif",
    ended: "Terminé",
    removed: "Terminé",
    left: "Groupe quitté",
    banned: "Retiré",
  } as Record<string, string>,
  paused: BOT_LACKS_RIGHTS,
  pending: "En cours",
  ordered: (day: string) => `commande du ${day}`,
  follow: "Suivre ma commande",
  join: "Rejoindre",
  open: "Ouvrir",
  renew: "Prolonger",
  renews: (group: string, end: string, until: string) =>
    `Votre accès à ${group} court jusqu'au ${end}. Cet achat le prolonge jusqu'au ${until}.`,
  reopens: (group: string, end: string) =>
    `Votre accès à ${group} a pris fin le ${end}. Cet achat l'ouvre à nouveau.`,
  problem: "Un problème\u00a0?",
  problemWith: (group: string) => `Un problème ? ${group}`,
} as const;

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
