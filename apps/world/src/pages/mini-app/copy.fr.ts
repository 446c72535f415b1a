export const miniAppCopy = {
  frame: "Mini app",
  subtitle: "mini app",
  region: (name: string) => `Mini app ${name}`,
  close: "Fermer",
  back: "Retour",
  menu: "Plus",
  minimise: "Réduire",
  reload: "Actualiser la page",
  settings: "Paramètres",
  openBot: "Ouvrir le bot",
  loading: "Chargement…",
  popup: { ok: "OK", close: "Fermer", cancel: "Annuler" },
  leave: {
    message: "Les modifications pourraient ne pas être enregistrées.",
    leave: "Fermer quand même",
    stay: "Annuler",
  },
  write: {
    message: (bot: string) => `Autoriser ${bot} à vous envoyer des messages ?`,
    allow: "Autoriser",
    refuse: "Annuler",
  },
  phone: {
    message: (bot: string) => `Partager votre numéro de téléphone avec ${bot} ?`,
    share: "Partager",
    refuse: "Annuler",
  },
};
