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
  compareTitle: "Comparer les plans",
  feature: "Fonctionnalité",
  paymentsTitle: "Moyens de paiement ouverts",
  noPayments:
    "Aucun moyen de paiement n'est ouvert sur cette instance pour le moment : vos produits resteront en attente.",
  faqTitle: "Questions fréquentes",
  renew: "Renouveler Premium",
  state: {
    title: "Votre plan Premium",
    until: (day: string) => `Actif jusqu'au ${day}`,
    ended: (day: string) => `Terminé depuis le ${day}`,
    days: (days: number) => (days > 1 ? `${days} jours restants` : "Dernier jour"),
    endsSoon: (days: number) =>
      days > 1
        ? `Votre plan Premium se termine dans ${days} jours.`
        : "Votre plan Premium se termine aujourd'hui.",
    grace: (days: number, day: string) =>
      days > 1
        ? `Votre plan Premium est terminé. Il vous reste ${days} jours de grâce, jusqu'au ${day}.`
        : `Votre plan Premium est terminé. Dernier jour de grâce, jusqu'au ${day}.`,
    graceText: (day: string) => `Période de grâce jusqu'au ${day}`,
    renew: "Renouveler",
    renewNote: "Renouveler tôt ne fait rien perdre : le temps acheté s'ajoute à la fin.",
    changes: (day: string) => `Sans renouvellement, à partir du ${day} :`,
    fee: (percent: string) => `${percent} de frais sur chaque nouvelle vente`,
    over: (count: number) =>
      count > 1
        ? `${count} groupes hors quota : leurs ventes sont en pause, les accès en cours vont à leur terme`
        : "1 groupe hors quota : ses ventes sont en pause, les accès en cours vont à leur terme",
    keys: "vos propres clés de paiement sont mises en sommeil",
    withdrawals: "un retrait par semaine",
    kept: "vos produits, vos groupes et votre solde restent à vous",
    purchases: "Vos achats",
    first: "Plan Premium",
    renewal: "Plan Premium, renouvellement",
    period: (from: string, to: string, by: string) => `Du ${from} au ${to} · ${by}`,
    bought: (day: string, by: string) => `Le ${day} · ${by}`,
    refunded: "Remboursé",
  },
  trialTitle: "Plan Gratuit",
  trialText: (percent: number) =>
    `Aucune carte, aucun abonnement. Les paiements intégrés sont activés et vous payez ${percents.format(percent)} % de frais seulement quand vous vendez.`,
  trial: "Tester ce plan",
  cancel: "Annuler",
  signInAgain:
    "Une erreur est survenue lors de la récupération de vos informations. Veuillez vous reconnecter.",
  signInLink: "Se reconnecter",
  idMissing: "ID utilisateur manquant",
  updateFailed: (message: string) =>
    `Erreur lors de la mise à jour: ${message === "" ? "erreur inconnue" : message}`,
  loadFailed: "Impossible de charger les plans. Veuillez réessayer.",
  retry: "Réessayer",
  loading: "Chargement des plans",
} as const;
