import { PUBLISH_FAILED, SAVING, UPDATE_FAILED } from "./saving.fr.ts";

export const donationCopy = {
  title: "Donation",
  subtitle: "Recevez des dons d'un montant libre, sans groupe ni abonnement.",
  loading: "Chargement de vos dons",
  noneTitle: "Aucun don pour le moment",
  noneText:
    "Créez un don, partagez son lien : chacun donne ce qu'il veut, et la somme arrive sur votre solde.",
  create: "Créer un don",
  yours: "Vos dons",
  received: (count: string, many: boolean) => `${count} don${many ? "s" : ""}`,
  newTitle: "Nouveau don",
  editTitle: "Modifier le don",
  name: "Titre",
  namePlaceholder: "Soutenez la chaîne",
  message: "Message",
  counter: (length: number, max: number) => `${length} caractères sur ${max}`,
  minimum: "Montant minimum",
  minimumHint: (min: string, max: string) => `De ${min} à ${max}.`,
  suggestions: "Montants proposés",
  suggestion: (nth: number) => `Montant proposé ${nth}`,
  suggestionsHint: "Facultatif. Chacun peut aussi saisir un autre montant.",
  franc: "FCFA",
  image: "Image (facultatif)",
  publish: "Publier le don",
  publishing: "Publication en cours...",
  published: "Don publié avec succès!",
  publishFailed: PUBLISH_FAILED,
  save: "Enregistrer",
  saving: SAVING,
  saved: "Don mis à jour avec succès!",
  saveFailed: UPDATE_FAILED,
  badSuggestion: (min: string, max: string) =>
    `Un montant proposé doit être compris entre ${min} et ${max}.`,
  badMinimum: (min: string, max: string) =>
    `Le montant minimum doit être compris entre ${min} et ${max}.`,
} as const;
