import type { CalendarDayOnWire } from "@sesame/contract/reports";

const plural = (count: number, one: string, many: string) => `${count} ${count > 1 ? many : one}`;

export const calendarCopy = {
  title: "Calendrier",
  subtitle: "Expirations, renouvellements et retraits, jour par jour",
  loading: "Chargement du calendrier",
  failed: "Impossible de charger votre calendrier. Veuillez réessayer.",
  retry: "Réessayer",
  refresh: "Actualiser",
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
    expirations: (count: number) => plural(count, "expiration", "expirations"),
    renouvellements: (count: number) => plural(count, "renouvellement", "renouvellements"),
    retraits: (count: number) => plural(count, "retrait", "retraits"),
  } satisfies Record<keyof Omit<CalendarDayOnWire, "jour">, (count: number) => string>,
  nothing: "rien de prévu",
  noneMonth: "Rien ce mois-ci",
  noneMonthText: "Vos ventes, leurs échéances et vos retraits s'afficheront ici à leur date.",
  noneAction: "Voir mes produits",
  noneDay: "Rien ce jour-là.",
  expires: "Accès à échéance",
  expired: "Accès terminé",
  renewed: "Renouvellement",
  payout: "Retrait demandé",
  automaticPayout: "Retrait automatique demandé",
  nextPayout: "Prochain retrait automatique",
  nextPayoutText: "Le montant sera celui de votre solde disponible.",
  others: (count: number) => `et ${plural(count, "autre", "autres")}`,
} as const;
