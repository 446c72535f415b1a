export const withdrawalsCopy = {
  close: "Fermer",
  support: "Contacter le support",
  page: {
    title: "Retrait",
    loading: "Chargement de vos limites de retrait",
    failed: "Impossible de charger vos limites de retrait. Veuillez réessayer.",
    history: "Historique des retraits",
    balance: "Solde",
    available: "Disponible",
    posted: "Solde total",
    held: (amount: string) => `${amount} en cours de retrait`,
    weekly: (date: string) =>
      `Plan gratuit : un retrait par semaine. Prochain retrait possible le ${date}.`,
    goPremium: "Passer en Premium",
    pendingTitle: (amount: string) => `Votre demande de ${amount} est restée sans réponse.`,
    pendingAction: "Reprendre",
  },
  form: {
    legend: "Nouvelle demande",
    amount: "Montant",
    amountHint: (min: string, max: string) => `De ${min} à ${max} par retrait, sans frais`,
    amountMinMethod: (min: string, method: string) => `Le minimum pour ${method} est de ${min}`,
    amountStep: (step: string, method: string) => `${method} envoie par multiples de ${step}`,
    most: (amount: string) => `Maximum : ${amount}`,
    whatsapp: "Numéro WhatsApp",
    whatsappHint: "L'agent vous y contacte si besoin.",
    phone: "Numéro de transfert",
    phoneHint: (digits: number, dial: string) => `${digits} chiffres, avec ou sans +${dial}`,
    phoneReads: "L'argent ira au",
    method: "Mode de paiement",
    methodNone: "Choisir un mode de paiement",
    methodClosed: "Indisponible pour le moment",
    methodMin: (amount: string) => `Minimum ${amount}`,
    chosen: "choisi",
    continue: "Continuer",
    delayHours: (from: number, to: number, days: string) =>
      `Traitement sous 24 heures, ${days}, de ${from} h à ${to} h.`,
    days: sayDays,
  },
  confirm: {
    title: "Confirmer le retrait",
    check: "Vérifiez bien le numéro : l'argent y part directement.",
    receive: "Vous recevez",
    delay: "Au plus tard",
    confirm: "Confirmer",
    sending: "Envoi de la demande...",
    edit: "Modifier",
    silentTitle: "Pas encore de réponse",
    silent: "Réessayer envoie la même demande : elle ne sera comptée qu'une fois.",
    abandon: "Abandonner",
  },
  sent: {
    title: "Demande envoyée !",
    text: (amount: string) => `${amount} vers le`,
    delay: (date: string) => `Au plus tard ${date}`,
    history: "Voir l'historique",
  },
  auto: {
    title: "Paiement automatique",
    offText: "Recevez votre solde sans rien demander.",
    activate: "Activer",
    edit: "Modifier",
    deactivate: "Désactiver",
    on: "Activé",
    off: "Désactivé",
    next: (date: string) => `Prochain : ${date}`,
    resting: (date: string) => `Nouveau numéro : en pause jusqu'au ${date}`,
    last: (date: string, result: string) => `Dernier passage ${date} : ${result}`,
    threshold: (amount: string) => `Dès ${amount} de solde`,
    askTitle: "Désactiver les paiements automatiques ?",
    askText: "Votre solde restera disponible : vous demanderez chaque retrait vous-même.",
    switchedOff: "Paiements automatiques désactivés",
  },
} as const;

const DAYS = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"];

/** "du lundi au vendredi"; days apart are named one by one. 1 is Monday. */
function sayDays(days: readonly number[]): string {
  const names = days.map((day) => DAYS[day - 1] ?? "");
  const [first] = days;
  const inRow = first !== undefined && days.every((day, at) => day === first + at);
  return inRow && days.length > 2 ? `du ${names[0]} au ${names.at(-1)}` : names.join(", ");
}

export const configurationCopy = {
  subtitle: "Votre solde est envoyé sur votre compte mobile money, sans rien demander.",
  loading: "Chargement de la configuration",
  loadFailed: "Impossible de charger la configuration. Veuillez réessayer.",
  frequency: "Fréquence",
  premiumOnly: "Chaque jour ou dès un seuil : avec le plan Premium.",
  goPremium: "Comparer les plans",
  threshold: "Seuil",
  thresholdHint: (min: string, max: string) => `De ${min} à ${max}`,
  change:
    "Par sécurité, un nouveau numéro attend 24 heures avant le premier paiement automatique. Après un changement, toute demande vers un numéro jamais payé attend aussi 24 heures. Le bot vous prévient de chaque changement.",
  same: "Même ordre de traitement, mêmes limites et sans frais, comme un retrait demandé à la main.",
  save: "Enregistrer",
  activated: "Paiements automatiques activés",
  saved: "Configuration enregistrée",
  next: "Prochain passage",
  last: "Dernier passage",
  lastResult: "Résultat",
  none: "Aucun pour le moment",
} as const;
