export const miniAppCopy = {
  frame: "Mini app",
  region: (name: string) => `Mini app ${name}`,
  close: "Fermer",
  back: "Retour",
  menu: "Plus",
  minimise: "Réduire",
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
};
