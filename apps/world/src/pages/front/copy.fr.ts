import type { StepId } from "./story.ts";

type StepCopy = { title: string; next: string };

const steps: Record<StepId, StepCopy> = {
  group: {
    title: "Relier",
    next: "Ouvrez l'app du vendeur depuis son bot, puis reliez un groupe.",
  },
  product: {
    title: "Publier",
    next: "Créez un produit, puis envoyez son lien à l'acheteur.",
  },
  payment: {
    title: "Payer",
    next: "L'acheteur ouvre le lien, choisit un moyen de paiement, puis paie sur la page simulée.",
  },
  access: {
    title: "Entrer",
    next: "L'acheteur suit son invitation : lui seul est accepté.",
  },
  money: {
    title: "Retirer",
    next: "Le vendeur demande un retrait ; l'agent l'approuve, ou le paie par Mobile Money.",
  },
  end: {
    title: "Sortir",
    next: "Avancez l'horloge : à l'échéance, l'acheteur est retiré et prévenu.",
  },
};

export const frontCopy = {
  brand: "Sésame",
  demo: "démonstration",
  title: "L'accès à votre groupe Telegram, payé en mobile money.",
  lead: "Mobile money, carte, crypto ou Telegram Stars : payé, l'acheteur entre. À l'échéance, il sort. Le vendeur n'a rien à faire.",
  steps,
  stepsLabel: "Le parcours d'une vente",
  done: "fait",
  nextLabel: "À vous : ",
  allDone: "Le parcours est complet : vendu, payé, entré, retiré, sorti.",
  clock: "Heure du monde",
  live: "en direct",
  offline: "reconnexion…",
  panel: "Panneau de contrôle",
  dark: "Page en sombre",
  light: "Page en clair",
  waiting: "Ouverture du monde…",
  lost: "Le monde ne répond pas. Nouvel essai dans un instant.",
  phones: "Téléphones",
  footer:
    "Telegram, les prestataires de paiement et le mobile money sont ici simulés : aucun argent réel ne circule. Tout le reste est le vrai produit.",
};
