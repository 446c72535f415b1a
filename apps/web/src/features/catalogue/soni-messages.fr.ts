export const soniCopy = {
  title: "Soni",
  subtitle: "Créer mon offre",
  loading: "Chargement de la conversation",
  loadFailed: "Impossible de retrouver vos réponses. Veuillez réessayer.",
  log: "Conversation avec Soni",
  bot: "Soni",
  you: "Vous",
  writing: "Soni écrit…",
  hello: (name: string) =>
    `Bonjour${name ? ` ${name}` : ""}, je suis Soni. Trois questions, et votre offre est prête à relire.`,
  begin: "Commencer",
  learn: "En savoir plus",
  learnt:
    "Je ne suis pas une intelligence artificielle\u00a0: je pose trois questions, le nom de votre offre, son objectif et votre motivation. Avec vos réponses, je remplis le formulaire d'un produit. Vous le relisez, vous le changez, et vous seul le publiez.",
  askName: "Comment s'appelle votre offre\u202f?",
  nameLabel: "Nom de votre offre",
  namePlaceholder: "Accès VIP mensuel",
  send: "Envoyer",
  askGoal: (name: string) =>
    `«\u00a0${name}\u00a0», c'est noté. Quel est votre objectif principal\u202f?`,
  goalLabel: "Objectif principal",
  goals: {
    community: "Animer une communauté",
    training: "Vendre une formation",
    service: "Proposer un accompagnement",
    support: "Recevoir du soutien",
  },
  askMotivation:
    "Et votre motivation, de 1 à 5\u202f? 1\u00a0: je veux d'abord essayer. 5\u00a0: je me lance à fond.",
  motivationLabel: "Motivation, de 1 à 5",
  motivation: (value: number) => `${value} sur 5`,
  ready: (days: number) =>
    `C'est prêt. J'ai choisi une durée de ${days} jours, ${
      days < 30 ? "courte pour essayer" : days < 90 ? "simple à renouveler" : "longue pour durer"
    }, et un prix à ajuster. Il vous restera à ajouter une image.`,
  open: "Ouvrir mon produit",
  again: "Recommencer",
  notKept:
    "Votre réponse n'a pas pu être gardée\u00a0: elle reste ici tant que cette page est ouverte.",
} as const;
