import { AGGREGATOR_NOT_FOUND, NO_PAYMENT_URL, SAVE_FAILED, sayIncomplete } from "@sesame/contract";

export const aggregatorsCopy = {
  title: "Moyens de paiement",
  subtitle: "Ce que vos acheteurs peuvent utiliser pour payer.",
  loading: "Chargement des moyens de paiement",
  loadFailed: "Impossible de charger vos moyens de paiement. Veuillez réessayer.",
  active: "Méthodes actives",
  inactive: "Méthodes inactives",
  noneActive:
    "Aucune méthode active : vos produits ne peuvent pas être achetés tant qu'aucune n'est activée.",
  noneInactive: "Toutes vos méthodes sont actives.",
  switchFor: (name: string) => `Activer ${name}`,
  switched: (name: string, on: boolean) => `${name} ${on ? "activé" : "désactivé"}`,
  updateFailed: SAVE_FAILED,
  by: {
    own: "Encaissé directement, sur votre compte",
    "built-in": "Paiement intégré, crédité sur votre solde",
    off: "Désactivé",
    refused: "Rien ne se vend par ces clés : donnez-en d'autres",
    nowhere: "Rien ne se vend par cette méthode en ce moment",
  },
  closed: "À ouvrir avec vos clés",
  closedNote: "Sésame n'a pas de compte chez ces prestataires : le vôtre les ouvre.",
  disturbed: "Perturbé",
  disturbedNote:
    "«\u00a0Perturbé\u00a0» : ce prestataire répond mal depuis quelques minutes. Vos acheteurs en sont prévenus et peuvent en choisir un autre.",
  refused: "Clés refusées",
  asleep: "En sommeil",
  ownTitle: "Vos clés",
  ownNote:
    "Ce que vos clés encaissent arrive sur votre compte chez le prestataire : ces ventes ne passent pas par votre solde.",
  add: "Ajouter une méthode",
  addText: "Encaisser sur votre propre compte",
  addTitle: "Ajouter une méthode de paiement",
  addSubtitle: "Choisissez un prestataire, puis donnez les clés de votre compte.",
  already: "Vos clés sont enregistrées",
  premiumText:
    "Encaisser sur vos propres comptes fait partie du plan Premium. Les paiements intégrés, eux, sont déjà actifs.",
  seePlans: "Voir les plans",
  missing: AGGREGATOR_NOT_FOUND,
  missingText: "Ce prestataire ne s'ouvre pas avec vos propres clés.",
  sheet: {
    title: (name: string) => `Configurer ${name}`,
    countries: (names: readonly string[]) => `Vos acheteurs paient depuis : ${names.join(", ")}.`,
    optional: (label: string) => `${label} (facultatif)`,
    verified:
      "Vos clés sont vérifiées auprès du prestataire, puis chiffrées. Personne ne les relit.",
    save: "Enregistrer",
    incomplete: sayIncomplete,
    replaces: "Ces clés remplacent celles que vous avez enregistrées.",
    later: "Plus tard",
  },
  keys: {
    title: (name: string) => `Clés ${name}`,
    titleBare: "Clés de paiement",
    none: "Vous n'avez pas encore de clés",
    noneText: "Ajoutez les clés de votre compte chez un prestataire pour encaisser directement.",
    saved: "Clés enregistrées",
    savedOn: (day: string) => `Vérifiées le ${day}`,
    refused: (day: string) =>
      `Le prestataire refuse ces clés depuis le ${day}. Rien ne se vend par elles : donnez-en d'autres.`,
    unreadable:
      "Ces clés ne peuvent plus être lues chez nous : donnez-les à nouveau pour reprendre les ventes.",
    asleep:
      "Ces clés sont en sommeil : le plan Premium n'est plus actif. Vos ventes passent par les paiements intégrés.",
    current: "Clés en place",
    webhook: "Adresse de notification",
    webhookText: "À donner à votre prestataire, pour que les paiements soient connus aussitôt.",
    copy: "Copier",
    change: "Nouvelles clés",
    changeHint: "Ce que vous laissez vide ne change pas.",
    save: "Enregistrer les nouvelles clés",
    trial: "Essayer avec 100 FCFA",
    trialText:
      "Un vrai paiement de 100 FCFA, de vous à vous : il arrive sur votre compte chez le prestataire.",
    remove: "Supprimer ces clés",
    removeTitle: (name: string) => `Supprimer vos clés ${name}\u00a0?`,
    removeText: (builtIn: boolean) =>
      builtIn
        ? "Vos prochaines ventes passeront par le paiement intégré. Les paiements déjà ouverts sont suivis jusqu'au bout."
        : "Vos acheteurs ne pourront plus payer par ce prestataire. Les paiements déjà ouverts sont suivis jusqu'au bout.",
    removed: "Clés supprimées",
    others: "Vos autres clés",
    noUrl: NO_PAYMENT_URL,
  },
  paymentSheet: {
    close: "Fermer",
    manage: "Activer ou désactiver",
    none: "Aucune méthode active",
  },
  success: {
    title: "Parfait !",
    text: (name: string | null) =>
      name
        ? `${name} est prêt : vos ventes y sont encaissées directement.`
        : "Votre moyen de paiement est prêt.",
    group: "Ajouter un groupe ou un canal",
    another: "Ajouter un autre moyen de paiement",
    close: "Terminer",
  },
  configure: {
    title: "Configuration personnalisée",
    text: "Encaissez sur vos propres comptes FedaPay, KkiaPay, Moneroo, PayDunya ou Crypto Pay. L'argent de vos ventes y arrive directement, sans passer par votre solde.",
    pageTitle: "Configurer vos paiements",
    points: [
      "Vos clés sont vérifiées par un appel au prestataire, puis chiffrées",
      "Un essai de 100 FCFA confirme que tout fonctionne",
      "Les paiements intégrés restent ouverts à côté",
    ],
    now: "Configurer maintenant",
    later: "Plus tard",
  },
} as const;
