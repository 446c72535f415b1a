import { sayFirst } from "@sesame/contract";
import type { CalendarDayOnWire, StatisticsPeriod } from "@sesame/contract/reports";

const plural = (count: number, one: string, many: string) => (count > 1 ? many : one);
const counted = (count: number, one: string, many: string) =>
  `${count} ${plural(count, one, many)}`;

export const calendarCopy = {
  title: "Calendrier",
  subtitle: "Expirations, renouvellements et retraits, jour par jour",
  loading: "Chargement du calendrier",
  loadFailed: "Impossible de charger votre calendrier. Veuillez réessayer.",
  previous: "Mois précédent",
  next: "Mois suivant",
  today: "Aujourd'hui",
  weekdays: [
    ["L", "lundi"],
    ["M", "mardi"],
    ["M", "mercredi"],
    ["J", "jeudi"],
    ["V", "vendredi"],
    ["S", "samedi"],
    ["D", "dimanche"],
  ],
  legend: "Légende",
  kinds: {
    expirations: "Expirations",
    renouvellements: "Renouvellements",
    retraits: "Retraits",
  } satisfies Record<keyof Omit<CalendarDayOnWire, "jour">, string>,
  counts: {
    expirations: (count: number) => counted(count, "expiration", "expirations"),
    renouvellements: (count: number) => counted(count, "renouvellement", "renouvellements"),
    retraits: (count: number) => counted(count, "retrait", "retraits"),
  },
  nothing: "rien de prévu",
  noneMonth: "Rien ce mois-ci",
  noneMonthText: "Les échéances, les renouvellements et vos retraits s'affichent ici à leur date.",
  nextDay: (day: string) => `Aller au ${day}`,
  noneAction: "Voir mes produits",
  noneDay: "Rien ce jour-là.",
  expires: "Accès à échéance",
  expired: "Accès terminé",
  renewed: "Renouvellement",
  payout: "Retrait demandé",
  automaticPayout: "Retrait automatique demandé",
  nextPayout: "Prochain retrait automatique",
  nextPayoutText: "Le montant sera celui de votre solde disponible.",
  others: (count: number) => `et ${counted(count, "autre", "autres")}`,
} as const;

export const statisticsCopy = {
  title: "Statistiques",
  period: "Période",
  periods: { week: "Semaine", month: "Mois", year: "Année" },
  span: {
    week: "Les 7 derniers jours, aujourd'hui compris",
    month: "Les 30 derniers jours, aujourd'hui compris",
    year: "Les 12 derniers mois, celui-ci compris",
  },
  before: {
    week: "que les 7 jours d'avant",
    month: "que les 30 jours d'avant",
    year: "que les 12 mois d'avant",
  },
  loading: "Chargement des statistiques",
  loadFailed: "Impossible de charger vos statistiques. Veuillez réessayer.",
  net: "Revenu net",
  gross: "Revenu brut",
  sales: "Ventes",
  members: "Membres",
  membersNote: "dans vos groupes, maintenant",
  fees: (amount: string) => `${amount} de frais`,
  noFees: "sans frais",
  direct: (amount: string) => `dont ${amount} encaissés directement`,
  split: (fresh: number, renewed: number) =>
    `${counted(fresh, "nouvelle", "nouvelles")}, ${counted(renewed, "renouvellement", "renouvellements")}`,
  more: (percent: string, before: string) => `${percent} de plus ${before}`,
  less: (percent: string, before: string) => `${percent} de moins ${before}`,
  same: (before: string) => `Autant ${before}`,
  percent: (value: string) => `${value}\u202f%`,
  chart: { day: "Revenu net par jour", month: "Revenu net par mois" },
  peak: (when: string, net: string) => `Le plus haut : ${net}, ${when}.`,
  earlier: {
    week: (net: string) => `Les 7 jours d'avant : ${net}.`,
    month: (net: string) => `Les 30 jours d'avant : ${net}.`,
    year: (net: string) => `Les 12 mois d'avant : ${net}.`,
  },
  barText: (when: string, net: string, sales: string) => `${when} : ${net}, ${sales}`,
  date: "Date",
  salesCount: (count: string, many: boolean) => `${count} ${many ? "ventes" : "vente"}`,
  products: "Répartition par produit",
  share: (percent: string) => `${percent} du revenu net`,
  otherProducts: "Autres produits",
  customers: "Meilleurs clients",
  purchases: (count: number) => counted(count, "achat", "achats"),
  none: "Aucune vente sur cette période",
  noneText: "Partagez le lien d'un produit : la première vente s'affichera ici.",
  noneAction: "Voir mes produits",
} as const;

export const advancedCopy = {
  title: "Statistiques avancées",
  badge: "Premium",
  teaser: "Sachez ce qui revient chaque mois, qui reste et qui part.",
  teaserList: [
    "Revenu mensuel récurrent",
    "Taux de renouvellement et attrition",
    "Fidélité, mois après mois",
    "Export pour votre tableur",
  ],
  open: "Découvrir avec Premium",
  mrr: "Revenu mensuel récurrent",
  mrrNote: (count: number) =>
    `${count} accès ${plural(count, "payé", "payés")} au-delà d'aujourd'hui, ${plural(
      count,
      "ramené",
      "ramenés",
    )} à 30 jours`,
  renewals: "Renouvellements",
  renewalsNote: (renewed: number, ended: number) =>
    `${renewed} sur ${ended} ${plural(ended, "accès arrivé", "accès arrivés")} à échéance`,
  churn: "Attrition",
  churnNote: (lost: number, served: number) =>
    `${counted(lost, "accès perdu", "accès perdus")} sur ${served}`,
  nothingEnded: "Aucun accès n'est arrivé à échéance",
  notYet: "—",
  cohorts: "Fidélité par mois d'arrivée",
  cohortsNote:
    "Parmi les clients arrivés un mois donné, combien avaient encore un accès à la fin des mois suivants.",
  cohortMonth: "Arrivés en",
  cohortSize: "Clients",
  cohortAfter: (months: number) => `Fin du mois ${months}`,
  cohortShort: (months: number) => `+${months}`,
  cohortText: (clients: number, percent: string) =>
    `${counted(clients, "client", "clients")}, ${percent}`,
  noCohort: "Vos premiers clients apparaîtront ici.",
  file: (period: StatisticsPeriod) =>
    `statistiques-${{ week: "semaine", month: "mois", year: "annee" }[period]}.csv`,
} as const;

/**
 * Says a day or month of the instance, "2026-11-25", as people do. Noon, in the phone's own zone: the
 * same day everywhere.
 */
function say(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat("fr-FR", options);
  return (day) => sayFirst(format.format(new Date(`${day}T12:00:00`)));
}

/** "mercredi 25 novembre". */
export const sayLongDay = say({ weekday: "long", day: "numeric", month: "long" });
/** "mercredi 25 novembre 2026". */
export const sayWholeDay = say({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
/** "25 nov.". */
export const sayDay = say({ day: "numeric", month: "short" });
/** "mer.". */
export const sayWeekday = say({ weekday: "short" });
/** "novembre 2026". */
export const sayMonth = say({ month: "long", year: "numeric" });
/** "nov.". */
export const sayShortMonth = say({ month: "short" });
/** "nov. 26". */
export const sayMonthYear = say({ month: "short", year: "2-digit" });
