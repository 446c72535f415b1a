export const welcomeCopy = {
  welcomeTitle: "Bienvenue sur Sésame",
  welcomeText: "Vendez l'accès à vos groupes et canaux Telegram.",
  heading: "Présentation de Sésame",
  skip: "Passer",
  next: "Continuer",
  start: "Commencer",
  step: (step: number, count: number) => `Étape ${step} sur ${count}`,
  stories: [
    {
      drawing: "group",
      title: "Relier le bot",
      text: "Ajoutez le bot à votre groupe ou canal privé. Il gère les entrées et les sorties à votre place.",
    },
    {
      drawing: "product",
      title: "Créer un produit",
      text: "Un titre, un prix en FCFA, une durée et une image : votre offre est prête en une minute.",
    },
    {
      drawing: "link",
      title: "Partager le lien",
      text: "Envoyez votre lien où vous voulez. L'acheteur paie en mobile money et entre aussitôt dans le groupe.",
    },
    {
      drawing: "coins",
      title: "Être payé",
      text: "Chaque vente crédite votre solde, frais déduits. Vous suivez tout en direct, franc par franc.",
    },
  ],
} as const;
