import { catalogueCopy } from "./messages.fr.ts";

export const donationCopy = {
  title: "Dons",
  subtitle: "Recevez des dons d'un montant libre, sans groupe ni abonnement.",
  loading: "Chargement de vos dons",
  noneText:
    "Créez un don, partagez son lien : chacun donne ce qu'il veut, et la somme arrive sur votre solde.",
  create: "Créer un don",
  yours: "Vos dons",
  new: {
    ...catalogueCopy.form.new,
    title: "Nouveau don",
    send: "Publier le don",
    sent: "Don publié avec succès\u00a0!",
  },
  edit: {
    ...catalogueCopy.form.edit,
    title: catalogueCopy.donation.edit,
    sent: "Don mis à jour avec succès\u00a0!",
  },
  namePlaceholder: "Soutenez la chaîne",
  message: "Message",
  minimum: "Montant minimum",
  suggestion: (nth: number) => `Montant proposé ${nth}`,
  suggestionsHint: "Facultatif. Chacun peut aussi saisir un autre montant.",
  image: "Image (facultatif)",
  badSuggestion: (min: string, max: string) =>
    `Un montant proposé doit être compris entre ${min} et ${max}.`,
  badMinimum: (min: string, max: string) =>
    `Le montant minimum doit être compris entre ${min} et ${max}.`,
} as const;
