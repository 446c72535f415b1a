const percents = new Intl.NumberFormat("fr-FR", { maximumFractionDigits: 2 });

export const plansCopy = {
  percent: (percent: number) => `${percents.format(percent)} %`,
  title: "Choisissez votre plan",
  subtitle: "Commencez sans rien payer. Vous pourrez changer plus tard.",
  toggle: "Plan affiché",
  free: "Gratuit",
  premium: "Premium",
  freePrice: "0 FCFA",
  freeTagline: "Pour démarrer et vendre dès aujourd'hui",
  premiumTagline: "Pour vendre sans frais ni limite",
  perPeriod: (days: number) => `pour ${days} jours`,
  inEuros: (euros: string) => `≈ ${euros} €`,
  breakEven: (amount: string, percent: number) =>
    `Avantageux dès ${amount} de ventes par mois : au-delà, il coûte moins que les ${percents.format(percent)} % du plan gratuit.`,
  current: "Votre plan actuel",
  freePoints: (percent: number, groups: number) => [
    `${percents.format(percent)} % de frais par vente, rien d'autre`,
    `Jusqu'à ${groups} groupes ou canaux`,
    "Paiements intégrés, sans configuration",
    "Retraits hebdomadaires",
  ],
  premiumPoints: (percent: number) => [
    `${percents.format(percent)} % de frais par vente`,
    "Groupes et canaux illimités",
    "Retraits instantanés",
    "Statistiques avancées et support prioritaire",
  ],
  chooseFree: "Choisir Gratuit",
  keepFree: "Continuer avec Gratuit",
  choosePremium: "Choisir Premium",
  premiumClosed: "Premium n'est pas encore ouvert",
  premiumClosedText:
    "Le paiement du plan Premium n'est pas encore ouvert sur cette instance. Vous pouvez vendre dès maintenant avec le plan gratuit : vos produits et vos groupes seront conservés quand vous changerez.",
  understood: "Compris",
  compareTitle: "Comparer les plans",
  feature: "Fonctionnalité",
  yes: "Oui",
  no: "Non",
  rows: {
    payments: "Solutions de paiement",
    fee: "Frais par transaction",
    withdrawals: "Retraits",
    support: "Support",
    groups: "Groupes",
    statistics: "Statistiques avancées",
    api: "API développeur",
    configuration: "Configuration personnalisée",
  },
  weekly: "Hebdomadaires",
  instant: "Instantanés",
  standard: "Standard",
  priority: "Prioritaire",
  groupsMax: (count: number) => `${count} max`,
  unlimited: "Illimités",
  builtIn: "Intégrées",
  own: "Intégrées ou vos propres clés",
  paymentsTitle: "Moyens de paiement ouverts",
  noPayments:
    "Aucun moyen de paiement n'est ouvert sur cette instance pour le moment : vos produits resteront en attente.",
  faqTitle: "Questions fréquentes",
  faq: (free: { percent: number; groups: number; left: string }) => [
    {
      question: "Puis-je changer de plan ?",
      answer: `Oui. Le plan Premium vaut pour la durée payée, puis vous revenez au plan gratuit après 7 jours de grâce. Vos produits restent ; au-delà de ${free.groups} groupes, les ventes des groupes hors quota sont en pause et les accès en cours vont à leur terme.`,
    },
    {
      question: "Comment les frais sont-ils calculés ?",
      answer: `Avec le plan gratuit, ${percents.format(free.percent)} % du prix payé, arrondis au franc inférieur. Le taux est figé quand l'acheteur passe commande : une vente de 5 000 FCFA vous laisse ${free.left}.`,
    },
    {
      question: "Quels moyens de paiement mes acheteurs ont-ils ?",
      answer:
        "Ceux qui sont ouverts sur cette instance, listés plus haut. Vos acheteurs paient sur la page sécurisée du prestataire ; vous n'avez rien à configurer.",
    },
  ],
  trialTitle: "Plan Gratuit",
  trialText: (percent: number) =>
    `Aucune carte, aucun abonnement. Les paiements intégrés sont activés et vous payez ${percents.format(percent)} % de frais seulement quand vous vendez.`,
  trial: "Tester ce plan",
  cancel: "Annuler",
  signInAgain:
    "Une erreur est survenue lors de la récupération de vos informations. Veuillez vous reconnecter.",
  signInLink: "Se reconnecter",
  updateFailed: (message: string) =>
    `Erreur lors de la mise à jour: ${message === "" ? "erreur inconnue" : message}`,
  loadFailed: "Impossible de charger les plans. Veuillez réessayer.",
  retry: "Réessayer",
  loading: "Chargement des plans",
} as const;
