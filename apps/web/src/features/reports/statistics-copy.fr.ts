import type { StatisticsPeriod } from "@sesame/contract/reports";

const plural = (count: number, one: string, many: string) => (count > 1 ? many : one);

export const statisticsCopy = {
  title: "Statistiques",
  period: "Période",
  periods: { week: "Semaine", month: "Mois", year: "Année" } satisfies Record<
    StatisticsPeriod,
    string
  >,
  span: {
    week: "Les 7 derniers jours, aujourd'hui compris",
    month: "Les 30 derniers jours, aujourd'hui compris",
    year: "Les 12 derniers mois, celui-ci compris",
  } satisfies Record<StatisticsPeriod, string>,
  before: {
    week: "que les 7 jours d'avant",
    month: "que les 30 jours d'avant",
    year: "que les 12 mois d'avant",
  } satisfies Record<StatisticsPeriod, string>,
  loading: "Chargement des statistiques",
  failed: "Impossible de charger vos statistiques. Veuillez réessayer.",
  retry: "Réessayer",
  refresh: "Actualiser",
  net: "Revenu net",
  gross: "Revenu brut",
  sales: "Ventes",
  members: "Membres",
  membersNote: "dans vos groupes, maintenant",
  fees: (amount: string) => `${amount} de frais`,
  noFees: "sans frais",
  direct: (amount: string) => `dont ${amount} encaissés directement`,
  split: (fresh: number, renewed: number) =>
    `${fresh} ${plural(fresh, "nouvelle", "nouvelles")}, ${renewed} ${plural(
      renewed,
      "renouvellement",
      "renouvellements",
    )}`,
  more: (percent: string, before: string) => `${percent} de plus ${before}`,
  less: (percent: string, before: string) => `${percent} de moins ${before}`,
  same: (before: string) => `Autant ${before}`,
  percent: (value: string) => `${value}\u202f%`,
  chart: { day: "Revenu net par jour", month: "Revenu net par mois" },
  barText: (when: string, net: string, sales: string) => `${when} : ${net}, ${sales}`,
  date: "Date",
  salesCount: (count: string, many: boolean) => `${count} ${many ? "ventes" : "vente"}`,
  products: "Répartition par produit",
  share: (percent: string) => `${percent} du revenu net`,
  otherProducts: "Autres produits",
  customers: "Meilleurs clients",
  purchases: (count: number) => `${count} ${plural(count, "achat", "achats")}`,
  last: "Dernières transactions",
  seeAll: "Voir tout",
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
    `${lost} ${plural(lost, "accès perdu", "accès perdus")} sur ${served}`,
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
    `${clients} ${plural(clients, "client", "clients")}, ${percent}`,
  noCohort: "Vos premiers clients apparaîtront ici.",
  export: "Exporter en CSV",
  exportFailed: "L'export n'a pas pu se faire. Veuillez réessayer.",
  file: (period: StatisticsPeriod) => `statistiques-${period}.csv`,
} as const;
