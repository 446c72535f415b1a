export const frontCopy = {
  brand: "Sésame · démo",
  title: "L'accès à votre groupe Telegram, payé en mobile money.",
  first:
    "Pour commencer : sur le téléphone du vendeur, touchez la discussion «\u00a0Sésame Vendeur\u00a0», puis «\u00a0DÉMARRER\u00a0».",
  steps: [
    "Vendeur : ouvrez l'app depuis le bot et reliez un groupe.",
    "Vendeur : créez un produit, puis envoyez son lien à l'acheteur.",
    "Acheteur : ouvrez le lien, payez sur la page simulée, puis suivez l'invitation.",
    "Agent : démarrez «\u00a0Sésame Vendeur\u00a0», qui vous préviendra.",
    "Vendeur : demandez un retrait ; l'agent l'approuve, ou le paie par Mobile Money.",
    "Avancez l'horloge : à l'échéance, l'acheteur est retiré et prévenu.",
  ],
  clock: "Heure du monde",
  panel: "Panneau de contrôle",
  waiting: "Ouverture du monde…",
  lost: "Le monde ne répond pas. Nouvel essai dans un instant.",
  footer:
    "Telegram, les prestataires de paiement et le mobile money sont ici simulés : aucun argent réel ne circule. Tout le reste est le vrai produit.",
};
