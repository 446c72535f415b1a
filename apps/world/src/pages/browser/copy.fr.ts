export const browserCopy = {
  region: "Navigateur externe",
  frame: "Navigateur",
  close: "Revenir à Telegram",
  telegram: "Telegram",
  outside: "Cette adresse est hors de la démonstration.",
};
