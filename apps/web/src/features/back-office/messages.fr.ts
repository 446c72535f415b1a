import type { QueueTab } from "./queue.tsx";

export const staffCopy = {
  nav: "Navigation du bureau",
  brand: "Bureau Sésame",
  tabs: {
    queue: "Demandes",
    buyers: "Dossiers",
    day: "Journée",
    search: "Recherche",
    alerts: "Alertes",
    settings: "Réglages",
  },
  waitingHere: (count: number) => (count === 1 ? "1 en attente" : `${count} en attente`),
  chooseRequest: "Choisissez une demande dans la liste",
  panes: { list: "Liste", detail: "Détail" },
  gate: {
    entering: "Ouverture du bureau…",
    failed: "Le bureau n'a pas pu s'ouvrir",
    outsideTitle: "Ouvrez le bureau dans Telegram",
    outsideText:
      "Le bureau des agents s'ouvre depuis le bot : c'est Telegram qui nous dit qui vous êtes.",
    openBot: "Ouvrir le bot",
    strangerTitle: "Réservé aux agents",
    strangerText:
      "Vous êtes connecté, mais ce compte Telegram n'est ni celui d'un agent ni celui d'un opérateur.",
    strangerHint:
      "Si vous devez l'être, donnez cet identifiant à l'opérateur de la plateforme pour qu'il vous ajoute.",
    identifier: "Identifiant Telegram",
    copyIdentifier: "Copier l'identifiant",
    toSeller: "Aller à l'espace vendeur",
  },
  unknownRoute: "Cette page n'existe pas. Vous êtes au bureau.",
  operatorOnly: {
    title: "Réservé à l'opérateur",
    text: "Les agents traitent les demandes ; les réglages et le journal sont à l'opérateur.",
  },
} as const;

/** For example "Ouvertes · 3". */
export function counted(label: string, count = 0): string {
  return count > 0 ? `${label} · ${count}` : label;
}

/** Somebody's words as they were written; nothing where there are none. */
export const quoted = (words: string | null | undefined) => words && `«\u00a0${words}\u00a0»`;

/** Words of several screens, and the names of facts and columns. */
export const names = {
  access: "Accès",
  account: "Compte",
  advanced: "Avancé par la plateforme",
  amount: "Montant",
  archived: "Archivé",
  askedBy: "Demandé par",
  at: "Le",
  atProvider: "Chez le prestataire",
  automatic: "Automatique",
  available: "Disponible",
  buyer: "Acheteur",
  by: "Par",
  closed: "Close le",
  complaints: "Réclamations",
  copyNumber: "Copier le numéro",
  country: "Pays",
  created: "Créée le",
  decision: "Décision",
  due: "Au vendeur jusqu'au",
  ended: "Closes",
  fee: "Frais",
  feeKept: "Frais retenus",
  free: "Gratuit",
  frozen: "Retraits gelés",
  givenBack: "Rendu le",
  group: "Groupe",
  held: "Bloqué",
  kind: "Nature",
  message: "Dernier message",
  method: "Mode de paiement",
  net: "Part du vendeur",
  noneOfThem: "aucun",
  number: "Numéro",
  opened: "Ouverte le",
  operatorReference: "Référence de l'opérateur",
  order: "Commande",
  orderOf: (id: string) => `Commande ${id}`,
  paid: "Payée le",
  paidBy: "Payé par",
  payments: "Paiements",
  platform: "La plateforme",
  premium: "Premium",
  price: "Prix",
  product: "Produit",
  products: "Produits",
  reason: "Raison",
  reasonForBoth: "Raison, lue par l'acheteur et le vendeur",
  reasonForSeller: "Raison lue par le vendeur",
  reference: "Référence",
  refunds: "Remboursements",
  reject: "Rejeter",
  returned: "Déjà rendu par le prestataire",
  sale: "Vente",
  sales: "Ventes",
  seen: "Ce que vous avez constaté",
  seller: "Vendeur",
  seeRequests: "Voir les demandes",
  setPaid: "Marquer payé",
  suspended: "Suspendu",
  take: "Prendre",
  telegramId: "Identifiant",
  topic: "Sujet",
  until: "Accès jusqu'au",
  views: "Vues",
  waiting: "En attente depuis",
  way: "Moyen",
  whatWasDone: "Ce qui a été fait",
} as const;

export const queueCopy = {
  openHours: (hours: string) => `Ouvert · ${hours}`,
  closedHours: (hours: string) => `Fermé en ce moment · ${hours}`,
  views: "Vues de la file",
  tabs: {
    pending: "À traiter",
    "to-pay": "À payer",
    uncertain: "Incertaines",
    done: "Terminées",
  } satisfies Record<QueueTab, string>,
  uncounted: "—",
  search: "Référence, numéro, montant, vendeur",
  filter: "Filtrer",
  filters: "Filtres",
  filtered: (count: number) => (count === 1 ? "1 filtre actif" : `${count} filtres actifs`),
  clear: "Tout effacer",
  anyMethod: "Tous les modes",
  anyCountry: "Tous les pays",
  plan: "Plan du vendeur",
  anyPlan: "Tous",
  lateOnly: "En retard seulement",
  mineOnly: "Prises par moi seulement",
  summary: (pending: number, late: number) =>
    pending === 0
      ? "Rien à traiter"
      : `${pending} à traiter${late > 0 ? `, dont ${late} en retard` : ""}`,
  empty: {
    pending: "Aucune demande à traiter",
    "to-pay": "Aucun paiement en cours",
    uncertain: "Aucun paiement incertain",
    done: "Aucune demande ici",
  } satisfies Record<QueueTab, string>,
  emptyText: {
    pending: "Les nouvelles demandes apparaissent ici d'elles-mêmes, les premium en tête.",
    "to-pay":
      "Une demande approuvée reste ici jusqu'à ce que l'argent soit arrivé : par un prestataire, ou à la main avec la référence de l'opérateur.",
    uncertain: "Un prestataire qui n'a pas répondu laisse ici son paiement à vérifier.",
    done: "Les demandes payées, rejetées ou annulées restent consultables.",
  } satisfies Record<QueueTab, string>,
  emptyFiltered: "Aucune demande ne passe ces filtres",
  dueIn: (words: string) => `reste ${words}`,
  lateBy: (words: string) => `En retard de ${words}`,
  lateNow: "En retard",
  working: "ouvrées",
  mine: (left: string) => `À vous · ${left}`,
  taken: (name: string, left: string) => `${name} · ${left}`,
  second: "2e accord attendu",
  own: "Votre demande",
  signs: (count: number) => (count === 1 ? "1 signe à vérifier" : `${count} signes à vérifier`),
} as const;

/** A length of working time: "12 min", "3 h", "3 h 20". Never in days: their lengths differ. */
export function sayWorking(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 60) return `${whole} min`;
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  return rest === 0 || hours >= 10 ? `${hours} h` : `${hours} h ${String(rest).padStart(2, "0")}`;
}

/** "12:04": the time left of an assignment. */
export function sayCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** The same for screen readers: whole minutes, so that it does not change each second. */
export function sayCountdownAloud(seconds: number): string {
  const minutes = Math.ceil(Math.max(0, seconds) / 60);
  return minutes <= 1 ? "moins d'une minute" : `${minutes} minutes`;
}
